// Day and night in miniature.

package arrival

import "math/rand/v2"

// sinePieces is one turn after the other: at the window's start the rate is
// the mean and rises.
func sinePieces(s Spec, _ *rand.Rand) func() piece {
	turn := piece{length: float64(s.Period), from: s.Rate / second, to: s.Rate / second, form: wave, swing: float64(s.Amplitude)}
	return func() piece { return turn }
}

func checkSine(s Spec) error {
	switch {
	case s.Period == 0:
		return missing("period", "write period: 10m, the length of a day")
	case s.Amplitude == 0:
		return missing("amplitude", "write amplitude: 50%: the rate goes from half of traffic.rate to one and a half times it")
	case !(s.Amplitude > 0 && s.Amplitude <= 1):
		return wrong("amplitude", "is not between 0% and 100%", "write amplitude: 50%")
	}
	return nil
}

func sineMost(s Spec) float64 { return s.Rate * (1 + float64(s.Amplitude)) }
