package stats

// What a Sample and a Tally hold against the sorted values themselves.

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"
)

func TestACodeKeepsOrderAndIsExactBelowTwoSeconds(t *testing.T) {
	for _, ns := range []int64{0, 1, 10_000_000, fine - 1} {
		if got := Milliseconds(Code(ns)); got != float64(ns)/1e6 {
			t.Errorf("%d ns came back as %g ms", ns, got)
		}
	}
	if got := Milliseconds(Code(30_123_456_789)); math.Abs(got-30_123.456789) > 0.001 {
		t.Errorf("30.123456789 s came back as %g ms", got)
	}
	if Code(-5) != 0 || Code(math.MaxInt64) != math.MaxUint32 {
		t.Error("the ends do not saturate")
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64Range(0, 3e12).Draw(t, "a"), rapid.Int64Range(0, 3e12).Draw(t, "b")
		if a < b && Code(a) > Code(b) {
			t.Errorf("Code(%d) > Code(%d)", a, b)
		}
		if d := math.Abs(Milliseconds(Code(a)) - float64(a)/1e6); a < 2_149e9 && d >= 0.001 {
			t.Errorf("%d ns is off by %g ms", a, d)
		}
	})
}

func TestKeysKeepTheOrderOfFloats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Float64().Draw(t, "a"), rapid.Float64().Draw(t, "b")
		if (a < b) != (key(a) < key(b)) || unkey(key(a)) != a {
			t.Errorf("keys of %g and %g: %x and %x, back %g", a, b, key(a), key(b), unkey(key(a)))
		}
	})
}

// any draws batches of codes and how many in each never came.
func anyBatches(t *rapid.T) ([][]uint32, []int64) {
	k := rapid.IntRange(1, 6).Draw(t, "batches")
	values, inf := make([][]uint32, k), make([]int64, k)
	for j := range k {
		values[j] = rapid.SliceOfN(rapid.Uint32Range(0, 40), 0, 30).Draw(t, "values")
		inf[j] = int64(rapid.IntRange(0, 3).Draw(t, "never came"))
	}
	return values, inf
}

func TestASampleHasTheOrderStatisticsAndMomentsOfItsValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values, inf := anyBatches(t)
		var all []float64
		never := int64(0)
		for j := range values {
			for _, v := range values[j] {
				all = append(all, Milliseconds(v))
			}
			never += inf[j]
		}
		sort.Float64s(all)
		s := OfCodes(values, inf)
		if s.Count() != int64(len(all))+never || s.Infinite() != never {
			t.Fatalf("Count = %d, Infinite = %d", s.Count(), s.Infinite())
		}
		for r := range s.Count() {
			want := math.Inf(1)
			if int(r) < len(all) {
				want = all[r]
			}
			if got := s.Order(r + 1); got != want {
				t.Errorf("Order(%d) = %g, want %g", r+1, got, want)
			}
		}
		mean, sd := MeanSD(all)
		if len(all) > 1 && (!near(s.Mean(), mean, 1e-9) || math.Abs(s.SD()-sd) > 1e-15 || s.Min() != all[0] || s.Max() != all[len(all)-1]) {
			t.Errorf("Mean, SD, Min, Max = %g %g %g %g, want %g %g %g %g", s.Mean(), s.SD(), s.Min(), s.Max(), mean, sd, all[0], all[len(all)-1])
		}
		if f := s.Finite(); f.Count() != int64(len(all)) || f.Infinite() != 0 {
			t.Errorf("Finite has %d values, %d of them infinite", f.Count(), f.Infinite())
		}
	})
}

func TestSortingByPassesSortsLongLists(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	a := make([]uint32, 50_000)
	for i := range a {
		a[i] = rng.Uint32() >> rng.IntN(32)
	}
	want := slices.Clone(a)
	slices.Sort(want)
	sortCodes(a, nil)
	if !slices.Equal(a, want) {
		t.Error("the list is not sorted, or holds other values")
	}
}

func TestTallyHasTheOrderStatisticsOfWhatItCounted(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	var tally Tally
	var all []int64
	for range 20_000 {
		ns := int64(math.Exp(rng.Float64() * 23)) // to 9.7 s
		all = append(all, ns)
		tally.Add(ns)
	}
	slices.Sort(all)
	for _, q := range []float64{0.01, 0.5, 0.9, 0.99, 0.999} {
		want, got := all[Rank(q, 20_000)-1], tally.Percentile(q)
		if want < tallyFine && got != want || want-got >= 1000 || got > want {
			t.Errorf("p%g = %d, want %d", q*100, got, want)
		}
	}
	if tally.Count() != 20_000 || tally.Max() != all[len(all)-1] {
		t.Errorf("Count, Max = %d, %d", tally.Count(), tally.Max())
	}
}
