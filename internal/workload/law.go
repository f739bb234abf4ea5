// What a length can be drawn from.

package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// The laws of lengths. Products that enter a sum are converted to float64, so
// that no compiler fuses the two: a plan must not depend on the architecture.

func checkUniform(a, b float64) string {
	switch {
	case a != math.Trunc(a) || b != math.Trunc(b):
		return "both ends are whole numbers of tokens"
	case !(b >= a && b <= MaxTokens):
		return fmt.Sprintf("the second number is the upper end: not below the first, nor above %d", MaxTokens)
	}
	return ""
}

// drawUniform is each whole number from a to b, both included, equally often.
func drawUniform(a, b float64, r *rand.Rand) float64 {
	return a + float64(r.Int64N(int64(b-a)+1))
}

func checkSpread(_, sd float64) string {
	if !(sd >= 0 && sd <= MaxTokens) {
		return "the second number is the standard deviation: 0 or more, in tokens"
	}
	return ""
}

func drawNormal(mean, sd float64, r *rand.Rand) float64 {
	return mean + float64(sd*r.NormFloat64())
}

func drawLognormal(mean, sd float64, r *rand.Rand) float64 {
	mu, sigma := logParameters(mean, sd)
	return math.Exp(mu + float64(sigma*r.NormFloat64()))
}

// logParameters returns mean and standard deviation of the logarithm of a
// lognormal variable whose own mean and standard deviation are given, which is
// how people know the lengths of their requests.
func logParameters(mean, sd float64) (mu, sigma float64) {
	v := math.Log1p((sd / mean) * (sd / mean))
	return math.Log(mean) - v/2, math.Sqrt(v)
}
