package main

// What the attempts of one run tell: the phantom ceiling and the real one.

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
)

// An attempt is one line of the table; nil is what could not be had.
type attempt struct {
	processes          int
	status, why        string
	rate, cpu, machine *float64 // machine: all that runs on it
}

// A story has at least two attempts, of which the last one holds.
type story []attempt

// storyOf reads a run and the attempts before it. It is errNoRoom where the
// one process was not the limit, or several still were.
func storyOf(folder string) (story, error) {
	last, err := read(folder)
	if err != nil {
		return nil, err
	}
	var s story
	for i := range len(last.Attempts) - 1 {
		r, err := read(filepath.Join(folder, "attempts", strconv.Itoa(i+1)))
		if err != nil {
			return nil, err
		}
		s = append(s, attemptOf(r))
	}
	s = append(s, attemptOf(last))
	return s, s.check()
}

func attemptOf(r result) attempt {
	a := attempt{
		processes: r.Client.Processes, status: r.Verdict.Status, rate: r.Rates.Request,
		cpu: r.receipt("cpu"), machine: r.receipt("machine_cpu"),
	}
	var why []string
	for _, x := range r.Verdict.Reasons {
		why = append(why, x.Code)
	}
	a.why = strings.Join(why, ", ")
	return a
}

// check tells what is missing of a story.
func (s story) check() error {
	first, last := s[0], s[len(s)-1]
	switch {
	case last.status == "invalid":
		return fmt.Errorf("%w: %d processes were refused too (%s)", errNoRoom, last.processes, last.why)
	case last.status != "pass":
		return fmt.Errorf("the run by %d processes is %s (%s), where the embedded server gives no reason for it", last.processes, last.status, last.why)
	case len(s) < 2:
		return fmt.Errorf("%w: one process was not the limit", errNoRoom)
	case first.rate == nil || last.rate == nil || *last.rate < least**first.rate:
		return fmt.Errorf("%w: several processes did no more than one", errNoRoom)
	}
	return nil
}

// text is what is printed.
func (s story) text(p price) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nattempt\tprocesses\tverdict\trequests/s\thottest worker\tmachine\tbecause of")
	for i, a := range s {
		fmt.Fprintf(w, "%d\t%d\t%s\t%s\t%s\t%s\t%s\n", i+1, a.processes, a.status, number(a.rate, 1, ""), number(a.cpu, 100, " %"), number(a.machine, 100, " %"), a.why)
	}
	w.Flush()
	first, last := s[0], s[len(s)-1]
	phantom, real := *first.rate, *last.rate
	fmt.Fprintf(&b, "\nphantom ceiling  %.0f requests/s by %s: the client's own\n", phantom, processes(first.processes))
	fmt.Fprintf(&b, "real ceiling     %.0f requests/s by %s: %.0f %% more, from the same server\n", real, processes(last.processes), 100*(real/phantom-1))
	plan := planned(phantom, real, p)
	fmt.Fprintf(&b, "\nFor %.0f requests/s the phantom asks for %d servers where %d do: %d bought for nothing", plan.demand, plan.asked, plan.needed, plan.asked-plan.needed)
	if p.perHour > 0 {
		fmt.Fprintf(&b, ", %.0f %s a year at %g an hour", plan.yearly, p.currency, p.perHour)
	}
	b.WriteString(".\n")
	return b.String()
}

func number(v *float64, times float64, unit string) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf("%.0f%s", *v*times, unit)
}

func processes(n int) string {
	if n == 1 {
		return "1 process"
	}
	return fmt.Sprintf("%d processes", n)
}
