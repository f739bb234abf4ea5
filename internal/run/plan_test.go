// The plan is what people decide on before they spend money, and what the
// records of a run are compared with.
package run

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/internal/arrival"
	"assay/internal/contract"
	"assay/internal/record"
	"assay/internal/slo"
	"assay/internal/unit"
	"assay/internal/workload"
)

func plannedStream(t *testing.T, traffic contract.Traffic, warmup time.Duration, objectives ...string) contract.Stream {
	t.Helper()
	w := unit.Duration(warmup)
	traffic.Warmup = &w
	s := contract.Stream{
		Name: "main", Traffic: traffic,
		Workload: workload.Spec{
			InputTokens:  workload.Length{Law: "normal", A: 550, B: 150},
			OutputTokens: workload.Length{Law: "constant", A: 20},
		},
	}
	for _, text := range objectives {
		o, err := slo.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		s.SLO = append(s.SLO, o)
	}
	return s
}

func planned(t *testing.T, streams ...contract.Stream) *Plan {
	t.Helper()
	p, err := MakePlan(&contract.Contract{Name: "test", Seed: 1, Streams: streams}, fstest.MapFS{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// 40/s for 3 s after a warm-up of 1 s are 40 and 120 requests; the 20 output
// tokens are constant, the input is the sum of what is listed.
func TestAPlanInOpenLoopCountsBothPhases(t *testing.T) {
	s := plannedStream(t, contract.Traffic{Rate: 40, Arrivals: arrival.Constant, Duration: unit.Duration(3 * time.Second)}, time.Second)
	p := planned(t, s)
	got := p.Streams[0]
	var warm, window int64
	n := 0
	for r := range p.Requests() {
		if want := int64(n) * 25_000_000; r.Seq != uint64(n) || *r.DueNS != want || r.Stream != "main" {
			t.Fatalf("request %d is number %d of %s, due at %d, want %d of main", n, r.Seq, r.Stream, *r.DueNS, want)
		}
		if r.Measured != (n >= 40) {
			t.Fatalf("request %d: measured = %v", n, r.Measured)
		}
		if r.Measured {
			window += int64(r.InputTokens)
		} else {
			warm += int64(r.InputTokens)
		}
		n++
	}
	if want := (PlanSum{Requests: 40, InputTokens: warm, OutputTokens: 800}); got.WarmupSum != want {
		t.Errorf("warm-up = %+v, want %+v", got.WarmupSum, want)
	}
	if want := (PlanSum{Requests: 120, InputTokens: window, OutputTokens: 2400}); got.WindowSum != want {
		t.Errorf("window = %+v, want %+v", got.WindowSum, want)
	}
	if mean := float64(warm+window) / 160; math.Abs(got.Input.Mean-mean) > 1e-9 || got.Output.Mean != 20 {
		t.Errorf("means = %v, %v, want %v, 20", got.Input.Mean, got.Output.Mean, mean)
	}
	if !got.Counted || got.Window != 3*time.Second || got.Warmup != time.Second {
		t.Errorf("counted %v, window %v, warm-up %v", got.Counted, got.Window, got.Warmup)
	}
}

func TestThePlanIsWhatAnyFleetWouldSend(t *testing.T) {
	s := plannedStream(t, contract.Traffic{Rate: 100, Arrivals: arrival.Poisson, Duration: unit.Duration(5 * time.Second)}, time.Second)
	want := slices.Collect(planned(t, s).Requests())
	for _, workers := range []int{1, 3, 8} {
		var got []PlannedRequest
		for worker := range workers {
			source, err := workload.New(s.Workload, 1, "main", nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			for due := range arrival.Schedule(s.Arrival(), 1, "main", int64(time.Second), int64(5*time.Second), 0) {
				if arrival.Stripe(due.Seq, worker, workers) {
					r := source.Request(due.Seq)
					at := due.At
					got = append(got, PlannedRequest{Stream: "main", Seq: due.Seq, DueNS: &at, InputTokens: len(strings.Fields(r.Prompt)), OutputTokens: r.OutputTokens, Measured: due.Measured})
				}
			}
		}
		slices.SortFunc(got, func(a, b PlannedRequest) int { return int(a.Seq) - int(b.Seq) })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d workers (-plan +sent):\n%s", workers, diff)
		}
	}
}

func TestANumberOfRequestsEndsAnOpenLoopOneGapAfterTheLast(t *testing.T) {
	s := plannedStream(t, contract.Traffic{Rate: 4, Arrivals: arrival.Constant, Requests: 10}, 0)
	got := planned(t, s).Streams[0]
	if got.WindowSum.Requests != 10 || got.Window != 2500*time.Millisecond {
		t.Errorf("%d requests in %v, want 10 in 2.5s", got.WindowSum.Requests, got.Window)
	}
}

func TestAClosedLoopIsPlannedAsFarAsItsOrderGoes(t *testing.T) {
	for _, c := range []struct {
		traffic contract.Traffic
		warmup  time.Duration
		counted bool
		listed  int
	}{
		{contract.Traffic{Concurrency: 8, Requests: 50}, 0, true, 50},
		{contract.Traffic{Concurrency: 8, Requests: 50}, time.Second, false, sampleSize},
		{contract.Traffic{Concurrency: 8, Duration: unit.Duration(time.Minute)}, 0, false, sampleSize},
	} {
		p := planned(t, plannedStream(t, c.traffic, c.warmup, "ttft p99 < 500ms"))
		listed := 0
		for r := range p.Requests() {
			if r.DueNS != nil || r.Seq != uint64(listed) || r.Measured != (c.warmup == 0) {
				t.Fatalf("%+v: request %d is %+v", c.traffic, listed, r)
			}
			listed++
		}
		got := p.Streams[0]
		if listed != c.listed || got.Counted != c.counted || (got.WindowSum.Requests > 0) != c.counted {
			t.Errorf("%+v: %d listed, counted %v, window %+v; want %d, %v", c.traffic, listed, got.Counted, got.WindowSum, c.listed, c.counted)
		}
		if c.traffic.Requests == 0 && (!got.Objectives[0].Enough || got.Objectives[0].Planned != record.NoCount) {
			t.Errorf("%+v: %+v, want an objective that may be settled", c.traffic, got.Objectives[0])
		}
		if c.traffic.Requests > 0 && got.Objectives[0].Planned != 50 {
			t.Errorf("%+v: planned %d, want 50", c.traffic, got.Objectives[0].Planned)
		}
	}
}

func TestAPlanTooShortForAnObjectiveSaysSo(t *testing.T) {
	s := plannedStream(t, contract.Traffic{Rate: 5, Arrivals: arrival.Constant, Duration: unit.Duration(time.Second)}, 0,
		"ttft p99 < 500ms", "error_rate < 0.1%")
	short := planned(t, s).TooShort()
	if len(short) != 1 || !strings.HasPrefix(short[0], `"ttft p99 < 500ms" needs at least `) || !strings.HasSuffix(short[0], ", planned are 5") {
		t.Errorf("TooShort() = %q, want one line on ttft", short)
	}
	other := s
	other.Name = "other"
	if short := planned(t, s, other).TooShort(); len(short) != 2 || !strings.HasPrefix(short[1], "stream other: ") {
		t.Errorf("TooShort() = %q, want one line a stream", short)
	}
	s.Traffic.Duration = unit.Duration(time.Hour)
	if short := planned(t, s).TooShort(); len(short) != 0 {
		t.Errorf("TooShort() of 18,000 requests = %q, want none", short)
	}
}

func TestAPlanNotesWhatItsReaderWouldNotExpect(t *testing.T) {
	s := plannedStream(t, contract.Traffic{Rate: 0.01, Arrivals: arrival.Constant, Duration: unit.Duration(time.Second)}, time.Second)
	s.Workload.InputTokens = workload.Length{Law: "normal", A: 10, B: 100}
	want := []string{
		"no request is due in the window",
		"input_tokens normal(10, 100): 46% of its draws are below one token and are raised to one", // Φ(−0.095)
	}
	if diff := cmp.Diff(want, planned(t, s).Streams[0].Notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

func TestAWorkloadThatCannotBePlannedIsAnErrorOfUsage(t *testing.T) {
	s := plannedStream(t, contract.Traffic{Concurrency: 1, Requests: 1}, 0)
	s.Workload = workload.Spec{Prompts: "gone.jsonl"}
	_, err := MakePlan(&contract.Contract{Streams: []contract.Stream{s}}, fstest.MapFS{})
	var hint *HintError
	if !errors.As(err, &hint) || hint.Code != ExitUsage || !strings.Contains(err.Error(), "gone.jsonl") {
		t.Errorf("error = %v, want one of usage that names the file", err)
	}
}

func TestAPlannedRequestHasTheFieldsThatARecordHas(t *testing.T) {
	at := int64(25)
	for want, r := range map[string]PlannedRequest{
		`{"stream":"main","seq":1,"due_ns":25,"input_tokens":7,"output_tokens":3,"measured":true}`:    {Stream: "main", Seq: 1, DueNS: &at, InputTokens: 7, OutputTokens: 3, Measured: true},
		`{"stream":"main","seq":2,"due_ns":null,"input_tokens":7,"output_tokens":3,"measured":false}`: {Stream: "main", Seq: 2, InputTokens: 7, OutputTokens: 3},
	} {
		if got, err := json.Marshal(r); err != nil || string(got) != want {
			t.Errorf("Marshal(%+v) = %s, %v, want %s", r, got, err, want)
		}
	}
}

func BenchmarkPlanOfAMillionRequests(b *testing.B) {
	w := unit.Duration(0)
	c := &contract.Contract{Seed: 1, Streams: []contract.Stream{{
		Name:    "main",
		Traffic: contract.Traffic{Rate: 500, Arrivals: arrival.Poisson, Requests: 1_000_000, Warmup: &w},
		Workload: workload.Spec{
			InputTokens:  workload.Length{Law: "normal", A: 550, B: 150},
			OutputTokens: workload.Length{Law: "lognormal", A: 256, B: 64},
		},
	}}}
	for b.Loop() {
		if _, err := MakePlan(c, fstest.MapFS{}); err != nil {
			b.Fatal(err)
		}
	}
}
