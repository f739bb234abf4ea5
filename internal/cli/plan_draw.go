package cli

// The drawings of a plan: requests over time, and the lengths of both sides.

import (
	"fmt"
	"runtime"
	"strings"

	"assay/internal/report"
	"assay/internal/run"
)

// penOf is the pen for the terminal that the environment tells of, as POSIX has
// it: the first of these that is set. On Windows they are not used, and what is
// printed is shown as UTF-8.
func penOf(env func(string) string) report.Pen {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := strings.ToUpper(env(name)); value != "" {
			if strings.Contains(value, "UTF-8") || strings.Contains(value, "UTF8") {
				return report.BlockPen
			}
			return report.ASCIIPen
		}
	}
	if runtime.GOOS == "windows" {
		return report.BlockPen
	}
	return report.ASCIIPen
}

// drawArrivals draws requests per second, the warm-up to the left of the window.
func drawArrivals(b *strings.Builder, s *run.StreamPlan, pen report.Pen) {
	a := s.Arrivals
	if len(a.Window.Counts) == 0 {
		return
	}
	phases := []report.Phase{{From: "0s", Heights: a.Window.Rates()}}
	if len(a.Warmup.Counts) > 0 {
		phases = append([]report.Phase{{From: "-" + span(a.Warmup.Length), Heights: a.Warmup.Rates()}}, phases...)
	}
	fmt.Fprintf(b, "\n  requests due a second, a column is %s; the window begins at 0s\n", span(a.Window.Step))
	for _, line := range pen.Plot(phases, span(a.Window.Length)) {
		fmt.Fprintf(b, "    %s\n", line)
	}
}

// drawLengths draws the histograms of lengths that differ.
func drawLengths(b *strings.Builder, s *run.StreamPlan, pen report.Pen) {
	var blocks [][]string
	for _, l := range []struct {
		name    string
		lengths run.PlannedLengths
	}{{"input tokens of a request", s.Input}, {"output tokens of a request", s.Output}} {
		if l.lengths.Min == l.lengths.Max {
			continue
		}
		var ranges []report.Range
		for _, r := range l.lengths.Ranges {
			ranges = append(ranges, report.Range(r))
		}
		blocks = append(blocks, append([]string{l.name}, pen.Histogram(ranges)...))
	}
	if len(blocks) == 0 {
		return
	}
	lines := blocks[0]
	if len(blocks) == 2 {
		lines = report.Beside(blocks[0], blocks[1], 4)
	}
	b.WriteString("\n")
	for _, line := range lines {
		fmt.Fprintf(b, "  %s\n", line)
	}
}
