package stats

// Percentiles and means against cases by hand and a second, naive computation.

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func near(a, b, tolerance float64) bool {
	return a == b || math.Abs(a-b) <= tolerance*max(math.Abs(a), math.Abs(b), 1e-300)
}

func TestRankIsTheNearestRankWithoutTheNoiseOfBinaryFractions(t *testing.T) {
	for _, c := range []struct {
		q    float64
		n    int64
		want int64
	}{
		{0.5, 1, 1}, {0.5, 2, 1}, {0.5, 3, 2}, {0.99, 100, 99}, {0.99, 101, 100}, {0.07, 100, 7}, {0.29, 100, 29},
		{0.999, 1000, 999}, {0.999, 10, 10}, {0.01, 5, 1}, {0.57, 100, 57}, {0.95, 20, 19},
	} {
		if got := Rank(c.q, c.n); got != c.want {
			t.Errorf("Rank(%g, %d) = %d, want %d", c.q, c.n, got, c.want)
		}
	}
}

func TestPercentileIsTheLeastValueThatEnoughDoNotExceed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-50, 50), 1, 60).Draw(t, "values")
		hundredths := rapid.IntRange(1, 99).Draw(t, "percentile")
		got := Percentile(slices.Clone(values), float64(hundredths)/100)
		// The definition, in whole numbers: 100 · #{v ≤ x} ≥ p · n.
		want := math.Inf(1)
		for _, x := range values {
			atMost := 0
			for _, v := range values {
				if v <= x {
					atMost++
				}
			}
			if 100*atMost >= hundredths*len(values) {
				want = min(want, x)
			}
		}
		if got != want {
			t.Errorf("p%d of %v = %g, want %g", hundredths, values, got, want)
		}
	})
}

func TestMeanSDByHand(t *testing.T) {
	mean, sd := MeanSD([]float64{2, 4, 4, 4, 5, 5, 7, 9})
	if mean != 5 || !near(sd, math.Sqrt(32.0/7), 1e-15) {
		t.Errorf("MeanSD = %g, %g, want 5, √(32/7)", mean, sd)
	}
	if _, sd := MeanSD([]float64{3}); !math.IsNaN(sd) {
		t.Errorf("the deviation of one value = %g, want NaN", sd)
	}
}

func TestMeanEstimateByHand(t *testing.T) {
	// Batch means 1, 2, 3, 6 of four values each: mean 3, their deviation is
	// √(14/3), half width t₃ · √(14/3)/√4.
	s := OfValues([][]float64{{1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}, {6, 6, 6, 6}})
	e := s.MeanEstimate()
	half := 3.182446305 * math.Sqrt(14.0/3) / 2
	if e.Point != 3 || !near(e.High, 3+half, 1e-9) || !near(e.Low, 3-half, 1e-9) || e.N != 16 {
		t.Errorf("MeanEstimate = %g [%g, %g] n %d, want 3 ± %g", e.Point, e.Low, e.High, e.N, half)
	}
	// 14/3 is the variance of a batch mean; that of a value is (56/15); so
	// the sample is worth 16 · (56/15)/16 / (14/3/4) = 3.2 values.
	if got := s.Effective(); !near(got, 3.2, 1e-9) {
		t.Errorf("Effective = %g, want 3.2", got)
	}
}
