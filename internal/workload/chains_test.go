package workload

import (
	"math/rand/v2"
	"testing"
)

func TestAChainIsNewOnceAndThenKnown(t *testing.T) {
	var s chains
	want := map[uint64]bool{}
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		name := r.Uint64N(5000) << 50 // 0 among them, and nearly all in few places
		if r.IntN(2) == 0 {
			name = r.Uint64()
		}
		if got := s.add(name); got == want[name] {
			t.Fatalf("add(%d) = %v after it was added: %v", name, got, want[name])
		}
		want[name] = true
	}
	for name := range want {
		if s.add(name) {
			t.Fatalf("%d is forgotten", name)
		}
	}
}
