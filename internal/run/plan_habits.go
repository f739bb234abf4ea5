package run

// What a stream does beside its rate, in words: pauses, ramps, ceilings and
// clients that hang up.

import (
	"fmt"
	"iter"
	"strings"
	"time"

	"assay/internal/contract"
	"assay/internal/unit"
)

// A PlannedHabit is one of them: a name and a sentence.
type PlannedHabit struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

func habits(s *contract.Stream) []PlannedHabit {
	var list []PlannedHabit
	for _, h := range []PlannedHabit{
		{"think", thinkText(&s.Traffic)}, {"ramp", rampText(&s.Traffic)},
		{"ceiling", ceilingText(&s.Traffic)}, {"cancel", cancelText(s.Traffic.Cancel)},
	} {
		if h.Text != "" {
			list = append(list, h)
		}
	}
	return list
}

func thinkText(t *contract.Traffic) string {
	if t.Think.IsZero() {
		return ""
	}
	mean := t.Think.Mean()
	text := fmt.Sprintf("%s (mean %s) from the end of a request to the next, so at most %.4g requests/s",
		t.Think, unit.Duration(mean.Round(time.Millisecond)), float64(t.Slots())/mean.Seconds())
	if t.Users > 0 {
		text += "; at the start each user is somewhere in a pause"
	}
	return text
}

func rampText(t *contract.Traffic) string {
	if t.Ramp == 0 {
		return ""
	}
	text := fmt.Sprintf("slots open one after another over %s", t.Ramp)
	if t.Warmup == nil {
		return text
	}
	if last := rampAt(int64(t.Ramp), t.Concurrency-1, t.Concurrency) - int64(*t.Warmup); last > 0 {
		text += fmt.Sprintf("; the last %s into the window", unit.Duration(time.Duration(last).Round(time.Millisecond)))
	}
	return text
}

func ceilingText(t *contract.Traffic) string {
	var bounds []string
	if t.MaxInFlight > 0 {
		bounds = append(bounds, fmt.Sprintf("%d in flight", t.MaxInFlight))
	}
	if t.MaxPrefill > 0 {
		bounds = append(bounds, fmt.Sprintf("%d without a first token", t.MaxPrefill))
	}
	if len(bounds) == 0 {
		return ""
	}
	return "at most " + strings.Join(bounds, " and ") + "; what is held back is counted, and its wait is in ttft_due"
}

func cancelText(c contract.Cancel) string {
	switch {
	case c.Fraction == 0:
		return ""
	case c.AfterTokens == 1:
		return fmt.Sprintf("%s of the requests, drawn by the seed, are given up at their first token", c.Fraction)
	case c.AfterTokens > 0:
		return fmt.Sprintf("%s of the requests, drawn by the seed, are given up after %d tokens", c.Fraction, c.AfterTokens)
	}
	return fmt.Sprintf("%s of the requests, drawn by the seed, are given up %s after their release, unless they are over by then", c.Fraction, c.After)
}

// loopText is a closed loop in words; "" for an open one.
func loopText(t *contract.Traffic) string {
	switch {
	case t.Users > 0:
		return fmt.Sprintf("closed loop, %d users", t.Users)
	case t.Concurrency > 0:
		return fmt.Sprintf("closed loop, %d at a time", t.Concurrency)
	}
	return ""
}

// marked are the requests with those marked that are given up.
func marked(s *contract.Stream, seed uint64, requests iter.Seq[PlannedRequest]) iter.Seq[PlannedRequest] {
	cancel := cancelOf(s, seed)
	if cancel == nil {
		return requests
	}
	return func(yield func(PlannedRequest) bool) {
		for r := range requests {
			c := cancel(r.Seq)
			r.CancelAfterNS, r.CancelAfterTokens = c.After, c.Tokens
			if !yield(r) {
				return
			}
		}
	}
}
