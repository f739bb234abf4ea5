// From one rate to another.

package arrival

import (
	"math"
	"math/rand/v2"
	"slices"
)

// rampPieces goes from one rate to the other and stays there.
func rampPieces(s Spec, _ *rand.Rand) func() piece {
	from, to, over := float64(s.From)/second, float64(s.To)/second, float64(s.Over)
	step := 0
	return func() piece {
		step++
		switch {
		case s.Form == Steps && step <= s.Steps:
			part := float64(step-1) / float64(s.Steps-1) // the first is from, the last is to
			return flat(over/float64(s.Steps), from+times(part, to-from))
		case s.Form == Exponential && step == 1:
			return piece{length: over, from: from, to: to, form: powers}
		case s.Form != Steps && step == 1:
			return piece{length: over, from: from, to: to}
		}
		return flat(math.Inf(1), to)
	}
}

func checkRamp(s Spec) error {
	forms := []string{Linear, Exponential, Steps}
	switch {
	case s.From == 0 && s.To == 0:
		return missing("to", "write from: 1/s and to: 40/s")
	case s.Over == 0:
		return missing("over", "write over: 60s, how long it takes; by default the window's duration")
	case !oneOf(s.Form, append(forms, "")):
		return unknown("form", s.Form, forms)
	case s.Form == Exponential && (s.From == 0 || s.To == 0):
		return wrong("form", "exponential knows no rate of zero", "write from: and to: above 0/s, or form: linear")
	case s.Form == Steps && (s.Steps < 2 || s.Steps > 10_000):
		return missing("steps", "write steps: 5, from 2 to 10000")
	case s.Form != Steps && s.Steps != 0:
		return wrong("steps", "is for form: steps", "drop it, or write form: steps")
	}
	return nil
}

func oneOf(word string, words []string) bool { return slices.Contains(words, word) }

func rampMost(s Spec) float64 { return max(float64(s.From), float64(s.To)) }

func rampMean(s Spec) float64 { return (float64(s.From) + float64(s.To)) / 2 }
