// Independent users.

package arrival

import (
	"math"
	"math/rand/v2"
)

// poissonGaps is the open world: users who do not know of one another. Gaps
// are exponential and the first one is drawn too, so that no request is due at
// a fixed instant.
func poissonGaps(_ Spec, r *rand.Rand) func() float64 { return r.ExpFloat64 }

func poissonCDF(Spec) func(float64) float64 {
	return func(gap float64) float64 { return -math.Expm1(-max(0, gap)) }
}
