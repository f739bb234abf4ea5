// What a length can be drawn from.

package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// laws is the table of lengths with two parameters. below is the share of
// draws that are less than x tokens once they are rounded.
var laws = []struct {
	name  string
	check func(a, b float64) string // what is wrong, "" if nothing
	draw  func(a, b float64, r *rand.Rand) float64
	mean  func(a, b float64) float64
	below func(x, a, b float64) float64
}{
	{"uniform", checkUniform, drawUniform, func(a, b float64) float64 { return (a + b) / 2 }, uniformBelow},
	{"normal", checkSpread, drawNormal, firstIsMean, normalBelow},
	{"lognormal", checkSpread, drawLognormal, firstIsMean, lognormalBelow},
	{"zipf", checkZipf, drawZipf, zipfMean, zipfBelow},
}

// The laws of lengths. Products that enter a sum are converted to float64, so
// that no compiler fuses the two: a plan must not depend on the architecture.

func checkTokens(n float64) string {
	if !(n >= 1 && n <= MaxTokens) {
		return fmt.Sprintf("%v tokens is not between 1 and %d", n, MaxTokens)
	}
	return ""
}

func checkUniform(a, b float64) string {
	switch {
	case checkTokens(a) != "":
		return checkTokens(a)
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

func uniformBelow(x, a, b float64) float64 { return min(max((x-a)/(b-a+1), 0), 1) }

func checkSpread(mean, sd float64) string {
	if wrong := checkTokens(mean); wrong != "" {
		return wrong
	}
	if !(sd >= 0 && sd <= MaxTokens) {
		return "the second number is the standard deviation: 0 or more, in tokens"
	}
	return ""
}

func firstIsMean(mean, _ float64) float64 { return mean }

func drawNormal(mean, sd float64, r *rand.Rand) float64 {
	return mean + float64(sd*r.NormFloat64())
}

// What is less than x - half rounds to less than x.
const half = 0.5

func normalBelow(x, mean, sd float64) float64 { return gaussBelow(x-half, mean, sd) }

func gaussBelow(x, mean, sd float64) float64 {
	if sd == 0 {
		if mean < x {
			return 1
		}
		return 0
	}
	return math.Erfc((mean-x)/sd/math.Sqrt2) / 2
}

func drawLognormal(mean, sd float64, r *rand.Rand) float64 {
	mu, sigma := logParameters(mean, sd)
	return math.Exp(mu + float64(sigma*r.NormFloat64()))
}

func lognormalBelow(x, mean, sd float64) float64 {
	if x <= half {
		return 0
	}
	mu, sigma := logParameters(mean, sd)
	return gaussBelow(math.Log(x-half), mu, sigma)
}

// logParameters returns mean and standard deviation of the logarithm of a
// lognormal variable whose own mean and standard deviation are given, which is
// how people know the lengths of their requests.
func logParameters(mean, sd float64) (mu, sigma float64) {
	v := math.Log1p((sd / mean) * (sd / mean))
	return math.Log(mean) - v/2, math.Sqrt(v)
}
