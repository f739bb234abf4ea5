package measure

// What was really sent: gaps between requests, and their counts per second.

import (
	"math"
	"slices"

	"assay/internal/record"
	"assay/internal/stats"
)

// Arrivals describes the instants at which requests were sent.
type Arrivals struct {
	Gaps       []float64 // seconds, in order
	GapCV      float64   // standard deviation ÷ mean; NaN with fewer than two gaps
	Counts     []float64 // per whole second of the window
	Dispersion float64   // variance ÷ mean of Counts; NaN with fewer than two seconds
}

// Arrivals looks at the requests of the population that pass the filter.
func (s *Summary) Arrivals(f Filter) Arrivals {
	in := s.picked(f)
	var sent []int64
	for i := range s.rows {
		if w := &s.rows[i]; w.sent != record.None && in[w.cell.id] {
			sent = append(sent, w.sent)
		}
	}
	slices.Sort(sent)
	a := Arrivals{GapCV: math.NaN(), Dispersion: math.NaN(), Counts: make([]float64, int(s.Window.Seconds()))}
	for i, t := range sent {
		if i > 0 {
			a.Gaps = append(a.Gaps, float64(t-sent[i-1])/1e9)
		}
		if j := (t - s.Window.Start) / 1e9; j >= 0 && int(j) < len(a.Counts) {
			a.Counts[j]++
		}
	}
	if mean, sd := stats.MeanSD(a.Gaps); mean > 0 {
		a.GapCV = sd / mean
	}
	if mean, sd := stats.MeanSD(a.Counts); mean > 0 {
		a.Dispersion = sd * sd / mean
	}
	return a
}
