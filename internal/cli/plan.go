package cli

// assay plan: what a contract would send, and whether that can settle it.

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"assay/internal/contract"
	"assay/internal/run"
	"assay/internal/unit"

	"github.com/spf13/cobra"
)

// firstShown is how many requests of a stream are listed for people.
const firstShown = 5

func newPlan(streams IO) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "plan [CONTRACT.yaml]",
		Short: "Say what a contract would send; send nothing",
		Long: lines("Say what a contract would send, and how many requests each objective needs at the least.",
			"Nothing is sent. --json lists every request on a line of its own."),
		Example: "  assay plan examples/quickstart.yaml --rate 40/s",
		Args:    cobra.MaximumNArgs(1),
	}
	cmd.RunE = look(func(cmd *cobra.Command, args []string) error {
		c, err := asked(cmd, args, allFields())
		if err != nil {
			return err
		}
		if err := c.Resolve(); err != nil {
			return err
		}
		plan, err := run.MakePlan(c, run.OSFiles{})
		if err != nil {
			return err
		}
		if asJSON {
			return listPlan(streams.Out, plan)
		}
		return showPlan(streams.Out, c, plan)
	})
	addFields(cmd, allFields())
	cmd.Flags().BoolVar(&asJSON, "json", false, "list every request as JSON, one a line")
	return cmd
}

func listPlan(out io.Writer, plan *run.Plan) error {
	w := bufio.NewWriterSize(out, 1<<16)
	encoder := json.NewEncoder(w)
	for r := range plan.Requests() {
		if err := encoder.Encode(r); err != nil {
			return fmt.Errorf("print the plan: %w", err)
		}
	}
	return w.Flush()
}

func showPlan(out io.Writer, c *contract.Contract, plan *run.Plan) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s, seed %d: nothing is sent\n", plan.Name, plan.Seed)
	var errs []error
	for i := range plan.Streams {
		s := &plan.Streams[i]
		fmt.Fprintf(b, "\nstream %s\n", s.Name)
		w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
		showStream(w, c.Streams[i].Target, s)
		errs = append(errs, w.Flush())
		for _, note := range s.Notes {
			fmt.Fprintf(b, "  note: %s\n", note)
		}
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
	if s.Counted {
		fmt.Fprintf(w, "  requests\t%d in the window, %d in the warm-up\n", s.WindowSum.Requests, s.WarmupSum.Requests)
		fmt.Fprintf(w, "  input tokens\t%s in the window, %s in the warm-up, %.1f a request\n",
			unit.SI(float64(s.WindowSum.InputTokens)), unit.SI(float64(s.WarmupSum.InputTokens)), s.MeanInput)
		fmt.Fprintf(w, "  output tokens\t%s in the window, %s in the warm-up, %.1f a request\n",
			unit.SI(float64(s.WindowSum.OutputTokens)), unit.SI(float64(s.WarmupSum.OutputTokens)), s.MeanOutput)
		return
	}
	fmt.Fprintf(w, "  requests\tas many as the server lets through\n")
	fmt.Fprintf(w, "  input tokens\t%.1f a request\n", s.MeanInput)
	fmt.Fprintf(w, "  output tokens\t%.1f a request\n", s.MeanOutput)
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
	when := fmt.Sprintf("closed loop, %d at a time", s.Concurrency)
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
		if r.DueNS != nil {
			due = fmt.Sprintf("at %.3f s", float64(*r.DueNS)/1e9)
		}
		fmt.Fprintf(w, "    %d\t%s\t%d tokens in\t%d out\n", r.Seq, due, r.InputTokens, r.OutputTokens)
	}
}
