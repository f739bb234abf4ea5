package result_test

// The mistakes that load generators are known for, each made on purpose, and
// traffic without a mistake.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"assay/internal/arrival"
	"assay/internal/contract"
	"assay/internal/record"
	"assay/internal/result"
)

// asking is a contract of one stream without warm-up.
func asking(t testing.TB, rate, shape string, seconds int, seed uint64) *contract.Contract {
	t.Helper()
	return load(t, fmt.Sprintf(`
version: 1
seed: %d
target: {url: "http://127.0.0.1:8000", model: m}
traffic: {rate: %s, arrivals: %s, duration: %ds, warmup: 0s}
workload: {input_tokens: 100, output_tokens: 1}
slo: [error_rate < 1%%]
`, seed, rate, shape, seconds))
}

// A departure is a request by what the client believed was due and when it left.
type departure struct {
	seq       uint64
	due, left int64
}

// faithful sends the schedule with a lag of 0.2 ms on average, less than 5 ms.
func faithful(c *contract.Contract, rng *rand.Rand) []departure {
	s := &c.Streams[0]
	var list []departure
	for due := range arrival.Schedule(s.Arrival(), c.Seed, s.Name, 0, int64(s.Traffic.Duration), s.Traffic.Requests) {
		lag := min(5e6, int64(rng.ExpFloat64()*0.2e6))
		list = append(list, departure{due.Seq, due.At, due.At + lag})
	}
	return list
}

// arrivalsOf is what Build says of a run that sent so.
func arrivalsOf(t testing.TB, c *contract.Contract, sent []departure) *result.Result {
	t.Helper()
	list := make([]record.Record, len(sent))
	for i, d := range sent {
		r := record.New(c.Streams[0].Name, d.seq)
		r.Phase, r.Streamed, r.Reused = record.Measured, true, true
		r.Due, r.Free, r.Released, r.Ready, r.Sent, r.Written = d.due, d.due, d.left, d.left, d.left, d.left
		r.Clock, r.HTTPStatus, r.Status = record.Kernel, 200, record.OK
		at := d.left + ms
		r.Events = []record.Event{record.NewEvent(at, at, record.Text, 1, true)}
		r.First, r.FirstOutput, r.Last, r.Ended, r.TTFB = at, at, at, at, ms
		r.WantOutput, r.Output, r.TokenSource = 1, 1, record.FromUsage
		list[i] = r
	}
	return build(t, c, list, machines(0.1))
}

func failing(a result.Arrivals) (names []string) {
	for _, c := range a.Checks {
		if !c.Holds {
			names = append(names, c.Name)
		}
	}
	return names
}

// 200 runs, a chance of 1e-6 each at most of being called false: 2e-4 that
// this test fails with other seeds than these.
func TestTrafficWithoutAMistakePassesUnderEverySeed(t *testing.T) {
	for seed := range uint64(100) {
		for _, shape := range []string{"poisson", "constant"} {
			c := asking(t, "50/s", shape, 20, seed)
			a := arrivalsOf(t, c, faithful(c, rand.New(rand.NewPCG(seed, 0)))).Arrivals
			if a.Holds == nil || !*a.Holds || a.Test != "as asked" || len(a.Checks) < 6 {
				t.Errorf("%s, seed %d: %s, %v", shape, seed, a.Test, failing(a))
			}
		}
	}
}

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

func TestARequestThatLeavesInTimeCountsAsDueAndALateRunDoesNot(t *testing.T) {
	c := asking(t, "1000/s", "constant", 10, 1)
	sent := faithful(c, rand.New(rand.NewPCG(3, 3)))
	for i := range sent { // leaves every 4 ms what was due in them
		sent[i].left = (sent[i].due + 4e6 - 1) / 4e6 * 4e6
	}
	if a := arrivalsOf(t, c, sent).Arrivals; a.Holds == nil || !*a.Holds || *a.GapCV < 1 {
		t.Errorf("in time: %s %v, gap CV %v, want it as asked and the CV of batches of four", a.Test, failing(a), *a.GapCV)
	}
	for i := range sent { // and every 40 ms
		sent[i].left = (sent[i].due + 40e6 - 1) / 40e6 * 40e6
	}
	a := arrivalsOf(t, c, sent).Arrivals
	if a.Holds == nil || *a.Holds || !slices.Contains(failing(a), "cv") || !slices.Contains(failing(a), "schedule") {
		t.Errorf("late: %s %v, want cv and schedule broken", a.Test, failing(a))
	}
}

func TestOpeningAConnectionIsNotTheClientsLateness(t *testing.T) {
	c := load(t, quick)
	list := server(c, 80*ms, 10*ms, 20_000)
	for i := range list {
		r := &list[i]
		r.Reused, r.Connect = false, 900*ms
		for _, stamp := range []*int64{&r.Ready, &r.Sent, &r.Written} {
			*stamp += 900 * ms
		}
	}
	if a := build(t, c, list, machines(0.1)).Arrivals; a.Holds == nil || !*a.Holds {
		t.Errorf("slow connections: %s %v", a.Test, failing(a))
	}
	for i := range list {
		list[i].Sent += 900 * ms
	}
	if a := build(t, c, list, machines(0.1)).Arrivals; a.Holds == nil || *a.Holds {
		t.Errorf("slow sending: %s", a.Test)
	}
}

func TestTooFewRequestsAreNeverAPass(t *testing.T) {
	few := asking(t, "2/s", "poisson", 30, 1)
	a := arrivalsOf(t, few, faithful(few, rand.New(rand.NewPCG(1, 1)))).Arrivals
	if a.Holds != nil || a.Test != "main: too few requests to tell" {
		t.Errorf("60 requests: %v %q", a.Holds, a.Test)
	}
	short := asking(t, "50/s", "poisson", 1, 1) // enough for windows of counts, but not for the law
	a = arrivalsOf(t, short, faithful(short, rand.New(rand.NewPCG(1, 1)))).Arrivals
	if a.Holds != nil || a.Test != "main: too few requests to tell" {
		t.Errorf("a second at 50/s: %v %q", a.Holds, a.Test)
	}
	// A plan that is not kept is seen in fewer than a law needs.
	a = arrivalsOf(t, few, faithful(few, rand.New(rand.NewPCG(1, 1)))[10:]).Arrivals
	if a.Holds == nil || *a.Holds || !slices.Equal(failing(a), []string{"sent"}) {
		t.Errorf("ten of 60 dropped: %v %q", a.Holds, a.Test)
	}
	closed := load(t, strings.Replace(quick, "rate: 20/s", "concurrency: 4", 1))
	a = build(t, closed, server(few, 80*ms, 0, 0), machines(0.1)).Arrivals
	if a.Holds != nil || a.Test != "not applicable: closed loop" || a.Checks == nil || len(a.Checks) != 0 {
		t.Errorf("closed loop: %+v", a)
	}
}

func TestOneStreamOfSeveralIsNamed(t *testing.T) {
	c := load(t, `
version: 1
target: {url: "http://127.0.0.1:8000", model: m}
traffic: {duration: 20s, warmup: 0s}
streams:
  - {name: chat, traffic: {rate: 50/s}, workload: {input_tokens: 9, output_tokens: 1}, slo: [error_rate < 1%]}
  - {name: batch, traffic: {rate: 50/s, arrivals: constant}, workload: {input_tokens: 9, output_tokens: 1}, slo: [error_rate < 1%]}
`)
	var list []record.Record
	for i := range c.Streams {
		s := &c.Streams[i]
		for due := range arrival.Schedule(s.Arrival(), c.Seed, s.Name, 0, int64(s.Traffic.Duration), 0) {
			r := record.New(s.Name, due.Seq)
			r.Phase, r.Status = record.Measured, record.Cancelled
			r.Due, r.Free, r.Released = due.At, due.At, due.At
			if s.Name == "batch" && due.At > 15e9 {
				r.Released += 20 * ms
			}
			list = append(list, r)
		}
	}
	a := build(t, c, list, machines(0.1)).Arrivals
	if a.Holds == nil || *a.Holds || !strings.HasPrefix(a.Test, "batch: ") {
		t.Errorf("%v %q, want batch blamed", a.Holds, a.Test)
	}
	for _, check := range a.Checks {
		if check.Stream == "" || check.Stream == "chat" && !check.Holds {
			t.Errorf("check %+v: want a stream on each, and chat as asked", check)
		}
	}
}

// A trace is its own law: twins and silences are as asked when they are in it.
func TestATraceIsHeldAgainstItsPlanAlone(t *testing.T) {
	c := load(t, strings.Replace(quick, "rate: 20/s, ", "arrivals: trace, shape: {file: t.csv}, ", 1))
	var file strings.Builder
	file.WriteString("time\n")
	for i := range 100 {
		fmt.Fprintf(&file, "%d.5\n", i/10)
	}
	if err := c.ReadArrivals(fstest.MapFS{"t.csv": {Data: []byte(file.String())}}); err != nil {
		t.Fatal(err)
	}
	s := &c.Streams[0]
	var sent []departure
	for due := range arrival.Schedule(s.Arrival(), c.Seed, s.Name, int64(*s.Traffic.Warmup), int64(s.Traffic.Duration), 0) {
		if due.Measured {
			sent = append(sent, departure{due.Seq, due.At, due.At})
		}
	}
	a := arrivalsOf(t, c, sent).Arrivals
	if len(sent) != 100 || a.Holds == nil || !*a.Holds || len(a.Checks) != 3 {
		t.Errorf("%d requests sent: %q, %+v", len(sent), a.Test, a.Checks)
	}
	for i := range sent {
		sent[i].left += int64(i) * ms
	}
	if a = arrivalsOf(t, c, sent).Arrivals; a.Holds == nil || *a.Holds || !strings.Contains(a.Test, "drift") {
		t.Errorf("drifting: %q, %+v", a.Test, a.Checks)
	}
	if a = arrivalsOf(t, c, sent[:0]).Arrivals; a.Holds == nil || *a.Holds || !strings.Contains(a.Test, "of the plan left") {
		t.Errorf("nothing sent: %q, %+v", a.Test, a.Checks)
	}
}

func TestVariationAndDispersionAreOfWhatLeft(t *testing.T) {
	c := asking(t, "4/s", "constant", 5, 1)
	var sent []departure
	for i := range int64(20) { // pairs, 0.5 s apart
		sent = append(sent, departure{uint64(i), i * 250 * ms, i / 2 * 500 * ms})
	}
	a := arrivalsOf(t, c, sent).Arrivals
	// 19 gaps: 10 of 0, 9 of 0.5 s; four requests in each second.
	mean := 9.0 / 19
	want := math.Sqrt((10*mean*mean+9*(1-mean)*(1-mean))/18) / mean
	is(t, "gap_cv", a.GapCV, want)
	is(t, "dispersion", a.Dispersion, 0)
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
