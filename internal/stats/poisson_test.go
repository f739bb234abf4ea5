package stats

// Each test statistic by hand or in closed form, and its chance by counting how
// often a true process does as badly.

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestExponentialDistanceByHand(t *testing.T) {
	// F(g) = 0.2, 0.3, 0.9: the empirical law is 2/3 just after 0.3.
	gaps := []float64{-math.Log(0.1), -math.Log(0.8), -math.Log(0.7)}
	d, p := ExponentialDistance(gaps, 0)
	x := (2.0/3 - 0.3) * (math.Sqrt(3) + 0.12 + 0.11/math.Sqrt(3))
	if !near(d, 2.0/3-0.3, 1e-12) || !near(p, min(1, 2*math.Exp(-2*x*x)), 1e-12) {
		t.Errorf("ExponentialDistance = %v, %v, want %v", d, p, 2.0/3-0.3)
	}
	// Beyond F(g) = 0.35 there is the last gap only, and 2/3 lie below it.
	if d, _ = ExponentialDistance(gaps, -math.Log(0.65)); !near(d, 0.9-2.0/3, 1e-12) {
		t.Errorf("ExponentialDistance of the longest = %v, want %v", d, 0.9-2.0/3)
	}
}

// The counts 2, 4, 9 have mean 5 and variance 13. With two degrees of freedom
// chi-squared is exponential: P(X > 5.2) = exp(−2.6).
func TestDispersionByHand(t *testing.T) {
	v, p := Dispersion([]float64{2, 4, 9})
	if !near(v, 2.6, 1e-12) || !near(p, 2*math.Exp(-2.6), 1e-12) {
		t.Errorf("Dispersion = %v, %v, want 2.6, %v", v, p, 2*math.Exp(-2.6))
	}
	if v, p = Dispersion([]float64{5, 5, 5}); v != 0 || p != 0 {
		t.Errorf("Dispersion of equal counts = %v, %v, want 0, 0", v, p)
	}
	if _, p = Dispersion([]float64{0, 0}); p != 1 {
		t.Errorf("Dispersion of nothing has p = %v, want 1", p)
	}
}

func TestCountsFallIntoWholeWindows(t *testing.T) {
	// At 0.5, 1.5, 1.75, 3.25 and 4.5; the window from 4 on is cut at 4.75.
	got := Counts([]float64{0.5, 1, 0.25, 1.5, 1.25}, 1, 4.75)
	want := []float64{1, 2, 0, 1}
	if len(got) != len(want) {
		t.Fatalf("Counts = %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("Counts = %v, want %v", got, want)
		}
	}
}

// Sums of Poisson chances, term by term.
func TestCountsAndWaitsHaveTheirChancesInClosedForm(t *testing.T) {
	upTo := func(n int, mean float64) float64 {
		sum, term := 0.0, math.Exp(-mean)
		for k := 0; k <= n; k++ {
			sum += term
			term *= mean / float64(k+1)
		}
		return sum
	}
	for _, c := range []struct {
		n    int
		mean float64
	}{{0, 3}, {1, 6}, {2, 9.5}, {14, 5}, {20, 12}, {9, 9}} {
		low, high := upTo(c.n, c.mean), 1.0
		if c.n > 0 {
			high = 1 - upTo(c.n-1, c.mean)
		}
		if got, want := CountP(c.n, c.mean), min(1, 2*min(low, high)); !near(got, want, 1e-12) {
			t.Errorf("CountP(%d, %v) = %v, want %v", c.n, c.mean, got, want)
		}
		if c.n == 0 {
			continue
		}
		// The nth arrival comes before the time when n or more are there by then.
		if got, want := WaitP(c.n, c.mean), min(1, 2*min(high, 1-high)); !near(got, want, 1e-12) {
			t.Errorf("WaitP(%d, %v) = %v, want %v", c.n, c.mean, got, want)
		}
	}
}

func TestAutocorrelationByHand(t *testing.T) {
	// Ranks 1/4, 3/4, 1/4, 3/4, 1/4: neighbours differ, every second is equal.
	gap := func(rank float64) float64 { return -math.Log1p(-rank) }
	gaps := []float64{gap(0.25), gap(0.75), gap(0.25), gap(0.75), gap(0.25)}
	// One apart: four products of −1/16, so −3/4, and z = −12/16·4/√4 = −1.5.
	r, p := Autocorrelation(gaps, 1)
	if !near(r, -0.75, 1e-12) || !near(p, math.Erfc(1.5/math.Sqrt2), 1e-12) {
		t.Errorf("Autocorrelation up to 1 = %v, %v, want -0.75, %v", r, p, math.Erfc(1.5/math.Sqrt2))
	}
	// Two apart: z = 12/16·√3, which is less far out.
	if r, p = Autocorrelation(gaps, 2); !near(r, -0.75, 1e-12) || !near(p, 2*math.Erfc(1.5/math.Sqrt2), 1e-12) {
		t.Errorf("Autocorrelation up to 2 = %v, %v, want -0.75 and twice the chance", r, p)
	}
}

func TestVariationByHand(t *testing.T) {
	// 400 gaps of 1: the sum of (gap − 1)² is 400 too small.
	gaps := make([]float64, 400)
	for i := range gaps {
		gaps[i] = 1
	}
	if cv, p := Variation(gaps); cv > 1e-12 || !near(p, 2*math.Exp(-400.0/18), 1e-12) {
		t.Errorf("Variation of even gaps = %v, %v, want 0, %v", cv, p, 2*math.Exp(-400.0/18))
	}
	// 0 and 3 by turns: mean 1.5, variance 9/4 · n/(n − 1).
	for i := range gaps {
		gaps[i] = float64(i%2) * 3
	}
	if cv, _ := Variation(gaps); !near(cv, math.Sqrt(400.0/399), 1e-12) {
		t.Errorf("Variation = %v, want %v", cv, math.Sqrt(400.0/399))
	}
	// Squares of 2 each: 400 too many. The bound for each longest gap c that is
	// let pass, searched in steps of a thousandth.
	for i := range gaps {
		gaps[i] = 1 + math.Sqrt2
	}
	least := 1.0
	for c := 2.0; c < 80; c += 0.001 {
		least = min(least, 400*math.Exp(-c)+math.Exp(-400*400/(2*(400*8+(c-1)*(c-1)*400/3))))
	}
	if _, p := Variation(gaps); p < 2*least || p > 3*least {
		t.Errorf("Variation of gaps with squares of 2 has p = %v, want %v or little more", p, 2*least)
	}
	// One gap of 1,001 among 400: no term of a true process is so large.
	gaps[0] = 1001
	if _, p := Variation(gaps); p > 1e-9 {
		t.Errorf("a gap of a thousand means has p = %v", p)
	}
}

// Of 20,000 true processes (seed 4) with 200 gaps, a share of 1 % should fall
// below p = 0.01, or less where p is a bound. More than 1.36 % come by chance
// in 4e-7 of such tests (5.1 standard deviations of 0.07 %); the share of an
// exact p is below 0.66 % as seldom.
func TestChancesAreWhatTheyClaim(t *testing.T) {
	const runs, n = 20_000, 200
	rng := rand.New(rand.NewPCG(4, 4))
	beyond := map[string]int{}
	gaps := make([]float64, n)
	for range runs {
		sum := 0.0
		for i := range gaps {
			gaps[i] = rng.ExpFloat64()
			sum += gaps[i]
		}
		see := func(name string, p float64) {
			if p < 0.01 {
				beyond[name]++
			}
		}
		_, p := Autocorrelation(gaps, 1)
		see("autocorrelation", p)
		_, p = Variation(gaps)
		see("variation", p)
		see("wait", WaitP(n, sum))
		_, p = Dispersion(Counts(gaps, 8, sum))
		see("dispersion", p)
		_, p = ExponentialDistance(gaps, 0)
		see("distance", p)
		count := 0
		for t := rng.ExpFloat64(); t < n; t += rng.ExpFloat64() {
			count++
		}
		see("count", CountP(count, n))
	}
	for _, name := range []string{"autocorrelation", "variation", "wait", "dispersion", "distance", "count"} {
		share := float64(beyond[name]) / runs
		if share > 0.0136 || share < 0.0066 && name != "variation" {
			t.Errorf("%s: %.2f %% of true processes have p < 0.01", name, 100*share)
		}
		t.Logf("%s: %.2f %%", name, 100*share)
	}
}
