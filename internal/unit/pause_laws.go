// The laws of pauses: draws, means, and the length of the pause that a random
// instant falls into, whose density is x·f(x)/mean.

package unit

import (
	"math"
	"math/rand/v2"
)

func first(a, _ float64) float64 { return a }

func wrongMean(a, b float64) string {
	switch {
	case a <= 0:
		return "is no pause"
	case a > longestPause || b > longestPause:
		return "is longer than 1000h"
	}
	return ""
}

func wrongEnds(a, b float64) string {
	switch {
	case b < a:
		return "ends before it begins"
	case b == 0:
		return "is no pause"
	case b > longestPause:
		return "is longer than 1000h"
	}
	return ""
}

func uniform(a, b float64, r *rand.Rand) float64 { return a + (b-a)*r.Float64() }

// biasedUniform inverts (x² − a²)/(b² − a²).
func biasedUniform(a, b float64, r *rand.Rand) float64 {
	return math.Sqrt(a*a + (b*b-a*a)*r.Float64())
}

func exponential(a, _ float64, r *rand.Rand) float64 { return a * r.ExpFloat64() }

// biasedExponential is the sum of two: x·e^−x is the density of a gamma law.
func biasedExponential(a, _ float64, r *rand.Rand) float64 {
	return a * (r.ExpFloat64() + r.ExpFloat64())
}

// logOf is mean and variance of the logarithm of a lognormal law of this mean
// and standard deviation.
func logOf(a, b float64) (mu, v float64) {
	v = math.Log1p((b / a) * (b / a))
	return math.Log(a) - v/2, v
}

func lognormal(a, b float64, r *rand.Rand) float64 {
	mu, v := logOf(a, b)
	return math.Exp(mu + math.Sqrt(v)*r.NormFloat64())
}

// biasedLognormal: a factor x moves the logarithm by its variance.
func biasedLognormal(a, b float64, r *rand.Rand) float64 {
	mu, v := logOf(a, b)
	return math.Exp(mu + v + math.Sqrt(v)*r.NormFloat64())
}

func normal(a, b float64, r *rand.Rand) float64 { return max(0, a+b*r.NormFloat64()) }

// normalMean is the mean of max(0, X): a·Φ(a/b) + b·φ(a/b).
func normalMean(a, b float64) float64 {
	if b == 0 {
		return a
	}
	return a*below(a/b) + b*density(a/b)
}

// biasedNormal inverts ∫ x·f(x) from 0, which is a·(Φ(z) − Φ(z₀)) − b·(φ(z) − φ(z₀))
// with z = (x−a)/b, z₀ = −a/b, by halving: a draw a user, once.
func biasedNormal(a, b float64, r *rand.Rand) float64 {
	u := r.Float64()
	if b == 0 {
		return a
	}
	z0 := -a / b
	upTo := func(z float64) float64 { return a*(below(z)-below(z0)) - b*(density(z)-density(z0)) }
	low, high := z0, 40.0 // nothing a float64 can tell lies beyond
	want := u * upTo(high)
	for range 64 {
		if mid := (low + high) / 2; upTo(mid) < want {
			low = mid
		} else {
			high = mid
		}
	}
	return a + b*(low+high)/2
}

func below(z float64) float64   { return math.Erfc(-z/math.Sqrt2) / 2 }
func density(z float64) float64 { return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) }
