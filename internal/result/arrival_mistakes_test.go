package result_test

// The mistakes that load generators are known for, each made on purpose.

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"assay/internal/arrival"
	"assay/internal/contract"
	"assay/internal/result"
)

// mistakes are departures that a client with that mistake makes of a contract
// for Poisson traffic of that rate. Where a mistake is in the client's own
// schedule, it believes in it: each request leaves when it thinks it is due.
var mistakes = []struct {
	name string
	make func(c *contract.Contract, rate float64, rng *rand.Rand) []departure
	says string
}{
	{"eight workers share a seed", sharedSeed, "in batches"},
	{"sleeps are relative", relativeSleeps, "drift from the plan"},
	{"the backlog of a stall is dropped", backlogDropped, "of the plan left"},
	{"every second is made to hold its number", renormalised, "too even"},
}

// sharedSeed: each of eight workers draws the same process of an eighth of the rate.
func sharedSeed(c *contract.Contract, rate float64, rng *rand.Rand) []departure {
	var list []departure
	end := float64(c.Streams[0].Traffic.Duration)
	for t := rng.ExpFloat64() * 8e9 / rate; t < end; t += rng.ExpFloat64() * 8e9 / rate {
		for range 8 {
			seq := uint64(len(list))
			list = append(list, departure{seq, int64(t), int64(t + rng.ExpFloat64()*0.1e6)})
		}
	}
	return list
}

// relativeSleeps: the client sleeps for each gap of the plan, and sending takes
// 0.3 ms each time.
func relativeSleeps(c *contract.Contract, _ float64, _ *rand.Rand) []departure {
	s := &c.Streams[0]
	var list []departure
	for due := range arrival.Schedule(s.Arrival(), c.Seed, s.Name, 0, int64(s.Traffic.Duration), 0) {
		late := due.At + int64(len(list))*300_000
		list = append(list, departure{due.Seq, late, late})
	}
	return list
}

// backlogDropped: every 10 s the client stands still for half a second, and
// forgets what was due meanwhile.
func backlogDropped(c *contract.Contract, _ float64, rng *rand.Rand) []departure {
	return slices.DeleteFunc(faithful(c, rng), func(d departure) bool { return d.due%10e9 > 0.5e9 && d.due%10e9 < 1e9 })
}

// renormalised: each second has exactly its number of requests, at uniform instants.
func renormalised(c *contract.Contract, rate float64, rng *rand.Rand) []departure {
	var list []departure
	for second := range int(c.Streams[0].Traffic.Duration / 1e9) {
		at := make([]int64, int(rate))
		for i := range at {
			at[i] = int64(second)*1e9 + rng.Int64N(1e9)
		}
		slices.Sort(at)
		for _, t := range at {
			list = append(list, departure{uint64(len(list)), t, t})
		}
	}
	return list
}

func TestKnownMistakesAreCaughtAndNamed(t *testing.T) {
	for _, m := range mistakes {
		c := asking(t, "50/s", "poisson", 40, 1)
		r := arrivalsOf(t, c, m.make(c, 50, rand.New(rand.NewPCG(7, 7))))
		a := r.Arrivals
		if a.Holds == nil || *a.Holds || !strings.HasPrefix(a.Test, "main: ") || !strings.Contains(a.Test, m.says) {
			t.Errorf("%s: %q, %v, want %q", m.name, a.Test, failing(a), m.says)
		}
		said := slices.ContainsFunc(r.ClaimWhy, func(w result.Reason) bool {
			return w.Code == "arrivals" && strings.Contains(w.Text, m.says)
		})
		if r.Claim || !said {
			t.Errorf("%s: claim %v, %+v, want the reason arrivals", m.name, r.Claim, r.ClaimWhy)
		}
		t.Logf("%s: %s; %v", m.name, a.Test, failing(a))
	}
}

// caught tells whether the run is called false, and whether the law alone does
// it: by the checks that have a chance. They are what is left where the plan is
// wrong in the same way.
func caught(t testing.TB, m int, n int, seed uint64) (at, byLaw bool) {
	t.Helper()
	c := asking(t, "50/s", "poisson", n/50, seed)
	a := arrivalsOf(t, c, mistakes[m].make(c, 50, rand.New(rand.NewPCG(seed, 9)))).Arrivals
	for _, check := range a.Checks {
		byLaw = byLaw || check.P != nil && !check.Holds
	}
	return a.Holds != nil && !*a.Holds, byLaw
}

// 20 seeds each. docs/arrivals.md says in how many requests how often.
func TestMistakesAreCaughtInRunsAsShortAsThese(t *testing.T) {
	for m, enough := range []struct{ requests, byLaw int }{{100, 200}, {100, 0}, {100, 10_000}, {100, 500}} {
		for seed := range uint64(20) {
			if at, _ := caught(t, m, enough.requests, seed); !at {
				t.Errorf("%s: not caught in %d requests, seed %d", mistakes[m].name, enough.requests, seed)
			}
			if enough.byLaw == 0 {
				continue // 1.5 % of the rate: too many requests for a test
			}
			if _, byLaw := caught(t, m, enough.byLaw, seed); !byLaw {
				t.Errorf("%s: not caught by the law in %d requests, seed %d", mistakes[m].name, enough.byLaw, seed)
			}
		}
	}
}

// The power of the test: the share of runs that are called false. Make the table
// of docs/arrivals.md with -benchtime 200x; how long it takes means nothing.
func BenchmarkMistakes(b *testing.B) {
	for m := range mistakes {
		for _, n := range []int{100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000} {
			b.Run(fmt.Sprintf("%s/n=%d", mistakes[m].name, n), func(b *testing.B) {
				both, lawful := 0.0, 0.0
				for seed := range uint64(b.N) {
					at, byLaw := caught(b, m, n, seed)
					if at {
						both++
					}
					if byLaw {
						lawful++
					}
				}
				b.ReportMetric(100*both/float64(b.N), "%caught")
				b.ReportMetric(100*lawful/float64(b.N), "%by-law")
			})
		}
	}
}
