// Merging is held against a program that does it literally: the lowest rule
// that applies anywhere, at its leftmost place, again and again.
package tokenizer

import (
	"math/rand/v2"
	"slices"
	"testing"

	"assay/internal/seed"
)

// literally is byte-pair encoding as it is defined, one rule after the other.
func literally(m *model, symbols []int32) []int32 {
	symbols = slices.Clone(symbols)
	for {
		best, where := merge{id: none}, 0
		for i := 1; i < len(symbols); i++ {
			r, ok := m.merges[pair(symbols[i-1], symbols[i])]
			if ok && (best.id == none || r.rank < best.rank) {
				best, where = r, i
			}
		}
		if best.id == none {
			return symbols
		}
		symbols = slices.Replace(symbols, where-1, where+1, best.id)
	}
}

// randomModel has symbols 0…3 and up to thirty rules among what there is, so
// that rules overlap and compete at every place.
func randomModel(r *rand.Rand) *model {
	m := &model{merges: map[uint64]merge{}}
	next := int32(4)
	for rank := range int32(r.IntN(30)) {
		p := pair(r.Int32N(next), r.Int32N(next))
		if _, ok := m.merges[p]; !ok {
			m.merges[p] = merge{rank: rank, id: next}
			next++
		}
	}
	return m
}

func TestMergingAppliesTheEarliestRuleAtItsLeftmostPlaceFirst(t *testing.T) {
	r := seed.Rand(3, "merging", 0)
	merged := 0
	for range 5000 {
		m := randomModel(r)
		symbols := make([]int32, r.IntN(short+1))
		for i := range symbols {
			symbols[i] = r.Int32N(4)
		}
		want := literally(m, symbols)
		few, many := slices.Clone(symbols), slices.Clone(symbols)
		if got := few[:m.mergeShort(few)]; !slices.Equal(got, want) {
			t.Fatalf("mergeShort(%v) with %v = %v, want %v", symbols, m.merges, got, want)
		}
		if got := many[:m.mergeLong(many)]; !slices.Equal(got, want) {
			t.Fatalf("mergeLong(%v) with %v = %v, want %v", symbols, m.merges, got, want)
		}
		merged += len(symbols) - len(want)
	}
	if merged < 5000 {
		t.Errorf("only %d merges in all: the rules hardly applied", merged)
	}
}

func TestALongPieceTakesNoQuadraticTime(t *testing.T) {
	const n = 200_000 // squared it would be minutes
	m := &model{merges: map[uint64]merge{pair(0, 0): {0, 1}, pair(1, 1): {1, 2}, pair(2, 2): {2, 3}}}
	symbols := make([]int32, n)
	got := symbols[:m.mergeLong(symbols)]
	if len(got) != n/8 || slices.Max(got) != 3 || slices.Min(got) != 3 {
		t.Errorf("%d symbols of %d..%d, want %d of 3", len(got), slices.Min(got), slices.Max(got), n/8)
	}
}
