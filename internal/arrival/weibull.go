// Gaps with a longer or a shorter tail than chance has: what traces of
// production are often fitted with.

package arrival

import (
	"math"
	"math/rand/v2"
)

// Exponents beyond these can't be told from a constant rate, or have gaps of
// mean 1 that are nearly all nothing.
const (
	leastK = 0.2
	mostK  = 50.0
)

// weibullK is the exponent k: given, or the one whose law has the cv.
func weibullK(s Spec) float64 {
	if s.K > 0 {
		return s.K
	}
	low, high := leastK, mostK
	for range 100 { // cv falls as k grows; by then the two are neighbours
		k := (low + high) / 2
		if cvOfK(k) > s.CV {
			low = k
		} else {
			high = k
		}
	}
	return high
}

func weibullCV(s Spec) float64 {
	if s.K > 0 {
		return cvOfK(s.K)
	}
	return s.CV
}

// cvOfK is √(Γ(1+2/k)/Γ(1+1/k)² − 1).
func cvOfK(k float64) float64 {
	return math.Sqrt(expm1(lnGamma(1+2/k) - 2*lnGamma(1+1/k)))
}

// weibullGaps draws gaps of mean 1: E^(1/k) of an exponential E, divided by
// its mean Γ(1+1/k). In the steady state the time to the first request is a
// uniform part of a gap as long as the one that an instant taken at random
// falls into; the k-th power of such a gap has the gamma law of 1+1/k.
func weibullGaps(s Spec, r *rand.Rand) func() float64 {
	k := weibullK(s)
	scale, first := exp(-lnGamma(1+1/k)), true
	return func() float64 {
		if first {
			first = false
			n := normal{r: r}
			long := n.gamma(1 + 1/k)
			return times(times(r.Float64(), exp(ln(long)/k)), scale)
		}
		e := r.ExpFloat64()
		if e == 0 {
			return 0
		}
		return times(exp(ln(e)/k), scale)
	}
}

func weibullCDF(s Spec) func(float64) float64 {
	k := weibullK(s)
	mean := math.Gamma(1 + 1/k)
	return func(gap float64) float64 { return -math.Expm1(-math.Pow(max(0, gap)*mean, k)) }
}
