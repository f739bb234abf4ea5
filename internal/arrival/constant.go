// The metronome.

package arrival

import "math/rand/v2"

// openConstant is the metronome: request k is due at k/R, so the first is due
// at once. Each instant is computed from k and not from the one before: added
// gaps add up their rounding too. It draws nothing.
func openConstant(s Spec, _ int64, _ draws) func() float64 {
	k := 0.0
	return func() float64 {
		due := k * second / s.Rate
		k++
		return due
	}
}

// constantGaps is the metronome as the base of a rate that changes.
func constantGaps(Spec, *rand.Rand) func() float64 {
	gap := 0.0 // the first is due at once
	return func() float64 {
		g := gap
		gap = 1
		return g
	}
}

func constantCDF(Spec) func(float64) float64 {
	return func(gap float64) float64 {
		if gap < 1 {
			return 0
		}
		return 1
	}
}
