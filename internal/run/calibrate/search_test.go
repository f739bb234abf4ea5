package calibrate

import (
	"math"
	"testing"
)

// find goes through a search on a machine that carries whatever carries says,
// and returns what was tried.
func find(t *testing.T, p Plan, carries func(n int, rate float64) Try) []Try {
	t.Helper()
	var tried []Try
	for {
		rate, more := Next(p, tried)
		if !more {
			return tried
		}
		if len(tried) >= p.Most {
			t.Fatalf("tried %d rates, %d are the most", len(tried)+1, p.Most)
		}
		tried = append(tried, carries(len(tried), rate))
	}
}

// linear is a machine whose CPU grows with the rate and breaks at the ceiling.
func linear(ceiling float64) func(int, float64) Try {
	return func(_ int, rate float64) Try { return Try{Rate: rate, Held: rate < ceiling, Use: rate / ceiling} }
}

func TestTheCeilingIsFoundWithinThePrecisionWhereverTheSearchStarts(t *testing.T) {
	for _, start := range []float64{10, 900, 1000, 1001, 5000, 300_000} {
		for _, blind := range []bool{false, true} {
			tried := find(t, Plan{Start: start, Least: 1, Precision: 1.1, Most: 40}, func(n int, rate float64) Try {
				one := linear(1000)(n, rate)
				if blind {
					one.Use = 0
				}
				return one
			})
			held, broke := Ceiling(tried)
			if held == nil || broke == nil || held.Rate >= 1000 || broke.Rate < 1000 || broke.Rate > held.Rate*1.1 {
				t.Errorf("from %g, blind %t: held %+v, broke %+v, want them around 1000 and within 1.1 of each other", start, blind, held, broke)
			}
		}
	}
}

func TestTheCPUInUseShortensTheSearch(t *testing.T) {
	p := Plan{Start: 100, Least: 1, Precision: 1.15, Most: 40}
	tried := find(t, p, linear(6000))
	// By hand: 100 (use 1/60: the longest step) → 800 (3/40: ×7.5) → 6400 by
	// the longest step → broke; √(800·6400) = 2263 …: never more than 8.
	if len(tried) > 8 {
		t.Errorf("%d probes: %+v, want 8 at the most", len(tried), tried)
	}
	if tried[1].Rate != 800 {
		t.Errorf("the second rate is %g, want 800: eight times the first is the longest step", tried[1].Rate)
	}
}

func TestAMomentOfSomethingElseDoesNotHalveTheCeiling(t *testing.T) {
	hiccup := func(n int, rate float64) Try {
		one := linear(1000)(n, rate)
		one.Held = one.Held && n != 0
		return one
	}
	tried := find(t, Plan{Start: 500, Least: 1, Precision: 1.1, Chances: 2, Most: 40}, hiccup)
	if held, _ := Ceiling(tried); held == nil || held.Rate < 900 {
		t.Errorf("with a second chance: %+v, want a ceiling near 1000", held)
	}
	if tried[1].Rate != 500 {
		t.Errorf("after a break at 500 the next rate is %g, want 500 once more", tried[1].Rate)
	}
}

func TestASearchThatNothingHoldsEnds(t *testing.T) {
	tried := find(t, Plan{Start: 1000, Least: 10, Precision: 1.1, Most: 40}, func(_ int, rate float64) Try { return Try{Rate: rate, Use: 0.1} })
	held, broke := Ceiling(tried)
	if held != nil || broke == nil || broke.Rate < 10 || broke.Rate > 12.5 {
		t.Errorf("held %+v, broke %+v, want nothing held down to the least rate", held, broke)
	}
}

func TestASearchThatNothingBreaksEndsWithItsProbes(t *testing.T) {
	tried := find(t, Plan{Start: 1, Least: 1, Precision: 1.1, Most: 5}, func(_ int, rate float64) Try { return Try{Rate: rate, Held: true} })
	held, broke := Ceiling(tried)
	if len(tried) != 5 || held == nil || held.Rate != 16 || broke != nil {
		t.Errorf("%d probes, held %+v, broke %+v, want 5, 16 and none", len(tried), held, broke)
	}
}

func TestARateThatBrokeBelowOneThatHeldIsNoCeiling(t *testing.T) {
	held, broke := Ceiling([]Try{{Rate: 10, Held: false}, {Rate: 20, Held: true}, {Rate: 40, Held: false}, {Rate: 30, Held: false}})
	if held == nil || held.Rate != 20 || broke == nil || broke.Rate != 30 {
		t.Errorf("held %+v, broke %+v, want 20 and 30", held, broke)
	}
	if rate, more := Next(Plan{Start: 10, Precision: 1.1, Most: 9}, []Try{{Rate: 20, Held: true}, {Rate: 30}}); !more || math.Abs(rate-24.494897) > 1e-6 {
		t.Errorf("next %g, %t, want √600", rate, more)
	}
}
