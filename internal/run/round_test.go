package run

import (
	"slices"
	"testing"

	"assay/internal/contract"
)

func TestEachAddressHasItsWeightInEveryRoundEvenlySpread(t *testing.T) {
	for _, c := range []struct {
		weights []int
		n       int
		want    round
	}{
		{nil, 1, round{0}},
		{nil, 3, round{0, 1, 2}},
		{[]int{3, 1}, 2, round{0, 0, 1, 0}},
		{[]int{1, 2, 1}, 3, round{1, 0, 2, 1}},
	} {
		if got := newRound(contract.Target{Weights: c.weights}, c.n); !slices.Equal(got, c.want) {
			t.Errorf("newRound(%v) = %v, want %v", c.weights, got, c.want)
		}
	}
	r := newRound(contract.Target{Weights: []int{5, 7, 11}}, 3)
	var count [3]int
	for n := range uint64(4 * 23) {
		count[r.at(n)]++
	}
	if count != [3]int{20, 28, 44} {
		t.Errorf("in four rounds %v, want 20, 28, 44", count)
	}
}
