//go:build linux

package main

import (
	"slices"
	"testing"
)

// Three requests due at 0, 1 and 2 ms after an epoch of 1 s.
var three = []planned{{0, 0, 5, 7}, {1, 1e6, 6, 8}, {2, 2e6, 7, 9}}

func TestWhatArrivesAsPlannedIsLateByWhatItIs(t *testing.T) {
	c := hold(three, []arrived{{"run-main-2", 1e9 + 2e6 + 500, 7, 9}, {"run-main-0", 1e9 + 1000, 5, 7}, {"run-main-1", 1e9 + 1e6 + 2000, 6, 8}}, 1e9)
	if got := c.complaints(); len(got) > 0 {
		t.Errorf("complaints %q, want none", got)
	}
	if c.p50 != 0.001 || c.p99 != 0.002 || c.latest != 0.002 || c.earliestMS != 0.0005 {
		t.Errorf("%+v, want 0.001, 0.002, 0.002, 0.0005 ms", c)
	}
}

func TestEveryDifferenceIsComplainedOf(t *testing.T) {
	right := []arrived{{"r-0", 1000, 5, 7}, {"r-1", 1e6 + 1000, 6, 8}, {"r-2", 2e6 + 1000, 7, 9}}
	for want, change := range map[string]func([]arrived) []arrived{
		"1 not seen":        func(a []arrived) []arrived { return a[:2] },
		"1 not planned":     func(a []arrived) []arrived { return append(a, arrived{"r-3", 3e6, 1, 1}) },
		"1 of another size": func(a []arrived) []arrived { a[1].Words++; return a },
		"before its time":   func(a []arrived) []arrived { a[1].At = 1e6 - 1; return a },
		"late":              func(a []arrived) []arrived { a[2].At = 2e6 + 2_000_001; return a },
		"nothing came":      func([]arrived) []arrived { return nil },
	} {
		if got := hold(three, change(slices.Clone(right)), 0).complaints(); !slices.Contains(got, want) {
			t.Errorf("complaints %q, want %q", got, want)
		}
	}
	twice := hold(three, append(slices.Clone(right), right[0]), 0).complaints()
	if !slices.Equal(twice, []string{"1 not planned"}) {
		t.Errorf("one that came twice: %q", twice)
	}
}

// The p99 of 200 is the 198th: two late ones are let pass, three are not.
func TestOneInAHundredMayBeLate(t *testing.T) {
	for late, complains := range map[int]bool{2: false, 3: true} {
		var plan []planned
		var log []arrived
		for i := range int64(200) {
			plan = append(plan, planned{Seq: i, Due: i * 1e6})
			at := i*1e6 + 1000
			if i < int64(late) {
				at += 5e6
			}
			log = append(log, arrived{ID: "r-" + string(rune('0'+i/100)) + string(rune('0'+i/10%10)) + string(rune('0'+i%10)), At: at})
		}
		if got := hold(plan, log, 0).complaints(); (len(got) > 0) != complains {
			t.Errorf("%d of 200 late: complaints %q", late, got)
		}
	}
}
