package stats

// The exceedance test and its inversion against sums of binomial terms.

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

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
