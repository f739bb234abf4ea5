// A crowd that comes at once, stays and leaves again.

package arrival

import (
	"fmt"
	"math"
	"math/rand/v2"

	"assay/internal/unit"
)

// flashPieces is the base rate with a crowd at each of the stated times: up to
// the peak in a straight line, held, down again. Outside of them the rate is
// the base, nothing else.
func flashPieces(s Spec, _ *rand.Rand) func() piece {
	base, peak := s.Rate/second, s.Peak.of(s.Rate)/second
	now, crowd, step := 0.0, 0, 0
	return func() piece {
		at, more := s.crowd(crowd)
		if !more {
			return flat(math.Inf(1), base)
		}
		step++
		p := piece{}
		switch step {
		case 1:
			p = flat(at-now, base)
		case 2:
			p = piece{length: float64(s.Rise), from: base, to: peak}
		case 3:
			p = flat(float64(s.Hold), peak)
		default:
			p = piece{length: float64(s.Decay), from: peak, to: base}
			crowd, step = crowd+1, 0
		}
		now += p.length
		return p
	}
}

// crowd is when number n begins, in ns from the window's start.
func (s Spec) crowd(n int) (at float64, more bool) {
	if s.Every > 0 {
		return float64(n+1) * float64(s.Every), true
	}
	if n < len(s.At) {
		return float64(s.At[n]), true
	}
	return 0, false
}

// flashCount counts crowds as a whole, also one that the window's end cuts.
func flashCount(s Spec, warmup, window int64) float64 {
	crowds := float64(len(s.At))
	if s.Every > 0 {
		crowds = math.Floor(float64(window) / float64(s.Every))
	}
	extra := (s.Peak.of(s.Rate) - s.Rate) * (float64(s.Hold) + float64(s.Rise+s.Decay)/2)
	return (s.Rate*(float64(warmup)+float64(window)) + crowds*extra) / second
}

func checkFlash(s Spec) error {
	whole := s.Rise + s.Hold + s.Decay
	switch {
	case s.Peak.IsZero():
		return missing("peak", "write peak: 10x, or a rate such as 400/s")
	case s.Peak.of(s.Rate) <= s.Rate:
		return wrong("peak", "is not above the rate", "write peak: 10x, or a rate above that of traffic.rate")
	case whole == 0:
		return missing("hold", "write hold: 20s, and rise and decay where they are not 0s")
	case s.Every > 0 && len(s.At) > 0:
		return wrong("every", "excludes at, which is given too", "drop every or at")
	case s.Every == 0 && len(s.At) == 0:
		return missing("at", "write at: [30s], from the window's start, or every: 2m")
	case s.Every > 0 && s.Every < whole:
		return wrong("every", fmt.Sprintf("comes again before the last crowd has left after %s", whole), "write "+whole.String()+" or more")
	}
	for i, at := range s.At {
		if i > 0 && at < s.At[i-1]+whole {
			earliest := unit.Duration(s.At[i-1] + whole)
			return wrong("at", fmt.Sprintf("has a crowd at %s before the last one has left at %s", at, earliest), "write the times in order, each "+whole.String()+" after the one before")
		}
	}
	return nil
}
