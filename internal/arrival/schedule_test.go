// A schedule is a promise to the nanosecond: these tests hold the window, the
// numbering and the instants.
package arrival

import (
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	ms  = int64(time.Millisecond)
	sec = int64(time.Second)
)

func TestTheWindowIsHalfOpenAndTrafficGoesOnIntoIt(t *testing.T) {
	got := slices.Collect(Schedule(Spec{Shape: Constant, Rate: 4}, 1, "main", sec/2, sec, 0))
	want := []Due{
		{0, 0, false},
		{1, 250 * ms, false},
		{2, 500 * ms, true},
		{3, 750 * ms, true},
		{4, 1000 * ms, true},
		{5, 1250 * ms, true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("schedule (-want +got):\n%s", diff)
	}
}

func TestRequestsReplaceTheDurationAndComeAfterTheWarmup(t *testing.T) {
	for shape, spec := range examples(t, 100) {
		measured, warm := 0, 0
		for due := range Schedule(spec, 1, "main", sec, 1, 250) {
			if due.Measured != (due.At >= sec) {
				t.Fatalf("%s: request %d at %d: measured = %v", shape, due.Seq, due.At, due.Measured)
			}
			if due.Seq != uint64(measured+warm) {
				t.Fatalf("%s: request %d comes after %d others", shape, due.Seq, measured+warm)
			}
			if due.Measured {
				measured++
			} else {
				warm++
			}
		}
		if measured != 250 || warm == 0 {
			t.Errorf("%s: %d measured and %d of the warm-up, want 250 and some", shape, measured, warm)
		}
	}
}

// The oracle is k/R in whole fractions.
func TestConstantNeverDriftsFromKOverR(t *testing.T) {
	for _, rate := range []float64{0.1, 1.0 / 3, 3, 7.7, 40, 1700, 99_999} {
		for due := range Schedule(Spec{Shape: Constant, Rate: rate}, 1, "main", 0, 0, 200_000) {
			if due.Seq%997 != 0 && due.Seq < 199_999 {
				continue
			}
			exact := new(big.Rat).SetFrac64(int64(due.Seq)*sec, 1)
			exact.Quo(exact, new(big.Rat).SetFloat64(rate))
			diff := exact.Sub(exact, new(big.Rat).SetInt64(due.At))
			// Half a nanosecond of rounding, and what a float64 of 2e15 ns can't hold.
			if off, _ := diff.Float64(); math.Abs(off) > 0.76 {
				t.Fatalf("rate %v: request %d is due %v ns off k/R", rate, due.Seq, off)
			}
		}
	}
}

// Frozen: a contract of today has this plan for ever, also under a later Go.
// The wanted values come from a separate program in another language: the
// streams of package seed, and the ziggurat of Marsaglia and Tsang with tables
// computed from its definition.
func TestPoissonIsTheOneOfEveryEarlierRelease(t *testing.T) {
	var got []int64
	for due := range Schedule(Spec{Shape: Poisson, Rate: 40}, 1, "main", 0, 0, 5) {
		got = append(got, due.At)
	}
	want := []int64{18903120, 48603872, 74496212, 101345089, 125855841}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("first due times (-want +got):\n%s", diff)
	}
}

func TestEveryStreamAndSeedHasInstantsOfItsOwn(t *testing.T) {
	first := func(seed uint64, stream string) int64 {
		for due := range Schedule(Spec{Shape: Poisson, Rate: 1}, seed, stream, 0, 0, 1) {
			return due.At
		}
		return -1
	}
	a, b, c := first(1, "main"), first(2, "main"), first(1, "other")
	if a == b || a == c || b == c {
		t.Errorf("first due times %d, %d, %d: want three different ones", a, b, c)
	}
}

func TestAScheduleEndsAtTheEndOfTime(t *testing.T) {
	n := 0
	for due := range Schedule(Spec{Shape: Constant, Rate: 1e-9}, 1, "main", 0, 0, 1000) {
		if due.At < 0 {
			t.Fatalf("request %d is due at %d", due.Seq, due.At)
		}
		n++
	}
	if n != 10 { // 2^63 ns are 9.22e9 s: requests 0 to 9
		t.Errorf("%d requests in 292 years, want 10", n)
	}
}

func TestWhatCannotBeScheduledIsRefused(t *testing.T) {
	for _, s := range []Spec{
		{}, {Shape: "poison", Rate: 1}, {Shape: Poisson}, {Shape: Poisson, Rate: -1},
		{Shape: Constant, Rate: math.NaN()}, {Shape: Constant, Rate: math.Inf(1)},
	} {
		if s.Check() == nil {
			t.Errorf("Check(%+v) = nil, want an error", s)
		}
	}
	_, err := ParseShape("poison")
	if want := `unknown arrivals "poison": known are constant, poisson, gamma, weibull, mmpp, flash, ramp, sine, series, trace`; err == nil || err.Error() != want {
		t.Errorf("ParseShape error = %v, want %s", err, want)
	}
	if got, err := ParseShape("poisson"); got != Poisson || err != nil {
		t.Errorf(`ParseShape("poisson") = %q, %v, want %q`, got, err, Poisson)
	}
}

func BenchmarkSchedule(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		for range Schedule(Spec{Shape: Poisson, Rate: 40}, 1, "main", 0, 0, 1000) {
		}
	}
}
