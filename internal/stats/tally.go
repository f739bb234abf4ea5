package stats

// A Tally holds the exact distribution of very many durations in bounded
// memory, for the receipts: they look at every event of a run.

const (
	tallyFine = 1 << 24 // ns counted one by one, 16.8 ms
	pageSize  = 1 << 16
)

// A Tally counts durations: to the nanosecond up to 16.8 ms, to the microsecond
// up to 2,149 s. It takes at most 85 MB for any number of them, and the zero
// Tally is empty.
type Tally struct {
	pages map[uint32]*[pageSize]uint32 // by the upper half of the slot
	n     int64
	max   int64
}

// slot keeps the order of durations.
func slot(ns int64) uint32 {
	switch {
	case ns <= 0:
		return 0
	case ns < tallyFine:
		return uint32(ns)
	}
	return tallyFine + uint32(min((ns-tallyFine)/1000, 1<<31-1))
}

func unslot(s uint32) int64 {
	if s < tallyFine {
		return int64(s)
	}
	return tallyFine + int64(s-tallyFine)*1000
}

// Add counts one duration in ns; a negative one counts as 0.
func (t *Tally) Add(ns int64) {
	if t.pages == nil {
		t.pages = map[uint32]*[pageSize]uint32{}
	}
	s := slot(ns)
	p := t.pages[s/pageSize]
	if p == nil {
		p = new([pageSize]uint32)
		t.pages[s/pageSize] = p
	}
	p[s%pageSize]++
	t.n++
	t.max = max(t.max, ns)
}

// Count is how many durations were counted.
func (t *Tally) Count() int64 { return t.n }

// Max is the longest, 0 without any.
func (t *Tally) Max() int64 { return t.max }

// Percentile is the order statistic of quantile q (nearest rank), 0 without any.
func (t *Tally) Percentile(q float64) int64 {
	if t.n == 0 {
		return 0
	}
	rest := Rank(q, t.n)
	top := slot(t.max) / pageSize
	for i := uint32(0); i <= top; i++ {
		p := t.pages[i]
		if p == nil {
			continue
		}
		for j, c := range p {
			if rest -= int64(c); rest <= 0 {
				return unslot(i*pageSize + uint32(j))
			}
		}
	}
	return t.max
}
