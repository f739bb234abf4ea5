package stats

// Values are kept as integer keys in the order of the values: four bytes for a
// gap (a run has a hundred million of them), eight for anything else.

import (
	"math"
	"slices"
	"sort"
)

// fine is the longest duration that Code keeps to the nanosecond, 2.1 s; beyond
// it the code counts microseconds, up to 2,149 s.
const fine = 1 << 31

// Code packs a duration in ns into four bytes that keep its order: exact to
// the nanosecond up to 2.147 s, to the microsecond beyond, saturating at
// 2,149 s. A negative duration is 0; whoever has one counts it.
func Code(ns int64) uint32 {
	switch {
	case ns <= 0:
		return 0
	case ns < fine:
		return uint32(ns)
	}
	return uint32(fine + min((ns-fine)/1000, fine-1))
}

// Milliseconds is the duration of a code.
func Milliseconds(code uint32) float64 {
	ns := int64(code)
	if ns >= fine {
		ns = fine + (ns-fine)*1000
	}
	return float64(ns) / 1e6
}

// key maps a float to an integer of the same order (NaN is not a value here).
func key(v float64) uint64 {
	b := math.Float64bits(v + 0) // −0 becomes 0
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}

func unkey(k uint64) float64 {
	if k>>63 == 1 {
		return math.Float64frombits(k &^ (1 << 63))
	}
	return math.Float64frombits(^k)
}

// keys are the sorted keys of one batch.
type keys interface {
	len() int
	at(i int) uint64
	above(k uint64) int // how many are greater than k
	value(k uint64) float64
}

type narrow []uint32

func (a narrow) len() int               { return len(a) }
func (a narrow) at(i int) uint64        { return uint64(a[i]) }
func (a narrow) value(k uint64) float64 { return Milliseconds(uint32(k)) }
func (a narrow) above(k uint64) int {
	return len(a) - sort.Search(len(a), func(i int) bool { return uint64(a[i]) > k })
}

type wide []uint64

func (a wide) len() int               { return len(a) }
func (a wide) at(i int) uint64        { return a[i] }
func (a wide) value(k uint64) float64 { return unkey(k) }
func (a wide) above(k uint64) int {
	return len(a) - sort.Search(len(a), func(i int) bool { return a[i] > k })
}

// sortCodes sorts by three passes of eleven bits: a hundred million gaps in a
// second, where comparing takes ten. scratch is used when it is long enough.
func sortCodes(a, scratch []uint32) []uint32 {
	if len(a) < 1<<12 {
		slices.Sort(a)
		return scratch
	}
	if len(scratch) < len(a) {
		scratch = make([]uint32, len(a))
	}
	from, to := a, scratch[:len(a)]
	for shift := 0; shift < 33; shift += 11 {
		var count [1<<11 + 1]int
		for _, v := range from {
			count[(v>>shift)&(1<<11-1)+1]++
		}
		for i := 1; i < len(count); i++ {
			count[i] += count[i-1]
		}
		for _, v := range from {
			d := (v >> shift) & (1<<11 - 1)
			to[count[d]] = v
			count[d]++
		}
		from, to = to, from
	}
	copy(a, from) // three passes end in the scratch
	return scratch
}
