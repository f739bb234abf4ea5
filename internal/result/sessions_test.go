package result_test

// Sessions of a server that is made by hand, and the block of them computed a
// second time from the records, by another way.

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/internal/arrival"
	"assay/internal/contract"
	"assay/internal/record"
	"assay/internal/result"

	gocmp "github.com/google/go-cmp/cmp"
)

const agents = `
version: 1
name: agents
target: {url: "http://127.0.0.1:8000", model: m}
traffic: {rate: 20/s, duration: 20s, warmup: 2s}
workload:
  agent:
    - {name: plan, input_tokens: 100, output_tokens: 64}
    - {name: try, after: plan, copies: 2, input_tokens: 10, output_tokens: 64}
    - {name: check, after: try, role: verifier, history: none, input_tokens: 10, output_tokens: 64}
slo: [ttft p50 < 240ms, error_rate < 50%]
`

// fates are what a turn may come to, one of them for each draw of a hundred.
func fate(draw int) record.Status {
	switch {
	case draw < 4:
		return record.Failed
	case draw < 7:
		return record.Cancelled
	case draw < 9:
		return record.Censored
	}
	return record.OK
}

// agentServer answers the sessions of the contract's schedule: a first turn,
// two side by side, and a verifier.
func agentServer(c *contract.Contract) []record.Record {
	rng := rand.New(rand.NewPCG(7, 9))
	s := &c.Streams[0]
	var list []record.Record
	one := func(n uint64, i, depth int, at int64, measured bool) (end int64, ok bool) {
		r := record.New(s.Name, record.SeqOf(n, i))
		r.Session, r.Turns, r.Turn = "session "+strconv.FormatUint(n, 10), 4, depth
		r.Streamed, r.Endpoint, r.URL = true, "chat", "http://127.0.0.1:8000/v1/chat/completions"
		if r.Release = record.Turn; depth == 1 {
			r.Release = record.AtDue
		}
		if depth == 3 {
			r.Role = "verifier"
		}
		if measured {
			r.Phase = record.Measured
		}
		r.Due, r.Free, r.Released = at, at, at+50_000
		r.Ready, r.Sent, r.Written = r.Released, r.Released+10_000, r.Released+20_000
		r.Reused, r.Clock, r.HTTPStatus = true, record.Kernel, 200
		answer(&r, r.Sent+20*ms+rng.Int64N(100*ms), ms+rng.Int64N(4*ms), func() int64 { return 0 })
		r.Input, r.Output = 100+rng.IntN(900), 1+rng.IntN(64)
		if r.Status = fate(rng.IntN(100)); r.Status == record.Failed {
			r.ErrorKind = record.ErrTimeout
		}
		list = append(list, r)
		return r.Ended, r.Status == record.OK
	}
	for due := range arrival.Schedule(s.Arrival(), c.Seed, s.Name, 2e9, int64(s.Traffic.Duration), 0) {
		in := func(at int64) bool { return at >= 2e9 }
		end, ok := one(due.Seq, 0, 1, due.At, due.Measured)
		if !ok || end >= 22e9 {
			continue
		}
		a, aOK := one(due.Seq, 1, 2, end, in(end))
		b, bOK := one(due.Seq, 2, 2, end, in(end))
		if at := max(a, b); aOK && bOK && at < 22e9 {
			one(due.Seq, 3, 3, at, in(at))
		}
	}
	return list
}

// sessionsOf groups the records by the session that they name, those that
// began in the window.
func sessionsOf(list []record.Record) [][]record.Record {
	by := map[string][]record.Record{}
	for _, r := range list {
		by[r.Session] = append(by[r.Session], r)
	}
	var all [][]record.Record
	for _, one := range by {
		slices.SortFunc(one, func(a, b record.Record) int { return cmp.Compare(a.Sent, b.Sent) })
		if one[0].Phase == record.Measured {
			all = append(all, one)
		}
	}
	return all
}

func statuses(one []record.Record) string {
	words := ""
	for _, r := range one {
		words += " " + r.Status.String()
	}
	return words
}

// servedMS walks the ends of all replies in order of time and counts how many
// are open.
func servedMS(one []record.Record) float64 {
	type edge struct {
		at   int64
		open int
	}
	var edges []edge
	for _, r := range one {
		edges = append(edges, edge{r.Sent, 1}, edge{r.Last, -1})
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(b.open, a.open)) })
	open, total := 0, int64(0)
	for i, e := range edges {
		if open > 0 {
			total += e.at - edges[i-1].at
		}
		open += e.open
	}
	return float64(total) / 1e6
}

func TestSessionsAreWhatTheirRecordsSayAddedUpByHand(t *testing.T) {
	c := load(t, agents)
	list := agentServer(c)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	got := build(t, c, list, machines(0.1)).Sessions
	if len(got) != 1 || got[0].Stream != "main" {
		t.Fatalf("%+v", got)
	}
	want := result.Sessions{}
	values := map[string][]float64{}
	for _, one := range sessionsOf(list) {
		missing := int64(4 - len(one))
		want.Started++
		want.Turns.Planned += 4
		want.Turns.Sent += int64(len(one))
		switch words := statuses(one); {
		case strings.Contains(words, "failed"):
			want.Broken++
			want.Turns.AfterFailure += missing
		case words == " ok ok ok ok":
			want.Complete++
			var last int64
			input, output := 0, 0
			for _, r := range one {
				last, input, output = max(last, r.Last), input+r.Input, output+r.Output
			}
			check := float64(one[3].Input + one[3].Output)
			for key, v := range map[string]float64{
				"latency_ms": float64(last-one[0].Sent) / 1e6, "served_ms": servedMS(one), "calls": 4,
				"input_tokens": float64(input), "output_tokens": float64(output),
				"verifier_tokens": check, "verifier_share": check / float64(input+output),
			} {
				values[key] = append(values[key], v)
			}
		case strings.Contains(words, "cancelled"):
			want.Cancelled++
			want.Turns.AfterCancel += missing
		default:
			want.Censored++
			want.Turns.AfterEnd += missing
		}
	}
	if want.Complete < 100 || want.Broken < 10 || want.Cancelled < 10 || want.Censored < 10 || want.Turns.AfterFailure < 10 || want.Turns.AfterEnd < 10 {
		t.Fatalf("the records don't have all kinds of sessions: %+v", want)
	}
	g := got[0]
	counts := result.Sessions{Started: g.Started, Complete: g.Complete, Broken: g.Broken, Cancelled: g.Cancelled, Censored: g.Censored, Turns: g.Turns}
	if diff := gocmp.Diff(want, counts); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for key, v := range values {
		slices.Sort(v)
		sum := 0.0
		for _, x := range v {
			sum += x
		}
		m := g.Metrics[key]
		if m.Count != int64(len(v)) {
			t.Errorf("%s of %d sessions, want %d", key, m.Count, len(v))
		}
		near(t, key+" mean", m.Mean, sum/float64(len(v)))
		for q, got := range map[float64]*float64{0.5: m.P50, 0.9: m.P90, 0.99: m.P99, 1: m.Max} {
			near(t, key, got, v[int(math.Ceil(q*float64(len(v))))-1])
		}
		if m.CI == nil {
			t.Errorf("%s has no interval", key)
		}
	}
	if len(g.Metrics) != len(values) {
		t.Errorf("%d metrics of sessions, want %d", len(g.Metrics), len(values))
	}
}

// near is equal but for the last bits, in which sums differ by their order.
func near(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil || math.Abs(*got-want) > 1e-9*math.Abs(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestFirstAndLaterTurnsAreToldApart(t *testing.T) {
	c := load(t, agents)
	list := agentServer(c)
	r := build(t, c, list, machines(0.1))
	firsts := map[bool][]float64{}
	for _, x := range list {
		if x.Phase == record.Measured && x.Status == record.OK {
			firsts[x.Turn == 1] = append(firsts[x.Turn == 1], float64(x.First-x.Sent)/1e6)
		}
	}
	for turn, values := range map[string][]float64{"first": firsts[true], "later": firsts[false]} {
		slices.Sort(values)
		for where, m := range map[string]result.Metric{"sessions": r.Sessions[0].ByTurn[turn]["ttft_ms"], "by": r.By["turn"][turn]["ttft_ms"]} {
			if m.Count != int64(len(values)) {
				t.Errorf("%s: ttft of %d %s turns, want %d", where, m.Count, turn, len(values))
			}
			near(t, where+" "+turn, m.Max, values[len(values)-1])
		}
	}
}

func TestTurnsThatWereNeverDueAreNotMissing(t *testing.T) {
	c := load(t, agents)
	list := agentServer(c)
	r := build(t, c, list, machines(0.1))
	for _, reason := range r.Verdict.Reasons {
		if reason.Code == "incomplete" {
			t.Errorf("the run is called incomplete: %s", reason.Text)
		}
	}
	due := int64(0)
	for _, x := range list {
		if x.Phase == record.Measured {
			due++
		}
	}
	if r.Requests.Due != due {
		t.Errorf("%d requests were due, want %d", r.Requests.Due, due)
	}
	is(t, "offered", r.Rates.Offered, float64(due)/20)

	// Later turns, of which there are more than sessions, don't stand in for a
	// first one that was lost.
	gone := slices.IndexFunc(list, func(x record.Record) bool { return x.Turn == 1 && x.Phase == record.Measured && x.Status != record.OK })
	r = build(t, c, slices.Delete(list, gone, gone+1), machines(0.1))
	sessions := 0
	for range arrival.Schedule(c.Streams[0].Arrival(), c.Seed, "main", 2e9, 20e9, 0) {
		sessions++
	}
	want := "1 of the " + strconv.Itoa(sessions) + " requests of the schedule have no record"
	if r.Verdict.Status != result.Invalid || !slices.ContainsFunc(r.Verdict.Reasons, func(x result.Reason) bool { return x.Code == "incomplete" && x.Text == want }) {
		t.Errorf("%+v, want %q", r.Verdict, want)
	}
	if r.Requests.Due != due {
		t.Errorf("without that record %d requests were due, want %d still", r.Requests.Due, due)
	}
}

func TestTheLawOfArrivalsIsThatOfFirstTurns(t *testing.T) {
	c := load(t, agents)
	list := agentServer(c)
	if a := build(t, c, list, machines(0.1)).Arrivals; a.Holds == nil || !*a.Holds {
		t.Errorf("what was sent is %q, want it as asked", a.Test)
	}
	for i := range list {
		if list[i].Turn > 1 {
			list[i].Turn = 1 // now they would be arrivals, in bunches
		}
	}
	if a := build(t, c, list, machines(0.1)).Arrivals; a.Holds != nil && *a.Holds {
		t.Error("with later turns among them what was sent is as asked")
	}
}

func TestARunWithoutSessionsHasNoBlockOfThem(t *testing.T) {
	c := load(t, quick)
	if got := build(t, c, server(c, 80*ms, 10*ms, 0), machines(0.1)).Sessions; got != nil {
		t.Errorf("sessions %+v, want none", got)
	}
}

// Ten sessions a second for three seconds, exactly; each goes on a minute later.
func TestLaterTurnsDontMakeArrivalsUneven(t *testing.T) {
	c := load(t, `
version: 1
target: {url: "http://127.0.0.1:8000", model: m}
traffic: {rate: 10/s, arrivals: constant, requests: 31}
workload: {input_tokens: 100, output_tokens: 64, sessions: {turns: 2, think: 60s}}
slo: [error_rate < 50%]
`)
	var list []record.Record
	for due := range arrival.Schedule(c.Streams[0].Arrival(), c.Seed, "main", 0, 0, 31) {
		for i, at := range []int64{due.At, due.At + 60e9} {
			r := record.New("main", record.SeqOf(due.Seq, i))
			r.Session, r.Turns, r.Turn, r.Phase, r.Streamed = strconv.FormatUint(due.Seq, 10), 2, i+1, record.Measured, true
			if r.Release = record.AtDue; i > 0 {
				r.Release = record.Turn
			}
			r.Due, r.Free, r.Released, r.Ready, r.Sent, r.Written = at, at, at, at, at, at
			answer(&r, at+20*ms, ms, func() int64 { return 0 })
			list = append(list, r)
		}
	}
	r := build(t, c, list, machines(0.1))
	if r.Arrivals.Dispersion == nil || *r.Arrivals.Dispersion > 0.1 {
		t.Errorf("the counts of each second have a dispersion of %v, want none to speak of", r.Arrivals.Dispersion)
	}
	if s := r.Sessions[0]; s.Complete != 31 {
		t.Errorf("%d sessions are complete, want 31", s.Complete)
	}
}
