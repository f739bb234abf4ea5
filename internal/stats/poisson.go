package stats

// Tests of a Poisson process that expects one arrival in a unit of time. The
// time of any process whose law is known can be stretched so that it becomes
// one (time rescaling), so these serve every shape of arrivals. Each returns a
// chance p: of a value as far off or farther, were the process one.

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// ExponentialDistance is the largest distance between the distribution of the
// gaps and the exponential law of mean 1 (Kolmogorov–Smirnov; p by the first
// term of its series, which is all of it where the chance is small), beyond the
// length from. It sorts the gaps.
func ExponentialDistance(gaps []float64, from float64) (d, p float64) {
	n := float64(len(gaps))
	if n == 0 {
		return math.NaN(), 1
	}
	slices.Sort(gaps)
	for i, g := range gaps {
		if g <= from {
			continue
		}
		f := -math.Expm1(-g)
		d = max(d, f-float64(i)/n, float64(i+1)/n-f)
	}
	s := math.Sqrt(n)
	x := d * (s + 0.12 + 0.11/s) // Stephens' correction for finite n
	return d, min(1, 2*math.Exp(-2*x*x))
}

// Dispersion is the variance of counts in windows of one length over their
// mean: 1 for a Poisson process of any rate, more where requests come in
// batches, less where they are spaced out. With the total given, (windows − 1)
// times it has mean and, but for 1 in total, variance of chi-squared; the mean
// count should be 5 or more.
func Dispersion(counts []float64) (value, p float64) {
	mean, sd := MeanSD(counts)
	if len(counts) < 2 || !(mean > 0) {
		return math.NaN(), 1
	}
	value = sd * sd / mean
	law := distuv.ChiSquared{K: float64(len(counts) - 1)}
	x := law.K * value
	return value, twoSided(law.CDF(x), law.Survival(x))
}

// Counts is how many arrivals fall into each whole window of that width between
// 0 and end; the first gap begins at 0.
func Counts(gaps []float64, width, end float64) []float64 {
	counts := make([]float64, int(end/width))
	t := 0.0
	for _, g := range gaps {
		t += g
		if j := int(t / width); j < len(counts) {
			counts[j]++
		}
	}
	return counts
}

// CountP is for n arrivals in a time that expects that many: the time was
// fixed and the count is Poisson.
func CountP(n int, expected float64) float64 {
	atLeast := 1.0
	if n > 0 {
		atLeast = mathext.GammaIncReg(float64(n), expected)
	}
	return twoSided(mathext.GammaIncRegComp(float64(n+1), expected), atLeast)
}

// WaitP is for the time that n gaps took: the count was fixed and the time has
// the gamma law.
func WaitP(n int, time float64) float64 {
	if n == 0 {
		return 1
	}
	return twoSided(mathext.GammaIncReg(float64(n), time), mathext.GammaIncRegComp(float64(n), time))
}

func twoSided(low, high float64) float64 { return min(1, 2*min(low, high)) }

// Autocorrelation is the largest correlation, up or down, between a gap and
// one of those that follow it, up to that many later. Correlated are the ranks
// that the law gives the gaps, which are uniform: few long gaps decide nothing,
// and the sum of products is normal already where gaps are few. p is for all
// the distances together.
func Autocorrelation(gaps []float64, upTo int) (r, p float64) {
	u := make([]float64, len(gaps))
	for i, g := range gaps {
		u[i] = -math.Expm1(-g) - 0.5
	}
	most := 0.0
	for k := 1; k <= min(upTo, len(u)-1); k++ {
		sum := 0.0
		for i, v := range u[k:] {
			sum += v * u[i]
		}
		n := float64(len(u) - k)
		z := 12 * sum / math.Sqrt(n) // the variance of a uniform number is 1/12
		if math.Abs(z) > most {
			most, r = math.Abs(z), 12*sum/n
		}
	}
	return r, min(1, float64(upTo)*math.Erfc(most/math.Sqrt2))
}

// Variation is the coefficient of variation of the gaps. Squares of exponential
// gaps have so heavy a tail that no normal law holds them where chances are
// small: p is not that chance but a bound that it can't exceed, for the sum of
// (gap − 1)², whose terms have mean 1, variance 8 and mean square 9.
func Variation(gaps []float64) (cv, p float64) {
	mean, sd := MeanSD(gaps)
	if !(mean > 0) {
		return math.NaN(), 1
	}
	n := float64(len(gaps))
	excess := -n
	for _, g := range gaps {
		excess += (g - 1) * (g - 1)
	}
	if excess <= 0 { // Bernstein's bound below, for terms that are not negative
		return sd / mean, min(1, 2*math.Exp(-excess*excess/(2*9*n)))
	}
	// Bernstein's bound above wants terms with a bound: either a gap is beyond
	// c, or all terms are below (c − 1)². The best c is among these.
	best := 1.0
	for c := math.Log(n) + 3; c < math.Log(n)+60; c++ {
		most := (c - 1) * (c - 1)
		best = min(best, n*math.Exp(-c)+math.Exp(-excess*excess/(2*(8*n+most*excess/3))))
	}
	return sd / mean, min(1, 2*best)
}
