package result

// What was really sent against what was asked. Two questions: whether it has
// the law of the contract, which a wrong schedule breaks although it is kept
// to the nanosecond, and whether it is the plan, which is known exactly. How
// late a request may be is neither: that is send_lag's.

import (
	"fmt"
	"math"
	"slices"

	"assay/internal/contract"
	"assay/internal/measure"
	"assay/internal/stats"
)

const (
	// arrivalChance is for all checks of a run together. What is promised is
	// 1e-6: where requests are few the laws used are up to three times too
	// strict at that chance, and the rest is margin.
	arrivalChance = 1e-7
	asAsked       = "as asked"
	tooFew        = "too few requests to tell"
	closedLoop    = "not applicable: closed loop"
)

// arrivals describes what was sent and holds it against the contract, stream
// by stream.
func (b *builder) arrivals() Arrivals {
	out := Arrivals{Test: closedLoop, Checks: []ArrivalCheck{}}
	all := b.s.Departures("")
	out.GapCV, out.Dispersion = b.evenness(all)
	var told []told
	for i := range b.c.Streams {
		s := &b.c.Streams[i]
		if !s.OpenLoop() {
			continue
		}
		if len(b.c.Streams) > 1 {
			all = b.s.Departures(s.Name)
		}
		if n := b.held(s); n > 0 {
			told = append(told, notTold(s.Name, n))
			continue
		}
		told = append(told, b.hold(s, all))
	}
	if len(told) > 0 {
		out.conclude(told)
	}
	return out
}

// told is what the checks of one stream say.
type told struct {
	stream string
	checks []ArrivalCheck
	why    string // there is no check of the law; "" where there is
}

// hold makes every check of a stream that can be made.
func (b *builder) hold(s *contract.Stream, sent []measure.Departure) told {
	late := max(leastLate, b.limits().SendLag.Value) * 1e6
	plan, first := planned(s, b.c.Seed)
	checks := againstPlan(plan, first, sent, late, float64(b.c.Client.MinDelivered))
	law := s.Arrival().Law(b.c.Seed, s.Name, warmup(s))
	if law.CDF == nil { // a trace is its own law
		return told{s.Name, checks, few(len(sent) < leastOfPlan)}
	}
	of := againstLaw(law, instants(sent, late), b.w, s.Traffic.Requests > 0)
	return told{s.Name, append(checks, of...), few(len(of) == 0)}
}

func few(are bool) string {
	if are {
		return tooFew
	}
	return ""
}

// held is how many requests of a stream a ceiling held back.
func (b *builder) held(s *contract.Stream) int64 {
	f := measure.Filter{Conditions: []measure.Condition{{Field: "stream", Op: "=", Text: s.Name}}}
	return b.s.Counts(f).Held
}

// notTold is the account of a stream whose ceiling moved requests: what left
// has neither the law nor the instants of the plan, and need not.
func notTold(stream string, held int64) told {
	return told{stream: stream, why: fmt.Sprintf("not applicable: a ceiling held back %d requests", held)}
}

// conclude decides the checks that have a chance, each at its part of what is
// allowed to all, and says what is the matter.
func (a *Arrivals) conclude(streams []told) {
	chances := 0.0
	for _, s := range streams {
		for _, c := range s.checks {
			if c.P != nil {
				chances++
			}
		}
	}
	holds, why := true, ""
	a.Test = asAsked
	for _, s := range streams {
		for i := range s.checks {
			if c := &s.checks[i]; c.P != nil {
				c.Holds = *c.P >= arrivalChance/chances
			}
		}
		if wrong := matter(s.checks); wrong != "" && holds {
			a.Test, holds = s.stream+": "+wrong, false
		}
		if s.why != "" && why == "" {
			why = s.stream + ": " + s.why
		}
		for _, c := range s.checks {
			if len(streams) > 1 {
				c.Stream = s.stream
			}
			a.Checks = append(a.Checks, c)
		}
	}
	switch {
	case !holds || why == "":
		a.Holds = &holds
	default:
		a.Test = why
	}
}

// evenness is the variation of the gaps between all requests that left and the
// dispersion of their counts per whole second.
func (b *builder) evenness(sent []measure.Departure) (cv, dispersion *float64) {
	at := make([]int64, len(sent))
	for i, d := range sent {
		at[i] = d.Left
	}
	slices.Sort(at)
	gaps := make([]float64, 0, len(at))
	w := b.w
	if b.c.Streams[0].Traffic.Requests > 0 && len(at) > 0 && b.s.HasLater() {
		w.End = at[len(at)-1] // the window ends with the last turns, and sessions begin up to here
	}
	counts := make([]float64, int(w.Seconds()))
	for i, t := range at {
		if i > 0 {
			gaps = append(gaps, float64(t-at[i-1]))
		}
		if j := (t - w.Start) / 1e9; t >= w.Start && int(j) < len(counts) {
			counts[j]++
		}
	}
	if mean, sd := stats.MeanSD(gaps); mean > 0 {
		cv = number(sd / mean)
	}
	d, _ := stats.Dispersion(counts)
	return cv, number(d)
}

// matter says what is wrong in the words of the likeliest mistake: the check
// that speaks most plainly comes first, for one mistake breaks several.
func matter(checks []ArrivalCheck) string {
	for _, m := range matters {
		for _, c := range checks {
			if !c.Holds && m.is(c) {
				return m.says(c)
			}
		}
	}
	return ""
}

var matters = []struct {
	is   func(ArrivalCheck) bool
	says func(ArrivalCheck) string
}{
	{is(checkSent), func(c ArrivalCheck) string {
		return fmt.Sprintf("only %.4g of the requests of the plan left: what falls due while a client stands still must be sent late, not dropped", *c.Value)
	}},
	{isDispersion(false), func(c ArrivalCheck) string {
		return fmt.Sprintf("the counts are too even (%s: %.2g), as when each second is made to hold its number", c.Name, *c.Value)
	}},
	{isDispersion(true), func(c ArrivalCheck) string {
		return fmt.Sprintf("the requests leave in batches (%s: %.3g), as when workers share a seed", c.Name, *c.Value)
	}},
	{is("autocorrelation"), func(c ArrivalCheck) string {
		return fmt.Sprintf("the gaps depend on one another (correlation %.2g)", *c.Value)
	}},
	{is(checkDrift), func(c ArrivalCheck) string {
		return fmt.Sprintf("the requests drift from the plan, by %.3g ms in the end, as when a client sleeps for a gap and not until an instant", *c.Value)
	}},
	{is("gaps"), func(c ArrivalCheck) string {
		return fmt.Sprintf("the gaps are not of the law (their distributions are %.2g apart)", *c.Value)
	}},
	{is("cv"), func(c ArrivalCheck) string {
		return fmt.Sprintf("the gaps vary by %.3g of their mean and not by %.3g", *c.Value, *c.Asked)
	}},
	{is(checkSchedule), func(c ArrivalCheck) string {
		return fmt.Sprintf("the requests do not leave at the instants of the plan: half of them are %.3g ms off or more", *c.Value)
	}},
	{is("rate"), func(c ArrivalCheck) string {
		return fmt.Sprintf("the rate is %.4g/s and not %.4g/s", *c.Value, *c.Asked)
	}},
}

func is(name string) func(ArrivalCheck) bool {
	return func(c ArrivalCheck) bool { return c.Name == name }
}

func isDispersion(more bool) func(ArrivalCheck) bool {
	return func(c ArrivalCheck) bool {
		return len(c.Name) > 10 && c.Name[:10] == "dispersion" && *c.Value > *c.Asked == more
	}
}

// check is one check with its value; a chance that is NaN is none.
func check(name string, value, asked, p float64) ArrivalCheck {
	c := ArrivalCheck{Name: name, Value: number(value), Asked: number(asked)}
	if !math.IsNaN(p) {
		c.P = &p
	}
	return c
}
