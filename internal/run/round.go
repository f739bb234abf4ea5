package run

// A round is how several addresses share the requests: each gets its weight in
// every round, as evenly spread as can be.

import "assay/internal/contract"

// A round is the addresses in the order in which they have their turns.
type round []int

// newRound is that of a target with n addresses. By turns the address goes
// that is the farthest behind its share (smooth weighted round robin), so that
// 3 to 1 is a a b a and not a a a b.
func newRound(t contract.Target, n int) round {
	weights := t.Weights
	if len(weights) != n {
		weights = make([]int, n)
		for i := range weights {
			weights[i] = 1
		}
	}
	sum := 0
	for _, w := range weights {
		sum += w
	}
	r := make(round, 0, sum)
	behind := make([]int, n)
	for range sum {
		next := 0
		for i, w := range weights {
			if behind[i] += w; behind[i] > behind[next] {
				next = i
			}
		}
		behind[next] -= sum
		r = append(r, next)
	}
	return r
}

// at is the address of the n-th turn.
func (r round) at(n uint64) int { return r[n%uint64(len(r))] }

// route is the way of request n, or of a turn (from 0) of session n: all of
// them go one way, unless the contract scatters them.
func (l *line) route(n uint64, turn int) int {
	if l.stream.Target.Affinity == contract.NoAffinity {
		n += uint64(turn)
	}
	return l.round.at(n)
}

// only is the line with one of its ways.
func (l *line) only(k int) *line {
	one := *l
	one.ways, one.round = l.ways[k:k+1], round{0}
	return &one
}
