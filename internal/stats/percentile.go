package stats

// Percentiles are order statistics, nearest rank: a value that was measured.

import (
	"math"
	"slices"
)

// Rank is the nearest rank of quantile q among n values, 1…n: ceil(q·n), where
// a product that is whole but for the noise of binary fractions counts as whole.
func Rank(q float64, n int64) int64 {
	r := int64(math.Ceil(q * float64(n) * (1 - 1e-12)))
	return max(1, min(r, n))
}

// Percentile is the order statistic of quantile q. It sorts values. NaN when
// there are none.
func Percentile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	return values[Rank(q, int64(len(values)))-1]
}

// MeanSD is the mean and the standard deviation (n − 1). The deviation of one
// value is NaN, and so is the mean of none.
func MeanSD(values []float64) (mean, sd float64) {
	n := float64(len(values))
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	for _, v := range values {
		mean += v / n
	}
	var ss float64
	for _, v := range values {
		ss += (v - mean) * (v - mean)
	}
	if n < 2 {
		return mean, math.NaN()
	}
	return mean, math.Sqrt(ss / (n - 1))
}
