package stats

// Trends and the laws of arrivals, by hand and on drawn processes.

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestTrendByHand(t *testing.T) {
	// y = 1, 2, 3, 5: slope 6.5/5, residuals 0.2 −0.1 −0.4 0.3, se √(0.3/2/5);
	// with two degrees of freedom P = 1 − t/√(2 + t²).
	got := TrendOf([]float64{1, 2, 3, 5})
	tt := 1.3 / math.Sqrt(0.03)
	if !near(got.Change, 3.9, 1e-12) || !near(got.P, 1-tt/math.Sqrt(2+tt*tt), 1e-9) || got.Mean != 2.75 {
		t.Errorf("TrendOf = %+v", got)
	}
	if flat := TrendOf([]float64{2, 2, 2, 2, 2}); flat.P != 1 || flat.Change != 0 {
		t.Errorf("a flat line has the trend %+v", flat)
	}
}

// Seeds are fixed; each bound is crossed by a true process with a chance of
// 1e-6 or less.
func TestArrivalLawsAreToldApart(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	exponential, uniform := make([]float64, 2000), make([]float64, 2000)
	poisson, even, twins := make([]float64, 60), make([]float64, 60), make([]float64, 60)
	for i := range exponential {
		exponential[i], uniform[i] = rng.ExpFloat64()/40, rng.Float64()/20
		poisson[rng.IntN(60)]++
		even[i%60]++
	}
	for range 200 { // ten workers with one seed: each arrival tenfold
		twins[rng.IntN(60)] += 10
	}
	if p := ExponentialP(exponential, 1.0/40); p < 1e-6 {
		t.Errorf("exponential gaps: p = %g", p)
	}
	if p := ExponentialP(uniform, 1.0/40); p > 1e-6 {
		t.Errorf("uniform gaps: p = %g", p)
	}
	for name, c := range map[string]struct {
		counts []float64
		true   bool
	}{"poisson": {poisson, true}, "even": {even, false}, "twins": {twins, false}} {
		if p := DispersionP(c.counts); p < 1e-6 == c.true {
			t.Errorf("%s counts: p = %g", name, p)
		}
	}
}
