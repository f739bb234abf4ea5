package result_test

// What is said of requests that left as asked, late, or hardly at all. The
// mistakes that load generators are known for have a file of their own.

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
