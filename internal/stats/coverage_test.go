package stats

// Does an interval that claims 95 % hold the truth as often? On data whose
// quantiles are known: independent, AR(1), and the sojourn times of M/M/1.

import (
	"math"
	"math/rand/v2"
	"testing"
)

func independent(r *rand.Rand, v []float64) {
	for i := range v {
		v[i] = r.ExpFloat64()
	}
}

func autoregressive(r *rand.Rand, v []float64) {
	const a = 0.9
	x := r.NormFloat64()
	for i := range v {
		v[i] = x
		x = a*x + math.Sqrt(1-a*a)*r.NormFloat64()
	}
}

// queue is the sojourn times of M/M/1 with service of mean 1 and load rho,
// from a stationary start: exponential of mean 1/(1 − rho).
func queue(rho float64) func(*rand.Rand, []float64) {
	return func(r *rand.Rand, v []float64) {
		wait := 0.0
		if r.Float64() < rho {
			wait = r.ExpFloat64() / (1 - rho)
		}
		for i := range v {
			v[i] = wait + r.ExpFloat64()
			wait = max(0, v[i]-r.ExpFloat64()/rho)
		}
	}
}

// 100 runs a line, seeds (line, run). Were coverage 0.95, more than 18 misses
// of 100 would come with a chance of 5e-7 a line. least is the number of runs
// whose interval must be closed: an interval that never closes covers all.
func TestIntervalsCoverAsOftenAsTheyClaim(t *testing.T) {
	exponential := func(mean float64) func(float64) float64 {
		return func(q float64) float64 { return -mean * math.Log(1-q) }
	}
	normal := func(q float64) float64 { return math.Sqrt2 * math.Erfinv(2*q-1) }
	const runs, misses = 100, 18
	for line, c := range []struct {
		name  string
		fill  func(*rand.Rand, []float64)
		truth func(float64) float64
		n     int
		q     float64
		least int
	}{
		{"independent", independent, exponential(1), 1000, 0.5, runs},
		{"independent", independent, exponential(1), 1000, 0.9, runs},
		{"independent", independent, exponential(1), 2000, 0.99, runs},
		{"AR(1) 0.9", autoregressive, normal, 2000, 0.5, runs},
		{"AR(1) 0.9", autoregressive, normal, 4000, 0.9, runs},
		{"M/M/1 0.5", queue(0.5), exponential(2), 2000, 0.5, runs},
		{"M/M/1 0.5", queue(0.5), exponential(2), 2000, 0.9, 90},
		{"M/M/1 0.5", queue(0.5), exponential(2), 10_000, 0.99, 75},
		{"M/M/1 0.8", queue(0.8), exponential(5), 4000, 0.5, runs},
		{"M/M/1 0.8", queue(0.8), exponential(5), 8000, 0.9, 75},
		{"M/M/1 0.8", queue(0.8), exponential(5), 4000, 0.99, 0}, // open, and says so
	} {
		v := make([]float64, c.n)
		missed, closed := 0, 0
		for run := range runs {
			c.fill(rand.New(rand.NewPCG(uint64(line), uint64(run))), v)
			e := OfValues(Cut(v, Batches(c.n))).Quantile(c.q)
			if truth := c.truth(c.q); truth < e.Low || truth > e.High {
				missed++
			}
			if !math.IsInf(e.Low, -1) && !math.IsInf(e.High, 1) {
				closed++
			}
		}
		if missed > misses || closed < c.least {
			t.Errorf("%s, p%g of %d: %d of %d missed (at most %d), %d closed (at least %d)", c.name, c.q*100, c.n, missed, runs, misses, closed, c.least)
		}
		t.Logf("%s, p%g of %d: missed %d, closed %d of %d", c.name, c.q*100, c.n, missed, closed, runs)
	}
}
