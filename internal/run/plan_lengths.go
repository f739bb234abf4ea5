package run

// The lengths of what would be sent: their exact distribution, and ranges of
// it for people to look at.

import (
	"maps"
	"math/bits"
	"slices"

	"assay/internal/stats"
)

// PlannedLengths is the distribution of a length, in tokens, over the requests
// that the plan lists.
type PlannedLengths struct {
	Mean   float64       `json:"mean"`
	Min    int           `json:"min"`
	P50    int           `json:"p50"`
	P90    int           `json:"p90"`
	P99    int           `json:"p99"`
	Max    int           `json:"max"`
	Ranges []LengthRange `json:"histogram"` // in order, without a gap; the first has Min, the last Max
}

// A LengthRange is how many requests have a length from From to To, both included.
type LengthRange struct {
	From  int   `json:"from"`
	To    int   `json:"to"`
	Count int64 `json:"count"`
}

const (
	// fewLengths is up to where lengths are counted in a list: nearly all are.
	fewLengths = 1 << 16
	mostRanges = 10
	// longTail is how many medians the longest may be before equal ranges
	// would put nearly all requests into one of them.
	longTail = 16
)

// A lengthCount counts lengths in memory that does not grow with the requests.
type lengthCount struct {
	short  []int64 // by length
	long   map[int]int64
	n, sum int64
}

func (c *lengthCount) add(length int) {
	c.n++
	c.sum += int64(length)
	if length >= fewLengths {
		if c.long == nil {
			c.long = map[int]int64{}
		}
		c.long[length]++
		return
	}
	if length >= len(c.short) {
		c.short = append(c.short, make([]int64, length+1-len(c.short))...)
	}
	c.short[length]++
}

// each goes through the lengths that occur, in order, until f has enough.
func (c *lengthCount) each(f func(length int, n int64) bool) {
	for length, n := range c.short {
		if n > 0 && !f(length, n) {
			return
		}
	}
	for _, length := range slices.Sorted(maps.Keys(c.long)) {
		if !f(length, c.long[length]) {
			return
		}
	}
}

// rank is the order statistic of quantile q.
func (c *lengthCount) rank(q float64) (found int) {
	rest := stats.Rank(q, c.n)
	c.each(func(length int, n int64) bool {
		found, rest = length, rest-n
		return rest > 0
	})
	return found
}

// lengths is the distribution; zero when nothing was counted.
func (c *lengthCount) lengths() PlannedLengths {
	if c.n == 0 {
		return PlannedLengths{}
	}
	l := PlannedLengths{
		Mean: float64(c.sum) / float64(c.n),
		Min:  c.rank(0), P50: c.rank(0.5), P90: c.rank(0.9), P99: c.rank(0.99), Max: c.rank(1),
	}
	l.Ranges = equalRanges(l.Min, l.Max)
	if l.Max >= longTail*l.P50 {
		l.Ranges = doublingRanges(l.Min, l.Max)
	}
	i := 0
	c.each(func(length int, n int64) bool {
		for length > l.Ranges[i].To {
			i++
		}
		l.Ranges[i].Count += n
		return true
	})
	return l
}

// equalRanges cuts low…high at multiples of the smallest of 1, 2, 5, 10, 20, …
// that makes few enough.
func equalRanges(low, high int) []LengthRange {
	width := 1
	for step := 0; high/width-low/width >= mostRanges; step++ {
		if step%3 == 1 {
			width = width / 2 * 5
		} else {
			width *= 2
		}
	}
	var all []LengthRange
	for from := low / width * width; from <= high; from += width {
		all = append(all, LengthRange{From: from, To: from + width - 1})
	}
	return all
}

// doublingRanges cuts low…high at powers of two; the first takes all that is
// below the highest ones.
func doublingRanges(low, high int) []LengthRange {
	first := bits.Len(uint(low)) - 1
	top := bits.Len(uint(high)) - 1
	first = max(first, top-mostRanges+1, 0)
	from := 1 << first
	all := []LengthRange{{From: min(from, low), To: 2*from - 1}}
	for i := first + 1; i <= top; i++ {
		all = append(all, LengthRange{From: 1 << i, To: 2<<i - 1})
	}
	return all
}
