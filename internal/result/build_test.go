package result_test

// Results of runs that are made by hand: every stamp is chosen, so every
// number is known.

import (
	"bytes"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/internal/arrival"
	"assay/internal/contract"
	"assay/internal/observation"
	"assay/internal/record"
	"assay/internal/result"
)

const ms = int64(time.Millisecond)

// load resolves a contract from its text.
func load(t testing.TB, text string) *contract.Contract {
	t.Helper()
	c, err := contract.Load("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Resolve(); err != nil {
		t.Fatal(err)
	}
	return c
}

const quick = `
version: 1
name: quick
target: {url: "http://127.0.0.1:8000", model: m}
traffic: {rate: 20/s, duration: 20s, warmup: 2s}
workload: {input_tokens: 100, output_tokens: 64}
slo: [ttft p50 < 240ms, itl p99 < 30ms, error_rate < 1%]
`

// server answers each request of the contract's schedule: first token after
// ttft, the others every gap, both with a little noise.
func server(c *contract.Contract, ttft, gap, noise int64) []record.Record {
	s := &c.Streams[0]
	rng := rand.New(rand.NewPCG(1, 2))
	jitter := func() int64 { return int64(rng.ExpFloat64() * float64(noise)) }
	var list []record.Record
	for due := range arrival.Schedule(s.Arrival(), c.Seed, s.Name, int64(*s.Traffic.Warmup), int64(s.Traffic.Duration), s.Traffic.Requests) {
		r := record.New(s.Name, due.Seq)
		r.Streamed, r.Endpoint, r.URL = true, "chat", "http://127.0.0.1:8000/v1/chat/completions"
		r.Worker = int(due.Seq % 8)
		if due.Measured {
			r.Phase = record.Measured
		}
		r.Due, r.Free, r.Released = due.At, due.At, due.At+50_000
		r.Ready, r.Sent, r.Written = r.Released, r.Released+10_000, r.Released+20_000
		r.Reused, r.Clock, r.HTTPStatus = true, record.Kernel, 200
		answer(&r, r.Sent+ttft+jitter(), gap, jitter)
		list = append(list, r)
	}
	return list
}

// answer gives a request its 64 tokens on a steady beat.
func answer(r *record.Record, first, gap int64, jitter func() int64) {
	for i := range int64(64) {
		at := first + i*gap + jitter()
		if i == 0 {
			at = first
		}
		r.Events = append(r.Events, record.NewEvent(at, at+40_000, record.Text, 1, true))
	}
	r.First, r.FirstOutput, r.Last = r.Events[0].Arrived, r.Events[0].Arrived, r.Events[63].Arrived
	r.Ended, r.TTFB = r.Last+ms, first-r.Sent
	r.Status, r.FinishReason = record.OK, "length"
	r.WantInput, r.WantOutput, r.Input, r.Output = 100, 64, 100, 64
	r.InputSource, r.TokenSource = record.FromUsage, record.FromUsage
}

// fail turns a record into one of a refused connection.
func fail(r *record.Record) {
	r.Status, r.ErrorKind, r.ErrorMessage = record.Failed, record.ErrConnect, "connection refused"
	r.Ended = r.Released + ms
	r.Ready, r.Sent, r.Written, r.First, r.FirstOutput, r.Last, r.TTFB = record.None, record.None, record.None, record.None, record.None, record.None, record.None
	r.Events, r.Clock = nil, record.NoClock
	r.Input, r.Output, r.InputSource, r.TokenSource = record.NoCount, record.NoCount, record.NoSource, record.NoSource
}

func stream(list []record.Record) result.Records {
	return func() iter.Seq2[*record.Record, error] {
		return func(yield func(*record.Record, error) bool) {
			for i := range list {
				r := list[i]
				if !yield(&r, nil) {
					return
				}
			}
		}
	}
}

// machines are the observations of a healthy run of 22 seconds.
func machines(busy float64) []observation.Observation {
	obs := []observation.Observation{
		{Kind: observation.KindEpoch, Epoch: &observation.Epoch{Wall: "2026-01-01T00:00:00Z", Processes: 8, Active: 8, MaxProcs: 1, Cores: 4, OS: "linux", Arch: "amd64", Version: "test"}},
		{Kind: observation.KindPhases, Phases: &observation.Phases{WindowStart: 2e9, WindowEnd: 22e9, DrainEnd: 82e9}},
		{Kind: observation.KindPreflight, Preflight: &observation.Preflight{OK: true, InputTokens: 7, OutputTokens: 3}},
	}
	for s := range int64(23) {
		t := (s + 1) * 1e9
		for w := -1; w < 8; w++ {
			obs = append(obs, observation.Observation{T: t, Kind: observation.KindProcess, Worker: &w, Process: &observation.Process{Interval: 1e9, CPU: int64(busy * 0.9e9), Wait: int64(busy * 0.1e9), MaxProcs: 1}})
		}
		obs = append(obs, observation.Observation{T: t, Kind: observation.KindMachine, Machine: &observation.Machine{Interval: 1e9, Cores: 4, Busy: 1e9}})
		obs = append(obs, observation.Observation{T: t, Kind: observation.KindClock, Clock: &observation.ClockOffset{Width: 100}})
	}
	return obs
}

func build(t testing.TB, c *contract.Contract, list []record.Record, obs []observation.Observation) *result.Result {
	t.Helper()
	r, err := result.Build(c, stream(list), obs)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAShortRunAgainstAConstantServerPassesWithClosedIntervals(t *testing.T) {
	for _, noise := range []int64{0, 20_000, 300_000} {
		c := load(t, quick)
		r := build(t, c, server(c, 80*ms, 10*ms, noise), machines(0.1))
		if r.Verdict.Status != result.Pass || !r.Claim {
			t.Errorf("noise %d: verdict %+v, claim %v %v", noise, r.Verdict, r.Claim, r.ClaimWhy)
		}
		for _, o := range r.Verdict.Objectives {
			if o.High == nil || *o.High > o.Bound {
				t.Errorf("noise %d: %s has the upper end %v", noise, o.Objective, o.High)
			}
		}
		if got := result.ExitCode(r); got != 0 {
			t.Errorf("ExitCode = %d, want 0", got)
		}
	}
}

func reasons(r *result.Result) []string {
	var codes []string
	for _, x := range r.Verdict.Reasons {
		codes = append(codes, x.Code)
	}
	return codes
}

func TestVerdictsFollowFromRecordsAndObservations(t *testing.T) {
	busyLoop := machines(0.1)
	for i := range busyLoop {
		if o := &busyLoop[i]; o.Kind == observation.KindProcess && *o.Worker == 3 {
			o.Process.Wait = 5e8
			o.Process.CPU = 4.5e8
		}
	}
	worker := 5
	death := append(machines(0.1), observation.Observation{T: 5e9, Kind: observation.KindDeath, Worker: &worker, Death: &observation.Death{Reason: "signal: killed"}})
	interrupted := append(machines(0.1), observation.Observation{Kind: observation.KindNote, Note: &observation.Note{Code: observation.NoteInterrupted, Text: "by the user"}})
	blind := slices.DeleteFunc(machines(0.1), func(o observation.Observation) bool { return o.Kind == observation.KindMachine })
	few := machines(0.1)
	few[0].Epoch.Processes = 7
	tighter := strings.Replace(quick, "240ms", "60ms", 1)
	for _, tc := range []struct {
		name, contract string
		obs            []observation.Observation
		change         func([]record.Record) []record.Record
		status         string
		codes          []string
		exit           int
		claim          bool
	}{
		{"an objective below what the server does", tighter, machines(0.1), nil, "fail", nil, 1, true},
		{"a worker whose core is taken", quick, busyLoop, nil, "invalid", []string{"cpu"}, 4, false},
		{"a worker that died", quick, death, nil, "invalid", []string{"incomplete"}, 5, false},
		{"interrupted", quick, interrupted, nil, "invalid", []string{"interrupted"}, 130, false},
		{"records that are missing", quick, machines(0.1), func(l []record.Record) []record.Record { return l[:len(l)-10] }, "invalid", []string{"incomplete", "delivered"}, 5, false},
		{"no view of the machine", quick, blind, nil, "pass", nil, 0, false},
		{"few processes", quick, few, nil, "pass", nil, 0, false},
		{"no records at all", quick, machines(0.1), func([]record.Record) []record.Record { return nil }, "invalid", []string{"incomplete", "incomplete", "delivered"}, 5, false},
		{"a server that refuses everything", quick, machines(0.1), func(l []record.Record) []record.Record {
			for i := range l {
				fail(&l[i])
			}
			return l
		}, "fail", nil, 1, true},
		{"late sending", quick, machines(0.1), func(l []record.Record) []record.Record {
			for i := range l {
				l[i].Released += 6 * ms
				l[i].Ready, l[i].Sent = l[i].Released, l[i].Released
			}
			return l
		}, "invalid", []string{"send_lag"}, 4, false},
		{"no objectives", strings.Split(quick, "slo:")[0], machines(0.1), nil, "pass", []string{"default_objectives"}, 0, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := load(t, tc.contract)
			list := server(c, 80*ms, 10*ms, 20_000)
			if tc.change != nil {
				list = tc.change(list)
			}
			r := build(t, c, list, tc.obs)
			if got := reasons(r); r.Verdict.Status != tc.status || !slices.Equal(got, tc.codes) || result.ExitCode(r) != tc.exit || r.Claim != tc.claim {
				t.Errorf("got %s %v exit %d claim %v, want %s %v exit %d claim %v\n%+v\n%+v\n%s", r.Verdict.Status, got, result.ExitCode(r), r.Claim,
					tc.status, tc.codes, tc.exit, tc.claim, r.Verdict.Reasons, r.ClaimWhy, objectives(r))
			}
		})
	}
}

func objectives(r *result.Result) string {
	var b strings.Builder
	for _, o := range r.Verdict.Objectives {
		show := func(p *float64) string {
			if p == nil {
				return "null"
			}
			return fmt.Sprintf("%.4g", *p)
		}
		fmt.Fprintf(&b, "%s: %s, %s [%s, %s], effective %s, holds %q, more %s, why %q\n", o.Objective, o.Status, show(o.Value), show(o.Low), show(o.High), show(o.Effective), o.Holds, show(o.NeedsMoreS), o.Why)
	}
	return b.String()
}

func TestTheSameFilesGiveTheSameBytesInAnyOrderOfRecords(t *testing.T) {
	c := load(t, quick)
	list := server(c, 80*ms, 10*ms, 300_000)
	for i := range list {
		if i%50 == 0 {
			fail(&list[i])
		}
	}
	want, err := result.Encode(build(t, c, list, machines(0.1)))
	if err != nil {
		t.Fatal(err)
	}
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	text, err := c.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	again, err := result.Encode(build(t, load(t, string(text)), list, machines(0.1)))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, again) {
		t.Error("the records in another order, and the canonical contract, gave other bytes")
	}
	r, err := result.Decode(want)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := result.Encode(r); err != nil || !bytes.Equal(want, back) {
		t.Errorf("decoded and encoded again: other bytes (%v)", err)
	}
}

// proof is what a doubling check saw: the same request rate, or another one.
func proof(status string, other float64) observation.Observation {
	one, half := 20.0, 0.5
	ends := func(v float64) [2]*float64 { low, high := v-half, v+half; return [2]*float64{&low, &high} }
	return observation.Observation{Kind: observation.KindProof, Proof: &observation.Proof{N: 2, Processes: 14, Status: status,
		Compared: []observation.Comparison{{Name: "request_rate", This: &one, CI: ends(one), Other: &other, OtherCI: ends(other)}}}}
}

func TestADoublingThatHoldsIsAsGoodAsEightProcessesAndOneThatDoesNotIsInvalid(t *testing.T) {
	few := machines(0.1)
	few[0].Epoch.Processes = 7
	asked := quick + "client: {proof: doubling}\n"
	for _, tc := range []struct {
		name, contract string
		proof          []observation.Observation
		status         string
		codes          []string
		claim, holds   bool
	}{
		{"it held", asked, []observation.Observation{proof("pass", 20.9)}, "pass", nil, true, true},
		{"a number moved", asked, []observation.Observation{proof("pass", 21.1)}, "invalid", []string{"doubling"}, false, false},
		{"the other was invalid", asked, []observation.Observation{proof("invalid", 20)}, "invalid", []string{"doubling"}, false, false},
		{"it was not made", asked, nil, "pass", nil, false, false},
		{"not asked for", quick, nil, "pass", nil, false, false},
	} {
		c := load(t, tc.contract)
		r := build(t, c, server(c, 80*ms, 10*ms, 20_000), append(slices.Clone(few), tc.proof...))
		if got := reasons(r); r.Verdict.Status != tc.status || !slices.Equal(got, tc.codes) || r.Claim != tc.claim {
			t.Errorf("%s: %s %v, claim %v; want %s %v, claim %v\n%v", tc.name, r.Verdict.Status, got, r.Claim, tc.status, tc.codes, tc.claim, r.Verdict.Reasons)
		}
		if p := r.Client.Proof; (p != nil) != (len(tc.proof) > 0) || p != nil && (p.Holds != tc.holds || p.Run != "attempts/2" || p.Processes != 14 || *p.Compared[0].Other != *tc.proof[0].Proof.Compared[0].Other) {
			t.Errorf("%s: client.proof is %+v", tc.name, p)
		}
	}
}

func TestAChangedLimitStandsBesideTheUsualOne(t *testing.T) {
	c := load(t, quick+"client: {max_cpu: 90%, max_send_lag: 9ms}\n")
	r := build(t, c, server(c, 80*ms, 10*ms, 20_000), machines(0.1))
	want := map[string][2]float64{"cpu": {0.9, 0.7}, "send_lag": {9, 4.8}, "machine_cpu": {0.85, 0.85}} // 2 % of 240 ms
	for _, x := range r.Client.Receipts {
		if w, ok := want[x.Name]; ok && (*x.Limit != w[0] || *x.Usual != w[1] || x.Changed != (w[0] != w[1])) {
			t.Errorf("%s: limit %g, usual %g, changed %v; want %v", x.Name, *x.Limit, *x.Usual, x.Changed, w)
		}
	}
}
