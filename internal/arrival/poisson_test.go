// Poisson is the shape that others are judged by: gaps and counts are held
// against theory.

package arrival

import (
	"math"
	"sort"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// A statistic beyond z is as unlikely as 1e-6, both sides together; the seed
// is fixed, so the tests cannot flake.
const z = 4.892

// dueTimes returns n due times at the rate, in seconds.
func dueTimes(rate float64, n int) []float64 {
	var at []float64
	for due := range Schedule(Spec{Shape: Poisson, Rate: rate}, 20, "theory", 0, 0, n) {
		at = append(at, float64(due.At)/second)
	}
	return at
}

func gaps(at []float64) []float64 {
	g := make([]float64, len(at))
	last := 0.0
	for i, t := range at {
		g[i], last = t-last, t
	}
	return g
}

// For exponential gaps the sample's mean and coefficient of variation are both
// normal around 1/R and 1 with relative standard deviation 1/√n.
func TestPoissonGapsHaveTheMeanAndVariationOfTheory(t *testing.T) {
	const n, rate = 200_000, 40.0
	sum, squares := 0.0, 0.0
	for _, g := range gaps(dueTimes(rate, n)) {
		sum += g
		squares += g * g
	}
	mean := sum / n
	if got := (mean*rate - 1) * math.Sqrt(n); math.Abs(got) > z {
		t.Errorf("mean gap = %v s: z = %.2f, want |z| < %v around %v", mean, got, z, 1/rate)
	}
	cv := math.Sqrt(squares/n-mean*mean) / mean
	if got := (cv - 1) * math.Sqrt(n); math.Abs(got) > z {
		t.Errorf("gap CV = %v: z = %.2f, want |z| < %v around 1", cv, got, z)
	}
}

// Kolmogorov–Smirnov against the exponential law: P(D√n > 2.7) = 2exp(−2·2.7²)
// = 9e-7.
func TestPoissonGapsAreExponential(t *testing.T) {
	const n, rate = 200_000, 40.0
	g := gaps(dueTimes(rate, n))
	sort.Float64s(g)
	d := 0.0
	for i, x := range g {
		f := -math.Expm1(-x * rate)
		d = max(d, math.Abs(f-float64(i)/n), math.Abs(f-float64(i+1)/n))
	}
	if got := d * math.Sqrt(n); got > 2.7 {
		t.Errorf("D√n = %.2f, want < 2.7", got)
	}
}

// The index of dispersion of counts in windows of 50 ms, 1 s and 30 s: gaps
// that are exponential one by one but not independent would pass the tests
// above and fail this one. (m−1)·variance/mean is chi-square with m−1 degrees
// of freedom; both tails together 1e-6.
func TestPoissonCountsHaveTheDispersionOfTheory(t *testing.T) {
	const n, rate = 200_000, 40.0
	at := dueTimes(rate, n)
	for _, width := range []float64{0.05, 1, 30} {
		windows := int(at[n-1] / width) // whole ones only
		counts := make([]float64, windows)
		for _, t := range at {
			if w := int(t / width); w < windows {
				counts[w]++
			}
		}
		total, statistic := 0.0, 0.0
		for _, c := range counts {
			total += c
		}
		mean := total / float64(windows)
		for _, c := range counts {
			statistic += (c - mean) * (c - mean) / mean
		}
		law := distuv.ChiSquared{K: float64(windows - 1)}
		if p := law.CDF(statistic); p < 5e-7 || p > 1-5e-7 {
			t.Errorf("windows of %v s: dispersion %.4f has p = %.2g, want within the middle 1 − 1e-6",
				width, statistic/float64(windows-1), p)
		}
	}
}

// The first gap is a gap like any other: over many streams its mean is 1/R.
func TestTheFirstGapIsDrawnToo(t *testing.T) {
	const streams = 20_000
	sum := 0.0
	for seed := range uint64(streams) {
		for due := range Schedule(Spec{Shape: Poisson, Rate: 10}, seed, "main", 0, 0, 1) {
			sum += float64(due.At) / second
		}
	}
	if got := (sum/streams*10 - 1) * math.Sqrt(streams); math.Abs(got) > z {
		t.Errorf("mean of the first gap: z = %.2f, want |z| < %v around 0.1 s", got, z)
	}
}
