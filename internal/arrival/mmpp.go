// Traffic that is busy for a while and quiet for a while.

package arrival

import (
	"fmt"
	"math/rand/v2"
)

// mmppRates are the two rates: the peak, and what is left for the other state
// when the mean over both is the rate.
func mmppRates(s Spec) (on, off float64) {
	on = s.Peak.of(s.Rate)
	a, b := float64(s.On), float64(s.Off)
	return on, max(0, (times(s.Rate, a+b)-times(on, a))/b)
}

// mmppPieces stays in each state for an exponential time. It begins in the
// steady state: busy with the probability on/(on+off). The states are drawn
// apart from the gaps, so that they are the same whatever the base is.
func mmppPieces(s Spec, r *rand.Rand) func() piece {
	on, off := mmppRates(s)
	busy := times(r.Float64(), float64(s.On)+float64(s.Off)) >= float64(s.On)
	return func() piece {
		busy = !busy
		if busy {
			return flat(times(r.ExpFloat64(), float64(s.On)), on/second)
		}
		return flat(times(r.ExpFloat64(), float64(s.Off)), off/second)
	}
}

func checkMMPP(s Spec) error {
	switch on := s.Peak.of(s.Rate); {
	case s.On == 0:
		return missing("on", "write on: 5s, the mean stay at the peak")
	case s.Off == 0:
		return missing("off", "write off: 20s, the mean stay below the peak")
	case s.Peak.IsZero():
		return missing("peak", "write peak: 3x, or a rate such as 120/s")
	case on <= s.Rate:
		return wrong("peak", "is not above the rate", "write peak: 3x, or a rate above that of traffic.rate")
	case on*float64(s.On) > s.Rate*(float64(s.On)+float64(s.Off))*(1+1e-9):
		return wrong("peak", "exceeds the mean rate by itself: nothing is left for the quiet state",
			fmt.Sprintf("write at most %.4gx, or a longer off", 1+float64(s.Off)/float64(s.On)))
	}
	return nil
}
