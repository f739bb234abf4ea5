// Independent users.

package arrival

import "math/rand/v2"

// openPoisson is the open world: users who do not know of one another. Gaps
// are exponential with mean 1/R and the first one is drawn too, so that no
// request is due at a fixed instant.
func openPoisson(spec Spec, r *rand.Rand) func() float64 {
	mean, due := second/spec.Rate, 0.0
	return func() float64 {
		// The conversion keeps the compiler from fusing the product into the
		// sum, which some architectures do: the plan must not depend on them.
		due += float64(r.ExpFloat64() * mean)
		return due
	}
}
