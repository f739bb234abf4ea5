package stats

// Means and rates: batch means with Student's t.

import "math"

// MeanEstimate is the mean of the finite values with its interval by batch
// means. With fewer than two batches both ends are open.
func (s *Sample) MeanEstimate() Estimate {
	f := s.Finite()
	if f.n == 0 {
		return Estimate{Point: math.NaN(), Low: math.Inf(-1), High: math.Inf(1), Level: Level, Method: meanMethod}
	}
	e := ratio(f.sums())
	e.N, e.Effective = f.n, f.Effective()
	return e
}

const meanMethod = "batch means, Student's t"

// Ratio is Σx/Σn with its interval by batch means over time.
func Ratio(x, n []float64) Estimate {
	t := make([]total, len(x))
	for j := range x {
		t[j] = total{x[j], n[j]}
	}
	return ratio(t)
}

func ratio(t []total) Estimate {
	var x, n float64
	for _, b := range t {
		x += b.x
		n += b.n
	}
	e := Estimate{Point: x / n, Low: math.Inf(-1), High: math.Inf(1), Level: Level, N: int64(len(t)), Effective: float64(len(t)), Method: meanMethod}
	half := math.Inf(1)
	if len(t) >= 2 {
		half = 0
	}
	for len(t) >= 2 {
		v, _ := ratioVariance(t)
		half = max(half, studentT(float64(len(t)-1))*math.Sqrt(v))
		if len(t)/2 < leastBatches {
			break
		}
		t = merge(t)
	}
	e.Low, e.High = e.Point-half, e.Point+half
	return e
}
