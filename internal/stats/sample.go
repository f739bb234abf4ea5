package stats

// A Sample is what every estimator here works on: the values of one metric,
// cut into stretches of time, sorted within each.

import (
	"math"
	"slices"
)

// MaxBatches is the number of stretches into which a long enough run is cut.
const MaxBatches = 32

// Batches is the number of stretches for n clusters (requests): two each at
// the least.
func Batches(n int) int { return max(1, min(MaxBatches, n/2)) }

// A Sample is the values of one metric over a window, in consecutive batches.
// A value that never came (a failed request) is +Inf and only counted.
type Sample struct {
	batches []batch // those that are not empty
	n       int64   // finite and infinite
	inf     int64
	sum     float64
	sorted  wide    // all finite values together, where they are few enough to hold twice
	latent  float64 // inflation of the values themselves, see inflation; 0 until asked
}

type batch struct {
	keys keys
	inf  int64
	sum  float64
}

func (b batch) n() int64 { return int64(b.keys.len()) + b.inf }

// OfCodes makes a Sample of durations as Code packs them, batch by batch in
// the order of time; inf[j] values of batch j are +Inf. It sorts in place.
func OfCodes(values [][]uint32, inf []int64) *Sample {
	s := &Sample{}
	var scratch []uint32
	for j, a := range values {
		scratch = sortCodes(a, scratch)
		var sum float64
		for _, c := range a {
			sum += Milliseconds(c)
		}
		s.add(batch{narrow(a), inf[j], sum})
	}
	return s
}

// OfValues makes a Sample of any values, batch by batch in the order of time.
// +Inf is a value that never came; NaN is none and left out.
func OfValues(values [][]float64) *Sample {
	s := &Sample{}
	for _, a := range values {
		var b batch
		list := make(wide, 0, len(a))
		for _, v := range a {
			switch {
			case math.IsNaN(v):
			case math.IsInf(v, 1):
				b.inf++
			default:
				list = append(list, key(v))
				b.sum += v
			}
		}
		slices.Sort(list)
		b.keys = list
		s.add(b)
		s.sorted = append(s.sorted, list...)
	}
	slices.Sort(s.sorted)
	return s
}

// Cut deals values in order of time into batches of equal counts.
func Cut(values []float64, batches int) [][]float64 {
	out := make([][]float64, 0, batches)
	for j := range batches {
		out = append(out, values[j*len(values)/batches:(j+1)*len(values)/batches])
	}
	return out
}

func (s *Sample) add(b batch) {
	if b.n() == 0 {
		return
	}
	s.batches = append(s.batches, b)
	s.n += b.n()
	s.inf += b.inf
	s.sum += b.sum
}

// Finite is the sample without the values that never came.
func (s *Sample) Finite() *Sample {
	if s.inf == 0 {
		return s
	}
	f := &Sample{sorted: s.sorted}
	for _, b := range s.batches {
		b.inf = 0
		f.add(b)
	}
	return f
}

// Count is the number of values, +Inf among them.
func (s *Sample) Count() int64 { return s.n }

// Infinite is how many of them are +Inf.
func (s *Sample) Infinite() int64 { return s.inf }

// Percentile is the exact order statistic of quantile q; NaN without values.
func (s *Sample) Percentile(q float64) float64 {
	if s.n == 0 {
		return math.NaN()
	}
	return s.Order(Rank(q, s.n))
}

// Order is the r-th smallest value, 1…Count.
func (s *Sample) Order(r int64) float64 {
	k, ok := s.orderKey(r)
	if !ok {
		return math.Inf(1)
	}
	return s.value(k)
}

func (s *Sample) value(k uint64) float64 { return s.batches[0].keys.value(k) }

// orderKey finds the r-th smallest key by halving the range of keys; false
// when the r-th is +Inf.
func (s *Sample) orderKey(r int64) (uint64, bool) {
	if r > s.n-s.inf {
		return 0, false
	}
	if s.sorted != nil {
		return s.sorted[r-1], true
	}
	lo, hi := s.ends()
	for lo < hi { // invariant: the answer is in lo…hi
		mid := lo + (hi-lo)/2
		if s.n-s.above(mid) >= r {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo, true
}

// ends are the smallest and the largest finite key.
func (s *Sample) ends() (lo, hi uint64) {
	lo = math.MaxUint64
	for _, b := range s.batches {
		if n := b.keys.len(); n > 0 {
			lo, hi = min(lo, b.keys.at(0)), max(hi, b.keys.at(n-1))
		}
	}
	return lo, hi
}

// above counts the values greater than k, +Inf among them.
func (s *Sample) above(k uint64) int64 {
	var x int64
	for _, b := range s.batches {
		x += int64(b.keys.above(k)) + b.inf
	}
	return x
}

// Min, Max, Mean and SD are of the finite values; NaN where there are none
// (two for SD).
func (s *Sample) Min() float64 {
	if s.n == s.inf {
		return math.NaN()
	}
	lo, _ := s.ends()
	return s.value(lo)
}

// Max is the largest finite value.
func (s *Sample) Max() float64 {
	if s.n == s.inf {
		return math.NaN()
	}
	_, hi := s.ends()
	return s.value(hi)
}

// Mean is the mean of the finite values.
func (s *Sample) Mean() float64 { return s.sum / float64(s.n-s.inf) }

// SD is the standard deviation (n − 1) of the finite values.
func (s *Sample) SD() float64 {
	n := s.n - s.inf
	if n < 2 {
		return math.NaN()
	}
	m, ss := s.Mean(), 0.0
	for _, b := range s.batches {
		for i := range b.keys.len() {
			d := b.keys.value(b.keys.at(i)) - m
			ss += d * d
		}
	}
	return math.Sqrt(ss / float64(n-1))
}
