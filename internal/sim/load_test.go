package sim

// Traffic for the engines of these tests: a closed loop, and an open one.

import (
	"math/rand/v2"
	"slices"
	"testing"
)

const second = int64(1e9)

// A trace is what became of some traffic.
type trace struct {
	admitted map[uint64]int64 // by request: when
	first    map[uint64]int64
	last     map[uint64]int64
	tokens   map[uint64]int
	ended    map[uint64]bool
	gaps     []gap
}

// A gap lies between two emissions of a request; position is that of the
// first token after it.
type gap struct {
	at, ns   int64
	position int
}

func newTrace() *trace {
	return &trace{map[uint64]int64{}, map[uint64]int64{}, map[uint64]int64{}, map[uint64]int{}, map[uint64]bool{}, nil}
}

func (tr *trace) emit(e Emission) {
	if last, later := tr.last[e.ID]; later {
		tr.gaps = append(tr.gaps, gap{e.At, e.At - last, tr.tokens[e.ID] + 1})
	} else {
		tr.first[e.ID] = e.At
	}
	tr.last[e.ID] = e.At
	tr.tokens[e.ID] += e.Events * e.Tokens
	tr.ended[e.ID] = tr.ended[e.ID] || e.Last
}

// lengths are spread around a mean as the default workload's are.
func lengths(r *rand.Rand, mean int) int { return max(1, int(float64(mean)*(1+0.27*r.NormFloat64()))) }

// saturate keeps so many requests under way for a while and returns the output
// tokens of a second, the first fifth left out.
func saturate(t *testing.T, e Engine, concurrency, input, output int, until int64) (rate float64, tr *trace) {
	t.Helper()
	r, tr := rand.New(rand.NewPCG(1, 2)), newTrace()
	tokens, free, id := 0, concurrency, uint64(0)
	emit := func(em Emission) {
		tr.emit(em)
		if em.At > until/5 {
			tokens += em.Events * em.Tokens
		}
		if em.Last {
			free++
		}
	}
	for now := int64(0); now < until; now = e.Next() {
		e.Advance(now, emit)
		for ; free > 0; free-- {
			id++
			tr.admitted[id] = e.Admit(now, Request{ID: id, Input: lengths(r, input), Output: lengths(r, output)}, emit)
		}
	}
	return float64(tokens) / (float64(until-until/5) / 1e9), tr
}

// offer sends requests at random times of this rate, and waits for the last.
func offer(e Engine, rate float64, input, output int, until int64) *trace {
	r, tr := rand.New(rand.NewPCG(3, 4)), newTrace()
	at, id := 0.0, uint64(0)
	for {
		at += r.ExpFloat64() / rate * 1e9
		if at > float64(until) {
			break
		}
		id++
		tr.admitted[id] = e.Admit(int64(at), Request{ID: id, Input: lengths(r, input), Output: lengths(r, output)}, tr.emit)
	}
	for e.Next() != Never {
		e.Advance(e.Next(), tr.emit)
	}
	return tr
}

// waits are the times to the first token of requests admitted after from.
func (tr *trace) waits(from int64) (ns []int64) {
	for id, at := range tr.admitted {
		if first, ok := tr.first[id]; ok && at >= from {
			ns = append(ns, first-at)
		}
	}
	return ns
}

func quantile(ns []int64, q float64) int64 {
	sorted := slices.Sorted(slices.Values(ns))
	return sorted[int(q*float64(len(sorted)-1))]
}
