// The streams are part of the file format: these tests hold them where they
// are, and check that neighbours do not resemble each other.
package seed

import (
	"math"
	"testing"
)

// The wanted values come from a separate program in another language
// (SHA-256, SplitMix64's finalizer, PCG-DXSM with Go's constants), not from
// this package. A change here changes every plan ever made: don't.
func TestStreamsAreTheOnesOfEveryEarlierRelease(t *testing.T) {
	for _, c := range []struct {
		master uint64
		name   string
		n      uint64
		want   [3]uint64
	}{
		{0, "", 0, [3]uint64{0x44da4c34e063831b, 0x28baa5464c06c4b5, 0x4486a38763bfcd}},
		{1, "arrival/main", 0, [3]uint64{0xf79ee5a75714ce51, 0xa1864c949d273c99, 0x46f195e7439596bd}},
		{1, "arrival/main", 1, [3]uint64{0x9a04bf311f186c80, 0xacbb7c7744a2de22, 0x38571b2828b301ae}},
		{2, "arrival/main", 0, [3]uint64{0x25a0fbf09b09787d, 0xd41b36e9b7534e32, 0x7e4eb95c66f9fbcd}},
		{1, "workload/words/main/", 999999, [3]uint64{0x6653c5cc23de07f, 0x4e5832f6bd3979b9, 0x1eecc0d424298077}},
		{math.MaxUint64, "äöü", math.MaxUint64, [3]uint64{0x53dbdc78cd84f176, 0xf63de080d7e23bdf, 0x9b0d468fdf6d82ac}},
	} {
		r := Rand(c.master, c.name, c.n)
		got := [3]uint64{r.Uint64(), r.Uint64(), r.Uint64()}
		if got != c.want {
			t.Errorf("Rand(%d, %q, %d) = %#x, want %#x", c.master, c.name, c.n, got, c.want)
		}
	}
}

func TestAStreamIsTheSameWhateverWasDrawnBefore(t *testing.T) {
	k := Named(7, "x")
	want := Rand(7, "x", 3).Uint64()
	for range 10 {
		k.Rand(2).Uint64()
	}
	if got := k.Rand(3).Uint64(); got != want {
		t.Errorf("stream 3 after others = %#x, want %#x", got, want)
	}
}

// The first draws of 100,000 neighbouring streams, as a sequence: uniform over
// 256 cells (chi-square with 255 degrees of freedom beyond 383 has p < 1e-6)
// and without correlation from one to the next (|z| < 4.9, p < 1e-6). The
// masters are fixed, so the test cannot flake.
func TestNeighbouringStreamsAreIndependent(t *testing.T) {
	const n, cells = 100_000, 256
	families := map[string]func(i uint64) float64{
		"of n":      func(i uint64) float64 { return Rand(1, "a", i).Float64() },
		"of master": func(i uint64) float64 { return Rand(i, "a", 0).Float64() },
	}
	for name, draw := range families {
		var count [cells]int
		sum, last := 0.0, draw(n)
		for i := range uint64(n) {
			u := draw(i)
			count[int(u*cells)]++
			sum += (u - 0.5) * (last - 0.5)
			last = u
		}
		chi := 0.0
		for _, c := range count {
			d := float64(c) - n/cells
			chi += d * d / (n / cells)
		}
		if chi > 383 {
			t.Errorf("streams %s: chi-square = %.1f, want < 383", name, chi)
		}
		// The product of two centred uniforms has standard deviation 1/12.
		if z := sum * 12 / math.Sqrt(n); math.Abs(z) > 4.9 {
			t.Errorf("streams %s: serial correlation z = %.2f, want |z| < 4.9", name, z)
		}
	}
}

func BenchmarkRand(b *testing.B) {
	k := Named(1, "bench")
	b.ReportAllocs()
	for n := uint64(0); b.Loop(); n++ {
		k.Rand(n).Uint64()
	}
}
