package stats

// The test of whether a run had settled.

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Trend is a straight line through means of consecutive stretches.
type Trend struct {
	Mean   float64
	Change float64 // from the first stretch to the last, along the line
	P      float64 // chance of as steep a line without any trend, two-sided
}

// TrendOf fits the line. With fewer than four means P is 1.
func TrendOf(means []float64) Trend {
	n := float64(len(means))
	t := Trend{P: 1}
	for _, v := range means {
		t.Mean += v / n
	}
	if n < 4 {
		return t
	}
	var sxy, sxx float64
	mid := (n - 1) / 2
	for i, v := range means {
		x := float64(i) - mid
		sxx += x * x
		sxy += x * (v - t.Mean)
	}
	slope := sxy / sxx
	t.Change = slope * (n - 1)
	var rest float64
	for i, v := range means {
		d := v - t.Mean - slope*(float64(i)-mid)
		rest += d * d
	}
	se := math.Sqrt(rest / (n - 2) / sxx)
	switch {
	case slope == 0:
	case se == 0:
		t.P = 0
	default:
		t.P = 2 * distuv.StudentsT{Sigma: 1, Nu: n - 2}.Survival(math.Abs(slope)/se)
	}
	return t
}

// Means are the means of consecutive stretches of equal count.
func Means(values []float64, stretches int) []float64 {
	var out []float64
	for _, a := range Cut(values, stretches) {
		if m, _ := MeanSD(a); !math.IsNaN(m) {
			out = append(out, m)
		}
	}
	return out
}
