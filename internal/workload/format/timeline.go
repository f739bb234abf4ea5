package format

// When the units of a file are due. Traces are long, and a run uses a stretch of
// them: what lies behind it is let go of, as long as times are in order.

import (
	"cmp"
	"slices"
)

// A timeline is the times of the units, in the order of the file.
type timeline struct {
	reach int64   // behind the first, as far as times are kept; 0: all
	times []int64 // as long as all units have one
	units int
	last  int64 // of all, also those that are not kept
	some  bool  // a unit has no time: those of a part of them are of no use
	lost  bool  // one is before another that was not kept
}

func (t *timeline) add(timed bool, at int64) {
	t.units++
	switch {
	case t.some:
	case !timed:
		t.some, t.times, t.lost = true, nil, false
	case len(t.times) == 0:
		t.times, t.last = append(t.times, at), at
	default:
		kept := t.reach == 0 || at-t.times[0] <= t.reach
		if t.lost = t.lost || at < t.last && len(t.times) < t.units-1; kept {
			t.times = append(t.times, at)
		}
		t.last = max(t.last, at)
	}
}

// ordered returns the times in their order, and the order of the units where it
// is not that of the file.
func (t *timeline) ordered() (times []int64, order []uint32) {
	at := t.times
	if slices.IsSorted(at) {
		return at, nil
	}
	order = make([]uint32, t.units)
	for u := range order {
		order[u] = uint32(u)
	}
	slices.SortStableFunc(order[:len(at)], func(a, b uint32) int { return cmp.Compare(at[a], at[b]) })
	sorted := make([]int64, len(at))
	for u, o := range order[:len(at)] { // what is not kept comes after all that is
		sorted[u] = at[o]
	}
	return sorted, order
}

// span is from the first to the last, of how many; none where units have no time.
func (t *timeline) span() (first, last int64, n int) {
	if len(t.times) == 0 {
		return 0, 0, 0
	}
	return slices.Min(t.times), t.last, t.units
}
