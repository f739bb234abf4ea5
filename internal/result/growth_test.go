package result

// Who may grow, by hand: each case is a verdict with its reasons.

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/contract"
	"assay/internal/observation"
)

// run is a result of n processes with this status and these reasons.
func run(n int, status string, codes ...string) *Result {
	r := &Result{Client: Client{Processes: n}, Verdict: Verdict{Status: status}}
	for _, c := range codes {
		r.Verdict.Reasons = append(r.Verdict.Reasons, Reason{Code: c})
	}
	return r
}

func TestOnlyAClientThatWasTheLimitGrowsAndOnlyWhereItHelps(t *testing.T) {
	for _, c := range []struct {
		name string
		r    *Result
		most int
		grow bool
		next int
		why  string
	}{
		{"a pass", run(1, Pass), 64, true, 0, ""},
		{"a fail", run(1, Fail), 64, true, 0, ""},
		{"default objectives", run(8, Inconclusive, "default_objectives"), 64, true, 0, ""},
		{"a hot worker", run(1, Invalid, "cpu"), 64, true, 2, ""},
		{"late sends", run(8, Invalid, "send_lag"), 64, true, 16, ""},
		{"late reads", run(8, Invalid, "read_lag", "coalesced"), 64, true, 16, ""},
		{"what was not sent", run(3, Invalid, "delivered"), 64, true, 6, ""},
		{"up to the most", run(40, Invalid, "cpu"), 64, true, 64, ""},
		{"at the most", run(64, Invalid, "cpu"), 64, true, 0, "64 processes"},
		{"a hot machine", run(8, Invalid, "machine_cpu", "cpu", "send_lag"), 64, true, 0, "machine itself is busy"},
		{"a hot machine alone", run(8, Invalid, "machine_cpu"), 64, true, 0, "machine itself is busy"},
		{"not to grow", run(8, Invalid, "cpu"), 64, false, 0, "--no-grow"},
		{"a dead worker", run(8, Invalid, "incomplete", "cpu"), 64, true, 0, ""},
		{"interrupted", run(8, Invalid, "interrupted", "send_lag"), 64, true, 0, ""},
		{"doubling moved the numbers", run(8, Invalid, "doubling"), 64, true, 0, ""},
	} {
		next, why := Growth(c.r, c.most, c.grow)
		if next != c.next || (why == "") != (c.why == "") || !strings.Contains(why, c.why) {
			t.Errorf("%s: Growth = %d, %q, want %d, %q", c.name, next, why, c.next, c.why)
		}
	}
}

func TestAClosedLoopGrowsToItsSlotsAndNoFurther(t *testing.T) {
	for _, c := range []struct{ concurrency, processes, most, want int }{
		{0, 8, 64, 64}, {100, 8, 64, 64}, {12, 8, 64, 12}, {4, 8, 64, 8},
	} {
		k := &contract.Contract{Client: contract.Client{Processes: c.processes, MaxProcesses: c.most}}
		k.Streams = []contract.Stream{{Name: "main", Traffic: contract.Traffic{Concurrency: c.concurrency, Rate: 1}}}
		if c.concurrency > 0 {
			k.Streams[0].Traffic.Rate = 0
		}
		if got := MostProcesses(k); got != c.want {
			t.Errorf("MostProcesses(concurrency %d, %d processes, most %d) = %d, want %d", c.concurrency, c.processes, c.most, got, c.want)
		}
	}
}

func TestTwoRunsAreComparedByTheirIntervals(t *testing.T) {
	v := func(x float64) *float64 { return &x }
	a := &Result{Rates: Rates{Request: v(28), RequestCI: [2]*float64{v(27), v(29)}}, Metrics: map[string]Metric{
		"ttft_ms": {P50: v(1), P99: v(2), CI: &CI{P50: [2]*float64{v(0.9), v(1.1)}, P99: [2]*float64{v(1.5), nil}}},
	}}
	b := &Result{Rates: Rates{Request: v(39), RequestCI: [2]*float64{v(38), v(40)}}, Metrics: map[string]Metric{
		"ttft_ms": {P50: v(3), P99: v(9), CI: &CI{P50: [2]*float64{v(2.9), v(3.1)}, P99: [2]*float64{nil, nil}}},
	}}
	got := Compare(a, b)
	want := []observation.Comparison{
		{Name: "request_rate", This: v(28), CI: [2]*float64{v(27), v(29)}, Other: v(39), OtherCI: [2]*float64{v(38), v(40)}},
		{Name: "ttft_ms p50", This: v(1), CI: [2]*float64{v(0.9), v(1.1)}, Other: v(3), OtherCI: [2]*float64{v(2.9), v(3.1)}},
		{Name: "ttft_ms p99", This: v(2), CI: [2]*float64{v(1.5), nil}, Other: v(9)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Compare (-want +got)\n%s", diff)
	}
}
