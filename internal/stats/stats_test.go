package stats

// Every estimator against a case by hand and a second, naive computation.

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

func near(a, b, tolerance float64) bool {
	return a == b || math.Abs(a-b) <= tolerance*max(math.Abs(a), math.Abs(b), 1e-300)
}

func TestRankIsTheNearestRankWithoutTheNoiseOfBinaryFractions(t *testing.T) {
	for _, c := range []struct {
		q    float64
		n    int64
		want int64
	}{
		{0.5, 1, 1}, {0.5, 2, 1}, {0.5, 3, 2}, {0.99, 100, 99}, {0.99, 101, 100}, {0.07, 100, 7}, {0.29, 100, 29},
		{0.999, 1000, 999}, {0.999, 10, 10}, {0.01, 5, 1}, {0.57, 100, 57}, {0.95, 20, 19},
	} {
		if got := Rank(c.q, c.n); got != c.want {
			t.Errorf("Rank(%g, %d) = %d, want %d", c.q, c.n, got, c.want)
		}
	}
}

func TestPercentileIsTheLeastValueThatEnoughDoNotExceed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-50, 50), 1, 60).Draw(t, "values")
		hundredths := rapid.IntRange(1, 99).Draw(t, "percentile")
		got := Percentile(slices.Clone(values), float64(hundredths)/100)
		// The definition, in whole numbers: 100 · #{v ≤ x} ≥ p · n.
		want := math.Inf(1)
		for _, x := range values {
			atMost := 0
			for _, v := range values {
				if v <= x {
					atMost++
				}
			}
			if 100*atMost >= hundredths*len(values) {
				want = min(want, x)
			}
		}
		if got != want {
			t.Errorf("p%d of %v = %g, want %g", hundredths, values, got, want)
		}
	})
}

func TestMeanSDByHand(t *testing.T) {
	mean, sd := MeanSD([]float64{2, 4, 4, 4, 5, 5, 7, 9})
	if mean != 5 || !near(sd, math.Sqrt(32.0/7), 1e-15) {
		t.Errorf("MeanSD = %g, %g, want 5, √(32/7)", mean, sd)
	}
	if _, sd := MeanSD([]float64{3}); !math.IsNaN(sd) {
		t.Errorf("the deviation of one value = %g, want NaN", sd)
	}
}

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

func TestTailCountsWhatLiesBeyondAThreshold(t *testing.T) {
	s := OfValues([][]float64{{1, 2, 3, math.Inf(1)}, {3, 4, math.NaN()}})
	for _, c := range []struct {
		at      float64
		orEqual bool
		want    int64
	}{{3, false, 2}, {3, true, 4}, {2.5, false, 4}, {2.5, true, 4}, {100, false, 1}, {0, true, 6}} {
		if got := s.Tail(c.at, c.orEqual); got.Exceed != c.want || got.N != 6 {
			t.Errorf("Tail(%g, %v) = %d of %d, want %d of 6", c.at, c.orEqual, got.Exceed, got.N, c.want)
		}
	}
}

func TestInflationByHand(t *testing.T) {
	// x = 0, 0, 4, 4 of n = 10 each: p = 0.2; Σ(x − pn)² = 16;
	// V = 4/3 · 16 / 40² = 1/75; v = 0.16/40; V/v = 10/3. t₃ = 3.182446.
	b := []total{{0, 10}, {0, 10}, {4, 10}, {4, 10}}
	want := 10.0 / 3 * math.Pow(3.182446305/1.959963984540054, 2)
	if got := inflation(b, 0.16); !near(got, want, 1e-8) {
		t.Errorf("inflation = %g, want %g", got, want)
	}
	// Evenly spread counts earn nothing: 1 · (t₃/z)².
	even := []total{{2, 10}, {2, 10}, {2, 10}, {2, 10}}
	if got := inflation(even, 0.16); !near(got, want*0.3, 1e-9) {
		t.Errorf("inflation of even counts = %g, want %g", got, want*0.3)
	}
}

func TestTheTableOfStudentsTIsThatOfTheLaw(t *testing.T) {
	for df := 1; df < 40; df++ {
		law := distuv.StudentsT{Sigma: 1, Nu: float64(df)}
		if p := law.Survival(studentT(float64(df))); !near(p, 0.025, 1e-8) {
			t.Errorf("t with %d degrees of freedom leaves %g outside", df, p)
		}
	}
}

func TestInflationTakesTheWorstOfTheMergedBatches(t *testing.T) {
	// Alternating pairs (8, 8, 0, 0, …) look worse merged in twos: the merged
	// batches swing between 16 and 0.
	var b []total
	for j := range 32 {
		b = append(b, total{float64(8 * (1 - j/2%2)), 10})
	}
	merged := merge(b)
	if len(merged) != 16 || merged[0] != (total{16, 20}) || merged[1] != (total{0, 20}) {
		t.Fatalf("merge = %v", merged)
	}
	single, _ := ratioVariance(b)
	double, n := ratioVariance(merged)
	want := max(single*widening(31), double*widening(15)) / (0.24 / n)
	if got := inflation(b, 0.24); !near(got, want, 1e-12) || double < 1.9*single {
		t.Errorf("inflation = %g, want %g (variances %g and %g)", got, want, single, double)
	}
}

// binomial is P(X ≤ x) summed term by term.
func binomial(x, n int, p float64) float64 {
	sum := 0.0
	for k := 0; k <= x; k++ {
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(k + 1))
		c, _ := math.Lgamma(float64(n - k + 1))
		sum += math.Exp(a - b - c + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
	}
	return sum
}

func TestClopperPearsonEndsLeaveTwoAndAHalfPercentOutside(t *testing.T) {
	for _, c := range []struct{ x, n int64 }{{0, 10}, {5, 10}, {1, 400}, {10, 10}, {37, 1000}} {
		e := ClopperPearson(c.x, c.n)
		if c.x > 0 {
			if p := 1 - binomial(int(c.x)-1, int(c.n), e.Low); !near(p, 0.025, 1e-6) {
				t.Errorf("%d of %d: P(at least as many | low end) = %g", c.x, c.n, p)
			}
		} else if e.Low != 0 {
			t.Errorf("%d of %d: low end %g", c.x, c.n, e.Low)
		}
		if c.x < c.n {
			if p := binomial(int(c.x), int(c.n), e.High); !near(p, 0.025, 1e-6) {
				t.Errorf("%d of %d: P(at most as many | high end) = %g", c.x, c.n, p)
			}
		} else if e.High != 1 {
			t.Errorf("%d of %d: high end %g", c.x, c.n, e.High)
		}
	}
	if e := ClopperPearson(0, 10); !near(e.High, 0.30849710781876083, 1e-9) { // 1 − 0.025^(1/10)
		t.Errorf("0 of 10: high end %g", e.High)
	}
}

func TestTheExceedanceTestIsTheBinomialOne(t *testing.T) {
	for _, c := range []struct {
		x, n    int
		allowed float64
	}{{0, 450, 0.01}, {0, 600, 0.01}, {1, 600, 0.01}, {2, 1000, 0.01}, {20, 1000, 0.01}, {12, 1000, 0.01}, {3, 400, 0.01}, {60, 100, 0.5}, {61, 100, 0.5}, {4, 20, 0.01}, {5, 20, 0.01}} {
		tail := Tail{int64(c.x), int64(c.n), float64(c.n)}
		if !near(tail.upper(c.allowed), binomial(c.x, c.n, c.allowed), 1e-7) || c.x > 0 && math.Abs(tail.lower(c.allowed)-(1-binomial(c.x-1, c.n, c.allowed))) > 1e-9 {
			t.Errorf("%+v: upper %g, lower %g", c, tail.upper(c.allowed), tail.lower(c.allowed))
		}
		within := float64(c.n)*c.allowed >= Floor && binomial(c.x, c.n, c.allowed) <= 0.025
		beyond := c.x >= Floor && c.x > 0 && 1-binomial(c.x-1, c.n, c.allowed) <= 0.025
		if tail.Within(c.allowed) != within || tail.Beyond(c.allowed) != beyond {
			t.Errorf("%+v: Within %v, Beyond %v; want %v, %v", c, tail.Within(c.allowed), tail.Beyond(c.allowed), within, beyond)
		}
	}
}

func TestLeastSamplesIsWhereAConstantServerIsSettled(t *testing.T) {
	for _, q := range []float64{0.5, 0.9, 0.99} {
		n := int(LeastSamples(q))
		closed := func(n int) bool {
			values := make([]float64, n)
			for i := range values {
				values[i] = 7
			}
			return !math.IsInf(OfValues(Cut(values, Batches(n))).Quantile(q).High, 1)
		}
		if !closed(n) || closed(n-1) {
			t.Errorf("p%g: closed at %d: %v, at %d: %v", q*100, n, closed(n), n-1, closed(n-1))
		}
	}
}

func TestQuantileEndsAreWhereTheTestTurns(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, n := range []int{40, 300, 900} {
		values := make([]float64, n)
		for i := range values {
			values[i] = rng.ExpFloat64()
		}
		s := OfValues(Cut(values, Batches(n)))
		sorted := slices.Sorted(slices.Values(values))
		for _, q := range []float64{0.5, 0.9, 0.95} {
			high, low := math.Inf(1), math.Inf(-1)
			for i := n - 1; i >= 0 && s.Tail(sorted[i], false).Within(1-q); i-- {
				high = sorted[i]
			}
			for i := 0; i < n && s.Tail(sorted[i], true).Beyond(1-q); i++ {
				low = sorted[i]
			}
			e := s.Quantile(q)
			if e.Low != low || e.High != high || e.Point != sorted[Rank(q, int64(n))-1] {
				t.Errorf("n=%d p%g: %g [%g, %g], want [%g, %g]", n, q*100, e.Point, e.Low, e.High, low, high)
			}
		}
	}
}

func TestAQuantileAmongValuesThatNeverCameIsInfinite(t *testing.T) {
	values := make([]float64, 1000)
	for i := range values {
		values[i] = float64(i % 10)
		if i%20 == 0 {
			values[i] = math.Inf(1)
		}
	}
	e := OfValues(Cut(values, Batches(1000))).Quantile(0.99)
	if !math.IsInf(e.Point, 1) || !math.IsInf(e.Low, 1) || !math.IsInf(e.High, 1) {
		t.Errorf("p99 with 5 %% failures = %g [%g, %g], want +Inf throughout", e.Point, e.Low, e.High)
	}
	for i := range values {
		values[i] = math.Inf(1)
	}
	if e := OfValues(Cut(values, Batches(1000))).Quantile(0.5); !math.IsInf(e.Low, 1) {
		t.Errorf("p50 when all fail has the low end %g, want +Inf", e.Low)
	}
}

func TestMeanEstimateByHand(t *testing.T) {
	// Batch means 1, 2, 3, 6 of four values each: mean 3, their deviation is
	// √(14/3), half width t₃ · √(14/3)/√4.
	s := OfValues([][]float64{{1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}, {6, 6, 6, 6}})
	e := s.MeanEstimate()
	half := 3.182446305 * math.Sqrt(14.0/3) / 2
	if e.Point != 3 || !near(e.High, 3+half, 1e-9) || !near(e.Low, 3-half, 1e-9) || e.N != 16 {
		t.Errorf("MeanEstimate = %g [%g, %g] n %d, want 3 ± %g", e.Point, e.Low, e.High, e.N, half)
	}
	// 14/3 is the variance of a batch mean; that of a value is (56/15); so
	// the sample is worth 16 · (56/15)/16 / (14/3/4) = 3.2 values.
	if got := s.Effective(); !near(got, 3.2, 1e-9) {
		t.Errorf("Effective = %g, want 3.2", got)
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

func TestTrendByHand(t *testing.T) {
	// y = 1, 2, 3, 5: slope 6.5/5, residuals 0.2 −0.1 −0.4 0.3, se √(0.3/2/5);
	// with two degrees of freedom P = 1 − t/√(2 + t²).
	got := TrendOf([]float64{1, 2, 3, 5})
	tt := 1.3 / math.Sqrt(0.03)
	if !near(got.Change, 3.9, 1e-12) || !near(got.P, 1-tt/math.Sqrt(2+tt*tt), 1e-9) || got.Mean != 2.75 {
		t.Errorf("TrendOf = %+v", got)
	}
	if flat := TrendOf([]float64{2, 2, 2, 2, 2}); flat.P != 1 || flat.Change != 0 {
		t.Errorf("a flat line has the trend %+v", flat)
	}
}

// Seeds are fixed; each bound is crossed by a true process with a chance of
// 1e-6 or less.
func TestArrivalLawsAreToldApart(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	exponential, uniform := make([]float64, 2000), make([]float64, 2000)
	poisson, even, twins := make([]float64, 60), make([]float64, 60), make([]float64, 60)
	for i := range exponential {
		exponential[i], uniform[i] = rng.ExpFloat64()/40, rng.Float64()/20
		poisson[rng.IntN(60)]++
		even[i%60]++
	}
	for range 200 { // ten workers with one seed: each arrival tenfold
		twins[rng.IntN(60)] += 10
	}
	if p := ExponentialP(exponential, 1.0/40); p < 1e-6 {
		t.Errorf("exponential gaps: p = %g", p)
	}
	if p := ExponentialP(uniform, 1.0/40); p > 1e-6 {
		t.Errorf("uniform gaps: p = %g", p)
	}
	for name, c := range map[string]struct {
		counts []float64
		true   bool
	}{"poisson": {poisson, true}, "even": {even, false}, "twins": {twins, false}} {
		if p := DispersionP(c.counts); p < 1e-6 == c.true {
			t.Errorf("%s counts: p = %g", name, p)
		}
	}
}
