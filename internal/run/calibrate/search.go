package calibrate

// Which rate to try next, and when to stop: a function of what was tried, so
// that a calibration can be gone through without a clock.

import "math"

// A Plan says how to look for a ceiling.
type Plan struct {
	Start     float64 // the first rate
	Least     float64 // below it nothing is tried
	Precision float64 // stop when the lowest rate that broke ÷ the highest that held is no more
	Chances   int     // how often a rate must break before it counts as broken; 0 is 1
	Most      int     // probes
}

// A Try is one rate and what came of it.
type Try struct {
	Rate float64
	Held bool
	Use  float64 // of the CPU that a receipt allows; 0: not known
}

const (
	usualStep    = 2.0 // where Use says nothing
	shortestStep = 1.25
	longestUp    = 8.0
	longestDown  = 4.0
)

// Next is the rate to try after these, or none when there is no more to find.
// It goes up from what held and down from what broke in steps as long as the
// CPU in use suggests, and then halves, in logarithms, what lies between.
func Next(p Plan, tried []Try) (rate float64, more bool) {
	if len(tried) >= p.Most {
		return 0, false
	}
	if len(tried) == 0 {
		return p.Start, true
	}
	if last := tried[len(tried)-1]; !last.Held && breaks(tried, last.Rate) < p.Chances {
		return last.Rate, true
	}
	held, broke := Ceiling(tried)
	switch {
	case broke == nil:
		return held.Rate * step(1/held.Use, longestUp), true
	case held == nil:
		rate = broke.Rate / step(broke.Use, longestDown)
		return rate, rate >= p.Least
	case broke.Rate <= held.Rate*p.Precision:
		return 0, false
	}
	return math.Sqrt(held.Rate * broke.Rate), true
}

// step is a factor between the shortest and the longest.
func step(wanted, longest float64) float64 {
	if wanted <= 0 || math.IsInf(wanted, 0) {
		return usualStep
	}
	return min(max(wanted, shortestStep), longest)
}

func breaks(tried []Try, rate float64) int {
	n := 0
	for _, t := range tried {
		if t.Rate == rate && !t.Held {
			n++
		}
	}
	return n
}

// Ceiling is the highest rate that held and the lowest above it that broke;
// nil where there is none. A rate that broke below one that held met a moment
// of something else.
func Ceiling(tried []Try) (held, broke *Try) {
	for i := range tried {
		if t := &tried[i]; t.Held && (held == nil || t.Rate >= held.Rate) {
			held = t
		}
	}
	for i := range tried {
		t := &tried[i]
		if !t.Held && (held == nil || t.Rate > held.Rate) && (broke == nil || t.Rate <= broke.Rate) {
			broke = t
		}
	}
	return held, broke
}
