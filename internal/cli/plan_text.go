package cli

// The plan as people read it.

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"assay/internal/contract"
	"assay/internal/report"
	"assay/internal/run"
	"assay/internal/unit"
)

// firstShown is how many requests of a stream are listed for people.
const firstShown = 5

func showPlan(out io.Writer, c *contract.Contract, plan *run.Plan, pen report.Pen) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s, seed %d: nothing is sent\n", plan.Name, plan.Seed)
	if plan.Cost != nil {
		fmt.Fprintf(b, "cost: %s\n", costText(plan.Cost))
	}
	var errs []error
	for i := range plan.Streams {
		s := &plan.Streams[i]
		fmt.Fprintf(b, "\nstream %s\n", s.Name)
		w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
		showStream(w, c.Streams[i].Target, s)
		if s.Cache != nil {
			fmt.Fprintf(w, "  prefix cache\t%s\n", cacheText(s.Cache))
		}
		errs = append(errs, w.Flush())
		for _, note := range s.Notes {
			fmt.Fprintf(b, "  note: %s\n", note)
		}
		drawArrivals(b, s, pen)
		drawLengths(b, s, pen)
		fmt.Fprintf(b, "\n  objectives\n")
		showNeeds(w, s)
		errs = append(errs, w.Flush())
		fmt.Fprintf(b, "\n  first requests\n")
		showFirst(w, plan, s.Name)
		errs = append(errs, w.Flush())
	}
	_, err := io.WriteString(out, b.String())
	return errors.Join(append(errs, err)...)
}

func showStream(w io.Writer, t contract.Target, s *run.StreamPlan) {
	fmt.Fprintf(w, "  target\t%s\n", targetOf(t))
	fmt.Fprintf(w, "  traffic\t%s\n", trafficOf(s))
	for _, h := range s.Habits {
		fmt.Fprintf(w, "  %s\t%s\n", h.Name, h.Text)
	}
	if s.Sessions != nil {
		fmt.Fprintf(w, "  sessions\t%s\n", sessionsText(s))
	}
	if s.Media != nil {
		fmt.Fprintf(w, "  media\t%s\n", mediaText(s))
	}
	if !s.Counted {
		fmt.Fprintf(w, "  requests\tas many as the server lets through\n")
		fmt.Fprintf(w, "  input tokens\t%s\n", lengthsText(s.Input))
		if s.Output.Max > 0 {
			fmt.Fprintf(w, "  output tokens\t%s\n", lengthsText(s.Output))
		}
		return
	}
	what := "requests"
	if s.Sessions != nil {
		what = "first turns" // and so are the sums below
	}
	share := ""
	if s.Share != nil {
		share = fmt.Sprintf(" (%.1f%% of those of all streams)", 100**s.Share)
	}
	fmt.Fprintf(w, "  %s\t%d in the window%s, %d in the warm-up\n", what, s.WindowSum.Requests, share, s.WarmupSum.Requests)
	fmt.Fprintf(w, "  input tokens\t%s in the window, %s in the warm-up; %s\n",
		unit.SI(float64(s.WindowSum.InputTokens)), unit.SI(float64(s.WarmupSum.InputTokens)), lengthsText(s.Input))
	if s.Output.Max == 0 {
		return // the answers are no text
	}
	fmt.Fprintf(w, "  output tokens\t%s in the window, %s in the warm-up; %s\n",
		unit.SI(float64(s.WindowSum.OutputTokens)), unit.SI(float64(s.WarmupSum.OutputTokens)), lengthsText(s.Output))
}

// lengthsText is what a request asks for.
func lengthsText(l run.PlannedLengths) string {
	if l.Min == l.Max {
		return fmt.Sprintf("%d a request", l.Min)
	}
	return fmt.Sprintf("%.1f a request (p50 %d, p90 %d, p99 %d, %d to %d)", l.Mean, l.P50, l.P90, l.P99, l.Min, l.Max)
}

// mediaText is what stands beside the words.
func mediaText(s *run.StreamPlan) string {
	each := "bytes " + lengthsText(*s.Media) + ", without base64"
	if !s.Counted {
		return each
	}
	return fmt.Sprintf("%s in the window, %s in the warm-up; %s", mediaSum(s.WindowSum), mediaSum(s.WarmupSum), each)
}

// mediaSum is all of a phase: what it has none of is left out.
func mediaSum(s run.PlanSum) string {
	var parts []string
	if s.Images > 0 {
		parts = append(parts, fmt.Sprintf("%d pictures", s.Images))
	}
	if s.AudioMS > 0 {
		parts = append(parts, fmt.Sprintf("%.1f s of recordings", float64(s.AudioMS)/1e3))
	}
	return strings.Join(append(parts, unit.SI(float64(s.Bytes))+" bytes"), ", ")
}

// sessionsText tells what comes of the first turns.
func sessionsText(s *run.StreamPlan) string {
	x := s.Sessions
	turns := fmt.Sprintf("%d turns each", x.Turns.Min)
	if x.Turns.Min != x.Turns.Max {
		turns = fmt.Sprintf("%.1f turns each (p50 %d, %d to %d)", x.Turns.Mean, x.Turns.P50, x.Turns.Min, x.Turns.Max)
	}
	where := " begin in the window"
	if !s.Counted {
		where = " looked at"
	}
	text := fmt.Sprintf("%d%s, %s; %d later turns are expected, if all replies come whole and at once: %s input and %s output tokens",
		x.Sessions, where, turns, x.Later.Requests, unit.SI(float64(x.Later.InputTokens)), unit.SI(float64(x.Later.OutputTokens)))
	if x.Beyond > 0 {
		text += fmt.Sprintf("; %d more fall behind the window", x.Beyond)
	}
	return text
}

// cacheText is what a prefix cache should find.
func cacheText(c *run.PlannedCache) string {
	text := fmt.Sprintf("should find %.1f%% of the input tokens (%.1f%% in blocks of 16)", 100*c.Share, 100*c.InBlocks)
	if c.Whole > 0 {
		text += fmt.Sprintf("; %d requests repeat a prompt", c.Whole)
	}
	return text
}

// costText is the price of the load, as far as it is known.
func costText(c *run.PlannedCost) string {
	if c.Span == 0 {
		return fmt.Sprintf("%.4g %s an hour, for as long as the server takes", c.PerHour, c.Currency)
	}
	text := fmt.Sprintf("%.2f %s for %s at %.4g an hour", c.Amount(c.Span), c.Currency, span(c.Span), c.PerHour)
	if c.Most > c.Span {
		text += fmt.Sprintf(", %.2f if the drain takes all of its time", c.Amount(c.Most))
	}
	return text
}

// span is a length of time for people: to the millisecond, and without zeros.
func span(d time.Duration) string {
	return unit.Duration(d.Round(time.Millisecond)).String()
}

func targetOf(t contract.Target) string {
	where := strings.Join(t.URL, ", ")
	if t.Simulate != "" {
		where = "the embedded server, preset " + t.Simulate
	}
	model := t.Model
	if model == "" {
		model = "the first model that the server lists"
	}
	return fmt.Sprintf("%s of %s, %s", t.Endpoint, where, model)
}

func trafficOf(s *run.StreamPlan) string {
	when := s.Loop
	if s.Concurrency == 0 {
		when = s.Arrival.Describe()
	}
	window := "window until the last request"
	if s.Window > 0 {
		window = "window " + s.Window.Round(time.Millisecond).String()
	}
	return fmt.Sprintf("%s; warm-up %s, %s, drain up to %s", when, s.Warmup, window, s.Drain)
}

func showNeeds(w io.Writer, s *run.StreamPlan) {
	for _, o := range s.Objectives {
		enough := "enough"
		switch {
		case !o.Enough:
			enough = "too few are planned"
		case !s.Counted:
			enough = "known after the run"
		case o.Planned-o.Expected < o.Least:
			enough = fmt.Sprintf("enough, if the %d later turns come", o.Expected)
		}
		requests := "requests"
		if o.Least == 1 {
			requests = "request"
		}
		fmt.Fprintf(w, "    %s\tneeds at least %d %s\t%s\n", o.Objective.Text, o.Least, requests, enough)
	}
}

func showFirst(w io.Writer, plan *run.Plan, stream string) {
	shown := 0
	for r := range plan.Requests() {
		if r.Stream != stream {
			continue
		}
		if shown == firstShown {
			break
		}
		shown++
		due := "when a slot is free"
		if r.Turn > 1 {
			due = "after turns before it"
		}
		if r.DueNS != nil {
			due = fmt.Sprintf("at %.3f s", float64(*r.DueNS)/1e9)
		}
		out := ""
		if r.OutputTokens > 0 {
			out = fmt.Sprintf("\t%d out", r.OutputTokens)
		}
		fmt.Fprintf(w, "    %d\t%s\t%d tokens in%s\n", r.Seq, due, r.InputTokens, out)
	}
}
