// The metronome.

package arrival

import "math/rand/v2"

// openConstant is the metronome: request k is due at k/R, so the first is due
// at once. Each instant is computed from k and not from the one before: added
// gaps add up their rounding too. It draws nothing.
func openConstant(spec Spec, _ *rand.Rand) func() float64 {
	k := 0.0
	return func() float64 {
		due := k * second / spec.Rate
		k++
		return due
	}
}
