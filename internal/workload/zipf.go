// Zipf's law: of whole numbers up to a largest, k comes in proportion to
// 1/k^s. Of lengths it makes most short and a few very long; of the members of
// a pool it makes a few popular.

package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// maxExponent is where every draw but one in a thousand is already 1.
const maxExponent = 10

func checkZipf(s, largest float64) string {
	switch {
	case !(s > 0 && s <= maxExponent):
		return fmt.Sprintf("the first number is the exponent: above 0, at most %d", maxExponent)
	case checkTokens(largest) != "" || largest != math.Trunc(largest):
		return fmt.Sprintf("the second number is the largest length: whole tokens, from 1 to %d", MaxTokens)
	}
	return ""
}

// drawZipf draws exactly, for every exponent above 0 and without a table, by
// rejection-inversion (Hörmann and Derflinger, ACM TOMACS 6(3), 1996): the
// integral of x^-s is inverted, and the few points between the integral and
// the steps of the law are drawn again.
func drawZipf(s, largest float64, r *rand.Rand) float64 {
	top, bottom := zipfIntegral(largest+half, s), zipfIntegral(1+half, s)-1
	sure := 2 - zipfInverse(zipfIntegral(2+half, s)-math.Pow(2, -s), s)
	for {
		u := top + float64(r.Float64()*(bottom-top))
		x := zipfInverse(u, s)
		k := min(max(math.Floor(x+half), 1), largest)
		if k-x <= sure || u >= zipfIntegral(k+half, s)-math.Pow(k, -s) {
			return k
		}
	}
}

// zipfIntegral is the integral of t^-s from 1 to x, also where s is 1.
func zipfIntegral(x, s float64) float64 {
	log := math.Log(x)
	return log * ratio(math.Expm1, (1-s)*log)
}

// zipfInverse is the x at which zipfIntegral is y.
func zipfInverse(y, s float64) float64 {
	return math.Exp(y * ratio(math.Log1p, max((1-s)*y, -1)))
}

// ratio is f(x)/x for functions that are x + o(x) at 0.
func ratio(f func(float64) float64, x float64) float64 {
	if math.Abs(x) < 1e-12 {
		return 1
	}
	return f(x) / x
}

func zipfMean(s, largest float64) float64 {
	return powerSum(largest, s-1) / powerSum(largest, s)
}

func zipfBelow(x, s, largest float64) float64 {
	if x <= 1 {
		return 0
	}
	return powerSum(min(x-1, largest), s) / powerSum(largest, s)
}

// powerSum is the sum of k^-s for k from 1 to n: term by term up to a hundred,
// by the formula of Euler and Maclaurin beyond. What the formula leaves out is
// of the order of 100^(-s-3), below what a float64 holds of the sum.
func powerSum(n, s float64) float64 {
	const exact = 100
	sum := 0.0
	for k := 1.0; k <= min(n, exact); k++ {
		sum += math.Pow(k, -s)
	}
	if n <= exact {
		return sum
	}
	a, b := math.Pow(exact, -s), math.Pow(n, -s)
	slope := s / 12 * (a/exact - b/n)
	return sum + (zipfIntegral(n, s) - zipfIntegral(exact, s)) + (b-a)/2 + slope
}
