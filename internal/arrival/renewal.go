// Renewal processes: gaps that know nothing of one another. They are shapes by
// themselves, and the base of the shapes whose rate changes.

package arrival

import "math/rand/v2"

// A renewal is a law of gaps with mean 1.
type renewal struct {
	name string
	// gaps starts the process in its steady state, so that from the first
	// instant on as many requests are expected as time has passed. The first
	// call yields the time of the first request, the later ones gaps.
	gaps func(s Spec, r *rand.Rand) func() float64
	cdf  func(s Spec) func(gap float64) float64
	cv   func(s Spec) float64
}

var renewals = []renewal{
	{Constant, constantGaps, constantCDF, func(Spec) float64 { return 0 }},
	{Poisson, poissonGaps, poissonCDF, func(Spec) float64 { return 1 }},
	{Gamma, gammaGaps, gammaCDF, gammaCV},
	{Weibull, weibullGaps, weibullCDF, weibullCV},
}

func renewalOf(name string) (renewal, bool) {
	for _, l := range renewals {
		if l.name == name {
			return l, true
		}
	}
	return renewal{}, false
}

// openRenewal is the process at a constant rate.
func openRenewal(s Spec, _ int64, draws draws) func() float64 {
	law, _ := renewalOf(s.Shape)
	gap, mean, due := law.gaps(s, draws(gapDraws)), second/s.Rate, 0.0
	return func() float64 {
		due += times(gap(), mean)
		return due
	}
}
