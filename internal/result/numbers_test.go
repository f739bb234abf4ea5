package result_test

// The numbers of a result, against a second count of its records.

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"assay/internal/observation"
	"assay/internal/record"
	"assay/internal/result"
)

func is(t *testing.T, name string, got *float64, want float64) {
	t.Helper()
	if got == nil || math.Abs(*got-want) > 1e-9*math.Abs(want) {
		t.Errorf("%s = %v, want %g", name, got, want)
	}
}

func TestRatesAndCountsAreOfTheWindowAndOfAllThatWasDue(t *testing.T) {
	c := load(t, quick+"good: [ttft < 81ms]\n")
	list := server(c, 80*ms, 10*ms, 1_000_000) // TTFT is 80 ms and an exponential of mean 1 ms
	dropped := list[len(list)-10:]
	list = list[:len(list)-10]
	fail(&list[100])
	var measured, warmup, good, completed, tokens float64
	for i := range list {
		r := &list[i]
		if r.Phase != record.Measured {
			warmup++
		} else {
			measured++
			if r.Status == record.OK && r.First-r.Sent < 81*ms {
				good++
			}
		}
		if r.Status == record.OK && r.Ended > 2e9 && r.Ended <= 22e9 {
			completed++
		}
		for _, e := range r.Events {
			if e.Arrived > 2e9 && e.Arrived <= 22e9 {
				tokens++
			}
		}
	}
	due := measured + float64(len(dropped))
	r := build(t, c, list, machines(0.1))
	want := result.Requests{Due: int64(due), Sent: int64(measured) - 1, OK: int64(measured) - 1, Failed: 1, Warmup: int64(warmup)}
	if r.Requests != want {
		t.Errorf("requests %+v, want %+v", r.Requests, want)
	}
	is(t, "offered", r.Rates.Offered, due/20)
	is(t, "request", r.Rates.Request, completed/20)
	is(t, "output_token", r.Rates.OutputToken, tokens/20)
	is(t, "good", r.Rates.Good, good/20)
	is(t, "good_fraction", r.Rates.GoodFraction, good/due)
	if in := r.Tokens.Input; in.Preflight != 7 || in.Warmup != int64(warmup)*100 || in.Measured != (int64(measured)-1)*100 || in.Discarded != 0 {
		t.Errorf("input tokens %+v", in)
	}
	if len(r.Errors) != 1 || r.Errors[0] != (result.ErrorCount{Kind: "connect", Count: 1, Example: "connection refused"}) {
		t.Errorf("errors %+v", r.Errors)
	}
	if r.DurationS != 20 || r.Client.Processes != 8 || r.Client.Clock != "kernel" || r.Environment.Cores != 4 {
		t.Errorf("duration %g, client %+v, environment %+v", r.DurationS, r.Client, r.Environment)
	}
	if m := r.Metrics["itl_ms"]; m.Count != (int64(measured)-1)*63 || m.Unit != "ms" || m.CI == nil {
		t.Errorf("itl %+v", m)
	}
	if got := r.By["position"]["1-64"]["itl_ms"].Count; got != r.Metrics["itl_ms"].Count {
		t.Errorf("%d gaps at positions 1-64", got)
	}
	if _, ok := r.Metrics["connect_ms"]; ok {
		t.Error("a connect time, and no request waited for a connection")
	}
}

const two = `
version: 1
name: two
target: {url: "http://127.0.0.1:8000", model: m}
traffic: {duration: 20s, warmup: 2s}
streams:
  - {name: chat, traffic: {rate: 20/s}, workload: {input_tokens: 100, output_tokens: 64}, slo: [ttft p50 < 200ms, error_rate < 1%]}
  - {name: batch, traffic: {concurrency: 4}, workload: {input_tokens: 100, output_tokens: 64}, slo: [ttft p50 < 200ms]}
`

func TestEachStreamIsJudgedOnItsOwnRequests(t *testing.T) {
	c := load(t, two)
	list := server(c, 80*ms, 10*ms, 20_000)
	rng := rand.New(rand.NewPCG(4, 4))
	at := int64(0)
	for seq := range uint64(200) { // one slot's requests, one after another
		r := record.New("batch", seq)
		r.Streamed, r.Release, r.Endpoint, r.Reused, r.Clock = true, record.Slot, "chat", true, record.Kernel
		r.Due, r.Free, r.Released, r.Ready, r.Sent = at, at, at+1000, at+1000, at+2000
		if r.Free >= 2e9 {
			r.Phase = record.Measured
		}
		answer(&r, r.Sent+300*ms, 10, func() int64 { return int64(rng.IntN(1000)) })
		at = r.Ended
		list = append(list, r)
	}
	r := build(t, c, list, machines(0.1))
	got := map[string]string{}
	for _, o := range r.Verdict.Objectives {
		got[o.Stream+": "+o.Objective] = o.Status
	}
	for k, want := range map[string]string{"chat: ttft p50 < 200ms": "pass", "chat: error_rate < 1%": "pass", "batch: ttft p50 < 200ms": "fail"} {
		if got[k] != want {
			t.Errorf("%s: %s, want %s\n%s", k, got[k], want, objectives(r))
		}
	}
	if r.Verdict.Status != result.Fail || len(r.By["stream"]) != 2 || len(reasons(r)) != 0 {
		t.Errorf("verdict %+v, streams %d", r.Verdict, len(r.By["stream"]))
	}
	if r.Metrics["latency_due_ms"].Count != r.By["stream"]["chat"]["latency_ms"].Count {
		t.Error("a closed loop has a latency from due")
	}
}

func TestANumberOfRequestsHasItsWindowInTheRecords(t *testing.T) {
	c := load(t, strings.Replace(quick, "duration: 20s, warmup: 2s", "requests: 400", 1))
	list := server(c, 80*ms, 10*ms, 20_000)
	obs := machines(0.1)
	obs[1] = observation.Observation{Kind: observation.KindPhases, Phases: &observation.Phases{WindowEnd: -1, DrainEnd: -1}}
	r := build(t, c, list, obs)
	first, last := list[0].Due, list[len(list)-1].Due
	want := time.Duration(float64(last-first) * 400 / 399).Seconds() // and one mean gap
	if math.Abs(r.DurationS-want) > 1e-6 || r.Requests.Due != 400 || r.Verdict.Status != result.Pass {
		t.Errorf("window %g s, want %g; %+v; %+v", r.DurationS, want, r.Requests, r.Verdict)
	}
	is(t, "offered", r.Rates.Offered, 400/r.DurationS)
}

func TestAWholeReplyHasALatencyAndNoFirstToken(t *testing.T) {
	c := load(t, strings.Replace(strings.Split(quick, "slo:")[0], "model: m", "model: m, stream: false", 1)+"slo: [latency p50 < 1s]\n")
	list := server(c, 700*ms, 0, 20_000)
	for i := range list {
		r := &list[i]
		r.Streamed, r.Events = false, r.Events[:1]
		r.Last = r.First
	}
	r := build(t, c, list, machines(0.1))
	for _, m := range []string{"ttft_ms", "itl_ms", "tpot_ms", "decode_ms"} {
		if _, ok := r.Metrics[m]; ok {
			t.Errorf("%s of a reply that was not streamed", m)
		}
	}
	if r.Metrics["latency_ms"].Count == 0 || r.Verdict.Status != result.Pass {
		t.Errorf("latency %+v, verdict %+v", r.Metrics["latency_ms"], r.Verdict)
	}
	for _, x := range r.Client.Receipts {
		if (x.Name == "read_lag" || x.Name == "coalesced") && x.Status != result.NotApplicable {
			t.Errorf("%s is %s", x.Name, x.Status)
		}
	}
}
