//go:build linux

package main

// The table, and whether it is good.

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// A table gathers trials.
type table struct{ trials []trial }

// add takes a trial in, and tells of it while the others are still to come.
func (t *table) add(one trial, err error) error {
	if err != nil {
		return err
	}
	t.trials = append(t.trials, one)
	outcome := "right"
	switch {
	case one.impossible():
		outcome = one.Why
	case len(one.Refused) > 0:
		outcome = "refused: " + strings.Join(one.Refused, ", ")
	case one.wrong():
		outcome = "WRONG"
	}
	fmt.Fprintf(os.Stderr, "%s, seed %d (%s; %s): exit %d, %s\n", one.Kind, one.Seed, one.Strength, one.Traffic, one.Exit, outcome)
	return nil
}

// good: nothing wrong, and no healthy run refused.
func (t *table) good() bool {
	return !slices.ContainsFunc(t.trials, func(one trial) bool {
		return one.wrong() || one.Kind == healthyKind && len(one.Refused) > 0
	})
}

// A line is one kind of the table. Rightly refused are those whose numbers the
// oracle found off; the others might have passed, or were not whole.
type line struct {
	runs, impossible, refused, rightly, right, wrong int
	by                                               map[string]int
}

func (l *line) add(one trial) {
	switch {
	case one.impossible():
		l.impossible++
		return
	case len(one.Refused) > 0:
		l.refused++
		if len(failed(one.Checks)) > 0 {
			l.rightly++
		}
		for _, code := range slices.Compact(slices.Sorted(slices.Values(one.Refused))) {
			l.by[code]++
		}
	case one.wrong():
		l.wrong++
	default:
		l.right++
	}
	l.runs++
}

// String is Markdown, so that it can be copied into the documentation.
func (t *table) String() string {
	var kinds []string
	lines := map[string]*line{}
	for _, one := range t.trials {
		l := lines[one.Kind]
		if l == nil {
			l = &line{by: map[string]int{}}
			lines[one.Kind], kinds = l, append(kinds, one.Kind)
		}
		l.add(one)
	}
	var s strings.Builder
	s.WriteString("\n| adversity | runs | refused | of them found off | by | not refused, right | not refused, wrong |\n|---|---|---|---|---|---|---|\n")
	for _, kind := range kinds {
		l := lines[kind]
		by := []string{}
		for _, code := range slices.Sorted(maps.Keys(l.by)) {
			by = append(by, fmt.Sprintf("%s %d", code, l.by[code]))
		}
		name := kind
		if l.impossible > 0 {
			name += fmt.Sprintf(" (%d not possible here)", l.impossible)
		}
		fmt.Fprintf(&s, "| %s | %d | %d | %d | %s | %d | %d |\n", name, l.runs, l.refused, l.rightly, strings.Join(by, ", "), l.right, l.wrong)
	}
	for _, one := range t.trials {
		s.WriteString(one.complaint())
	}
	return s.String()
}

// complaint says what is the matter with a trial; "" when nothing is.
func (t trial) complaint() string {
	name := fmt.Sprintf("%s, seed %d (%s; %s)", t.Kind, t.Seed, t.Strength, t.Traffic)
	switch {
	case t.wrong():
		text := fmt.Sprintf("\n%s: verdict %s, but\n", name, t.Verdict)
		for _, c := range failed(t.Checks) {
			text += "  " + c.String() + "\n"
		}
		return text
	case t.Kind == healthyKind && len(t.Refused) > 0:
		return fmt.Sprintf("\n%s: refused by %s; others took %.1f%% of the machine at most\n%s\n", name, strings.Join(t.Refused, ", "), 100*t.Others, t.Why)
	}
	return ""
}
