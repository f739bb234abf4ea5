package format

// How long things are: counts of whole numbers, of which there are few
// different ones however many there are.

import (
	"maps"
	"slices"
)

// Lengths are order statistics and a histogram.
type Lengths struct {
	Count int64   `json:"count"`
	Mean  float64 `json:"mean"`
	Min   int     `json:"min"`
	P50   int     `json:"p50"`
	P90   int     `json:"p90"`
	P99   int     `json:"p99"`
	Max   int     `json:"max"`
	Steps []Step  `json:"histogram"`
}

// A Step counts the lengths up to a bound that the step before does not have.
type Step struct {
	UpTo  int   `json:"up_to"`
	Count int64 `json:"count"`
}

// counted is how often each length was seen.
type counted struct {
	times map[int]int64
	n     int64
	sum   int64
}

func (c *counted) add(length int) {
	if c.times == nil {
		c.times = map[int]int64{}
	}
	c.times[length]++
	c.n++
	c.sum += int64(length)
}

// lengths is nil when nothing was counted. The histogram has a step for each
// doubling.
func (c *counted) lengths() *Lengths {
	if c.n == 0 {
		return nil
	}
	sorted := slices.Sorted(maps.Keys(c.times))
	l := &Lengths{Count: c.n, Mean: float64(c.sum) / float64(c.n), Min: sorted[0], Max: sorted[len(sorted)-1]}
	l.P50, l.P90, l.P99 = c.rank(sorted, 50), c.rank(sorted, 90), c.rank(sorted, 99)
	bound := 1
	for _, length := range sorted {
		for length > bound {
			bound *= 2
		}
		if n := len(l.Steps); n == 0 || l.Steps[n-1].UpTo != bound {
			for n > 0 && l.Steps[len(l.Steps)-1].UpTo*2 < bound { // a gap is shown as one
				l.Steps = append(l.Steps, Step{UpTo: l.Steps[len(l.Steps)-1].UpTo * 2})
			}
			l.Steps = append(l.Steps, Step{UpTo: bound})
		}
		l.Steps[len(l.Steps)-1].Count += c.times[length]
	}
	return l
}

// rank is the percentile by the nearest rank.
func (c *counted) rank(sorted []int, percent int64) int {
	want := (percent*c.n + 99) / 100
	var below int64
	for _, length := range sorted {
		if below += c.times[length]; below >= want {
			return length
		}
	}
	return sorted[len(sorted)-1]
}
