//go:build linux

package main

// The table: what was measured, what was wanted, and how it stands. Beside it
// how busy the machine was with other things, since that is what makes numbers
// differ from one run to the next.

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// A row is one number. Want is "" for a number that stands beside.
type row struct {
	what, value, want string
	met               bool
}

type table struct {
	rows  []row
	notes []string
}

// below is a row whose value must not exceed limit.
func (t *table) below(what, format string, value, limit float64) {
	t.rows = append(t.rows, row{what, fmt.Sprintf(format, value), "≤ " + fmt.Sprintf(format, limit), value <= limit})
}

// above is a row whose value must reach limit.
func (t *table) above(what, format string, value, limit float64) {
	t.rows = append(t.rows, row{what, fmt.Sprintf(format, value), "≥ " + fmt.Sprintf(format, limit), value >= limit})
}

// say is a row without a target.
func (t *table) say(what, format string, values ...any) {
	t.rows = append(t.rows, row{what: what, value: fmt.Sprintf(format, values...)})
}

// note says what the machine did beside a measurement.
func (t *table) note(name string, before, after occupation) {
	d := after.since(before)
	t.notes = append(t.notes, fmt.Sprintf("%s: machine %.0f%% busy, %.1f%% stolen", name, 100*d.busy/d.all, 100*d.steal/d.all))
}

// String is Markdown, so that it can be copied into the documentation.
func (t *table) String() string {
	var s strings.Builder
	s.WriteString("\n| what | measured | target | |\n|---|---|---|---|\n")
	for _, r := range t.rows {
		verdict := ""
		switch {
		case r.want != "" && r.met:
			verdict = "met"
		case r.want != "":
			verdict = "**missed**"
		}
		fmt.Fprintf(&s, "| %s | %s | %s | %s |\n", r.what, r.value, r.want, verdict)
	}
	fmt.Fprintf(&s, "\n%s\n", strings.Join(t.notes, "; "))
	return s.String()
}

// An occupation is the time of all cores so far, in ticks.
type occupation struct{ all, busy, steal float64 }

func (o occupation) since(b occupation) occupation {
	return occupation{max(1, o.all-b.all), o.busy - b.busy, o.steal - b.steal}
}

// busy reads the first line of /proc/stat: user nice system idle iowait irq
// softirq steal.
func busy() occupation {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return occupation{}
	}
	var v [8]float64
	line, _, _ := strings.Cut(string(text), "\n")
	for i, field := range strings.Fields(line)[1:] {
		if i < len(v) {
			fmt.Sscan(field, &v[i])
		}
	}
	var o occupation
	for i, n := range v {
		o.all += n
		if i != 3 && i != 4 {
			o.busy += n
		}
	}
	o.steal = v[7]
	return o
}

// machine is the line above the table.
func machine() string {
	cpu := "unknown CPU"
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.SplitSeq(string(text), "\n") {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				cpu = strings.TrimSpace(value)
				break
			}
		}
	}
	var u unix.Utsname
	_ = unix.Uname(&u) // without a name the line is shorter
	var cores unix.CPUSet
	_ = unix.SchedGetaffinity(0, &cores)
	load, _ := os.ReadFile("/proc/loadavg")
	return fmt.Sprintf("%d × %s, Linux %s; load before: %s\n", cores.Count(), cpu, unix.ByteSliceToString(u.Release[:]),
		strings.Join(strings.Fields(string(load))[:min(3, len(strings.Fields(string(load))))], " "))
}

// settle waits, two minutes at most, until few ports are at rest after their
// connections: finding a free one among many costs more than a request.
func settle(ctx context.Context) {
	for range 120 {
		text, err := os.ReadFile("/proc/net/sockstat")
		_, rest, ok := strings.Cut(string(text), " tw ")
		var resting int
		if _, scanned := fmt.Sscan(rest, &resting); err != nil || !ok || scanned != nil || resting < 5000 || ctx.Err() != nil {
			return
		}
		time.Sleep(time.Second)
	}
}
