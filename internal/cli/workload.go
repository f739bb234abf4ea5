package cli

// assay workload: what is in a file of requests, before anything is sent.

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"assay/internal/record"
	"assay/internal/run"
	"assay/internal/tokenizer"
	"assay/internal/unit"
	"assay/internal/workload/format"

	"github.com/spf13/cobra"
)

func newWorkload(streams IO) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "workload",
		Short: "Look into files of requests",
		Args:  cobra.NoArgs,
	}
	cmd.AddCommand(newInspect(streams))
	return cmd
}

func newInspect(streams IO) *cobra.Command {
	var o format.Options
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inspect FILE",
		Short: "Say what a file of requests holds; send nothing",
		Long: lines("Say what a file of requests holds: its format, requests, sessions, times, lengths, what their",
			"beginnings share, and which lines can't be used. Texts are counted in words. Formats:", "", formatList()),
		Example: "  assay workload inspect examples/trace.jsonl",
		Args:    cobra.ExactArgs(1),
	}
	cmd.RunE = look(func(_ *cobra.Command, args []string) error {
		s, err := format.Inspect(run.OSFiles{}, args[0], o, tokenizer.Words)
		if err != nil {
			return usagef("", "%w", err)
		}
		if asJSON {
			return json.NewEncoder(streams.Out).Encode(s)
		}
		return showSurvey(streams.Out, s)
	})
	cmd.Flags().StringVar(&o.Format, "format", "", "`NAME` of the format, instead of finding it by content")
	cmd.Flags().IntVar(&o.Block, "block", 0, "`TOKENS` of a hash block, where they are not the format's usual")
	cmd.Flags().BoolVar(&o.Strict, "strict", false, "stop at the first line that can't be used")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	complete(cmd, "format", format.Names)
	return cmd
}

func formatList() string {
	b := &strings.Builder{}
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, name := range format.Names() {
		fmt.Fprintf(w, "  %s\t%s\n", name, format.About(name))
	}
	_ = w.Flush() // into memory
	return strings.TrimRight(b.String(), "\n")
}

func showSurvey(out io.Writer, s *format.Survey) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s: nothing is sent\n", record.Printable(s.File))
	fmt.Fprintf(w, "  format\t%s: %s\n", s.Format, record.Printable(s.Why))
	fmt.Fprintf(w, "  requests\t%s\n", requestsOf(s))
	if s.Sessions > 0 {
		fmt.Fprintf(w, "  sessions\t%s\n", sessionsOf(s))
	}
	fmt.Fprintf(w, "  times\t%s\n", timesOf(s))
	fmt.Fprintf(w, "  input tokens\t%s\n", lengthsOf(s.Input))
	fmt.Fprintf(w, "  output tokens\t%s\n", lengthsOf(s.Output))
	if s.Shared != nil {
		of := ""
		if s.Shared.Requests < s.Entries {
			of = fmt.Sprintf(" of the first %d requests", s.Shared.Requests)
		}
		fmt.Fprintf(w, "  prefix cache\tone without limit would know %.1f%% of the prompts' tokens: %d blocks, %d different%s\n",
			100*s.Shared.Share, s.Shared.Blocks, s.Shared.Distinct, of)
	}
	if s.Unusable > 0 {
		fmt.Fprintf(w, "  left out\t%s that can't be used\n", counted(s.Unusable, "line", "lines"))
	}
	for _, reason := range s.Reasons {
		fmt.Fprintf(w, "    %s\n", record.Printable(reason))
	}
	drawSteps(w, "input tokens", s.Input)
	drawSteps(w, "output tokens", s.Output)
	fmt.Fprintf(w, "\n  first lines\n")
	for _, f := range s.First {
		fmt.Fprintf(w, "    %d  %s\n", f.Line, record.Printable(f.Text))
	}
	return w.Flush()
}

func counted(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func requestsOf(s *format.Survey) string {
	text := fmt.Sprint(s.Entries)
	if s.Bodies > 0 {
		text += fmt.Sprintf("; %s to be sent as they are, %d of which ask for a streamed reply", counted(s.Bodies, "body", "bodies"), s.Streamed)
	}
	return text
}

func sessionsOf(s *format.Survey) string {
	text := fmt.Sprintf("%d, of up to %s", s.Sessions, counted(s.MostTurns, "turn", "turns"))
	if s.Cumulative {
		text += "; each later turn holds the turns before it, which are not sent twice"
	}
	return text
}

func timesOf(s *format.Survey) string {
	switch {
	case s.Duration == nil:
		return "the file does not say when requests are due"
	case s.Rate == nil:
		return "all at one instant"
	}
	return fmt.Sprintf("%s, %.4g/s in the mean", time.Duration(*s.Duration*1e9).Round(time.Millisecond), *s.Rate)
}

func lengthsOf(l *format.Lengths) string {
	if l == nil {
		return "the file does not say"
	}
	return fmt.Sprintf("mean %.1f, p50 %d, p90 %d, p99 %d, from %d to %d", l.Mean, l.P50, l.P90, l.P99, l.Min, l.Max)
}

// drawSteps draws a histogram, the longest bar of a fixed width.
func drawSteps(w io.Writer, name string, l *format.Lengths) {
	const width = 40
	if l == nil || len(l.Steps) < 2 {
		return
	}
	most := int64(1)
	for _, s := range l.Steps {
		most = max(most, s.Count)
	}
	fmt.Fprintf(w, "\n  %s\n", name)
	for _, s := range l.Steps {
		bar := strings.Repeat("█", int((s.Count*width+most-1)/most))
		fmt.Fprintf(w, "    up to %s\t%s\t%s\n", unit.SI(float64(s.UpTo)), unit.SI(float64(s.Count)), bar)
	}
}
