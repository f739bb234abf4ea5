// The renewal shapes against their theory. The moments of the laws are written
// out here; the code has only their draws and distribution functions.

package arrival

import (
	"math"
	"testing"
)

// A theory is what a law with mean 1 says of its gaps.
type theory struct {
	spec              Spec
	cv, skew, surplus float64 // surplus: kurtosis − 3
}

func theories() map[string]theory {
	gamma := func(cv float64) theory {
		return theory{Spec{Shape: Gamma, Rate: 40, CV: cv}, cv, 2 * cv, 6 * cv * cv}
	}
	weibull := func(k float64) theory {
		m := func(n float64) float64 { return math.Gamma(1 + n/k) }
		mean, sd := m(1), math.Sqrt(m(2)-m(1)*m(1))
		skew := (m(3) - 3*mean*sd*sd - math.Pow(mean, 3)) / math.Pow(sd, 3)
		fourth := (m(4) - 4*m(3)*mean + 6*m(2)*mean*mean - 3*math.Pow(mean, 4)) / math.Pow(sd, 4)
		return theory{Spec{Shape: Weibull, Rate: 40, Parameters: Parameters{K: k}}, sd / mean, skew, fourth - 3}
	}
	return map[string]theory{
		"poisson": {Spec{Shape: Poisson, Rate: 40}, 1, 2, 6},
		"gamma 3": gamma(3), "gamma 0.5": gamma(0.5), "weibull 0.6": weibull(0.6), "weibull 3": weibull(3),
	}
}

// Mean and CV of independent gaps are normal around those of the law; their
// deviations are cv/√n and cv·√((cv² − cv·skew + (surplus+2)/4)/n). The lag-1
// autocorrelation is normal around 0 with 1/√n.
func TestRenewalGapsHaveTheMomentsOfTheirLawAndNoMemory(t *testing.T) {
	const n = 400_000
	for name, law := range theories() {
		g := unitGaps(law.spec, n)
		sum, squares, product := 0.0, 0.0, 0.0
		for i, x := range g {
			sum += x
			squares += (x - 1) * (x - 1)
			if i > 0 {
				product += (x - 1) * (g[i-1] - 1)
			}
		}
		mean := sum / n
		variance := squares/n - (mean-1)*(mean-1)
		if got := (mean - 1) / law.cv * math.Sqrt(n); math.Abs(got) > z {
			t.Errorf("%s: mean gap %v: z = %.2f, want |z| < %v around 1", name, mean, got, z)
		}
		spread := law.cv * math.Sqrt((law.cv*law.cv-law.cv*law.skew+(law.surplus+2)/4)/n)
		if cv := math.Sqrt(variance) / mean; math.Abs(cv-law.cv) > z*spread {
			t.Errorf("%s: gap CV %v, want %v ± %.2g", name, cv, law.cv, z*spread)
		}
		if got := product / n / (law.cv * law.cv) * math.Sqrt(n); math.Abs(got) > z {
			t.Errorf("%s: autocorrelation of the gaps: z = %.2f, want |z| < %v", name, got, z)
		}
		if got := law.spec.Law(20, "theory", 0).CV; math.Abs(got-law.cv) > 1e-9 {
			t.Errorf("%s: Law has the CV %v, want %v", name, got, law.cv)
		}
	}
}

// Kolmogorov–Smirnov: P(D√n > 2.7) = 9e-7.
func TestRenewalGapsHaveTheDistributionThatTheirLawTells(t *testing.T) {
	for name, law := range theories() {
		if d := distance(unitGaps(law.spec, 200_000), law.spec.Law(20, "theory", 0).CDF); d > 2.7 {
			t.Errorf("%s: D√n = %.2f, want < 2.7", name, d)
		}
	}
}

// A renewal process in its steady state has t requests expected in t mean
// gaps, exactly, and the variance of their number is cv²t + 1/6 + cv⁴/2 −
// skew·cv³/3 for long t (Cox, Renewal Theory, 1962, section 4.5). A process
// that began with a gap like any other would have (cv²−1)/2 more of them.
func TestCountsHaveTheMeanAndDispersionOfARenewalProcessFromTheFirstInstantOn(t *testing.T) {
	const runs = 8_000
	for name, law := range theories() {
		for _, length := range []float64{0.25, 200} {
			counts := countsOf(law.spec, runs, length)
			c2 := law.cv * law.cv
			want := c2*length + 1.0/6 + c2*c2/2 - law.skew*law.cv*c2/3
			if length < 1 {
				want = -1 // no simple formula: the mean alone
			}
			testCounts(t, name, counts, length, want)
		}
	}
}

// countsOf counts the requests of many schedules before a time in mean gaps.
func countsOf(s Spec, runs int, length float64) []float64 {
	counts := make([]float64, runs)
	for seed := range counts {
		for range Schedule(s, uint64(seed), "counts", 0, int64(length/s.Rate*second), 0) {
			counts[seed]++
		}
	}
	return counts
}

// testCounts holds mean and variance (unless below 0) of independent counts
// against theory; the errors of both come from the counts' own moments.
func testCounts(t *testing.T, name string, counts []float64, mean, variance float64) {
	t.Helper()
	n := float64(len(counts))
	sum, squares, fourths := 0.0, 0.0, 0.0
	for _, c := range counts {
		sum += c
	}
	for _, c := range counts {
		d := c - sum/n
		squares += d * d
		fourths += d * d * d * d
	}
	v := squares / n
	if got := (sum/n - mean) / math.Sqrt(v/n); math.Abs(got) > z {
		t.Errorf("%s: mean count %v: z = %.2f, want |z| < %v around %v", name, sum/n, got, z, mean)
	}
	if variance < 0 {
		return
	}
	if got := (v - variance) / math.Sqrt((fourths/n-v*v)/n); math.Abs(got) > z {
		t.Errorf("%s: variance of counts of mean %v is %v: z = %.2f, want |z| < %v around %v", name, mean, v, got, z, variance)
	}
}

// unitGaps are n gaps in mean gaps, the first request left out.
func unitGaps(s Spec, n int) []float64 {
	law := s.Law(20, "theory", 0)
	var g []float64
	last := math.NaN()
	for due := range Schedule(s, 20, "theory", 0, 0, n+1) {
		at := law.Cumulated(float64(due.At))
		if due.Seq > 0 {
			g = append(g, at-last)
		}
		last = at
	}
	return g
}
