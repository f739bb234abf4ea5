package stats

// Trends by hand.

import (
	"math"
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
