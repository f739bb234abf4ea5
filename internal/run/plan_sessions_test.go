// A plan of conversations: each turn carries what was said before it.
package run

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/internal/arrival"
	"assay/internal/contract"
	"assay/internal/unit"
	"assay/internal/workload"
)

// inThreeTurns begins with 6 tokens; each later turn adds 4; every reply has 5.
// So the turns have 6, 6 + 5 + 4 = 15 and 15 + 5 + 4 = 24 tokens.
func inThreeTurns(t *testing.T, traffic contract.Traffic, warmup time.Duration, objectives ...string) contract.Stream {
	constant := func(n float64) workload.Length { return workload.Length{Law: "constant", A: n} }
	s := plannedStream(t, traffic, warmup, objectives...)
	s.Workload = workload.Spec{
		InputTokens: constant(6), OutputTokens: constant(5),
		Sessions: &workload.Sessions{Turns: workload.Turns{Length: constant(3)}, InputTokens: constant(4)},
	}
	return s
}

// 2/s for 3 s after 1 s: 6 sessions in the window and 2 before it.
func TestAPlanOfSessionsListsEveryTurnAndCountsThemApart(t *testing.T) {
	p := planned(t, inThreeTurns(t, contract.Traffic{Rate: 2, Arrivals: arrival.Constant, Duration: unit.Duration(3 * time.Second)}, time.Second, "ttft p50 < 1s"))
	got := p.Streams[0]
	want := &PlannedSessions{
		Sessions: 6, Later: PlanSum{Requests: 12, InputTokens: 6 * (15 + 24), OutputTokens: 60},
		Turns: PlannedLengths{Mean: 3, Min: 3, P50: 3, P90: 3, P99: 3, Max: 3, Ranges: []LengthRange{{3, 3, 6}}},
	}
	if diff := cmp.Diff(want, got.Sessions); diff != "" {
		t.Errorf("sessions: -want +got\n%s", diff)
	}
	if got.WindowSum != (PlanSum{Requests: 6, InputTokens: 36, OutputTokens: 30}) || got.WarmupSum != (PlanSum{Requests: 2, InputTokens: 12, OutputTokens: 10}) {
		t.Errorf("first turns %+v in the window and %+v before it, want 6 and 2", got.WindowSum, got.WarmupSum)
	}
	if n := got.Objectives[0].Planned; n != 18 {
		t.Errorf("%d requests are planned for the objective, want 18", n)
	}
	list := slices.Collect(p.Requests())
	if len(list) != 24 {
		t.Fatalf("%d requests are listed, want 24", len(list))
	}
	at := int64(1_000_000_000) // of session 2, the first of the window
	first := PlannedRequest{Stream: "main", Seq: 2000, DueNS: &at, InputTokens: 6, OutputTokens: 5, Measured: true, Turn: 1, Turns: 3}
	last := PlannedRequest{Stream: "main", Seq: 2002, InputTokens: 24, OutputTokens: 5, Turn: 3, Turns: 3}
	if diff := cmp.Diff([]PlannedRequest{first, last}, []PlannedRequest{list[6], list[8]}); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestSessionsInClosedLoopAreThoseLookedAt(t *testing.T) {
	p := planned(t, inThreeTurns(t, contract.Traffic{Concurrency: 4, Duration: unit.Duration(time.Second)}, 0))
	got := p.Streams[0]
	if s := got.Sessions; s.Sessions != sampleSize || s.Later.Requests != 2*sampleSize || got.Counted {
		t.Errorf("%+v, counted %v; want a thousand sessions, and no count", s, got.Counted)
	}
	if got.Input.Min != 6 || got.Input.P50 != 15 || got.Input.Max != 24 {
		t.Errorf("input %+v, want 6, 15 and 24", got.Input)
	}
}

func TestAStreamWithoutSessionsHasNone(t *testing.T) {
	p := planned(t, plannedStream(t, contract.Traffic{Concurrency: 4, Requests: 3}, 0))
	if got := p.Streams[0].Sessions; got != nil {
		t.Errorf("sessions %+v, want none", got)
	}
}

// 2/s for 3 s after 1 s, and 400 ms before each later turn. The last session
// of the window begins at 3.5 s: its turns are due at 3.9 and 4.3 s, and the
// window ends at 4 s. Of the one that begins at 0.5 s the turns are due at 0.9
// and 1.3 s.
func TestLaterTurnsAreExpectedWhereTheyFall(t *testing.T) {
	s := inThreeTurns(t, contract.Traffic{Rate: 2, Arrivals: arrival.Constant, Duration: unit.Duration(3 * time.Second)}, time.Second,
		"ttft p50 < 1s", "ttft[turn=first] p50 < 1s", "ttft[turn=later] p50 < 1s")
	if err := s.Workload.Sessions.Think.UnmarshalText([]byte("400ms")); err != nil {
		t.Fatal(err)
	}
	got := planned(t, s).Streams[0]
	// Six sessions with two later turns each, less one that is too late, and
	// one of a session of the warm-up.
	if x := got.Sessions; x.Later != (PlanSum{Requests: 12, InputTokens: 6*15 + 6*24, OutputTokens: 60}) || x.Beyond != 1 {
		t.Errorf("later turns %+v, beyond %d; want 12 with 234 tokens, and 1", x.Later, x.Beyond)
	}
	for i, want := range []struct{ planned, expected int }{{18, 12}, {6, 0}, {12, 12}} {
		if o := got.Objectives[i]; o.Planned != want.planned || o.Expected != want.expected {
			t.Errorf("%s: %d planned, %d of them expected; want %+v", o.Objective.Text, o.Planned, o.Expected, want)
		}
	}
}

func TestSessionsByNumberInClosedLoopAreSettledAndTheirLaterTurnsAreExpected(t *testing.T) {
	for _, warmup := range []time.Duration{0, time.Second} { // with a warm-up a thousand sessions are looked at
		p := planned(t, inThreeTurns(t, contract.Traffic{Concurrency: 4, Requests: 50}, warmup, "ttft p50 < 1s"))
		if o := p.Streams[0].Objectives[0]; o.Planned != 150 || o.Expected != 100 {
			t.Errorf("warm-up %s: %d planned, %d of them expected; want 150 and 100", warmup, o.Planned, o.Expected)
		}
	}
	p := planned(t, inThreeTurns(t, contract.Traffic{Concurrency: 4, Requests: 50}, 0))
	if got := p.Streams[0].WindowSum; got != (PlanSum{Requests: 50, InputTokens: 300, OutputTokens: 250}) {
		t.Errorf("first turns %+v, want 50 of 6 tokens", got)
	}
}

// Prompts of 100 tokens, 50 and 50 more with replies of 20: 100, 170 and 240.
// A later one begins with the prompt before it and its reply.
func TestAPlannedCacheKnowsTheHistories(t *testing.T) {
	constant := func(n float64) workload.Length { return workload.Length{Law: "constant", A: n} }
	s := plannedStream(t, contract.Traffic{Rate: 2, Arrivals: arrival.Constant, Requests: 10}, 0)
	s.Target.URL = []string{"http://a", "http://b"}
	for history, known := range map[string]float64{workload.Live: 120 + 190, workload.Recorded: 100 + 170} {
		s.Workload = workload.Spec{
			InputTokens: constant(100), OutputTokens: constant(20),
			Sessions: &workload.Sessions{Turns: workload.Turns{Length: constant(3)}, InputTokens: constant(50), History: history},
		}
		got := planned(t, s).Streams[0].Cache
		want := &PlannedCache{Share: known / 510, InBlocks: (96 + 160.0) / 510} // 6 blocks of 100 tokens, 10 of 170
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", history, diff)
		}
	}
}

// With half of each prompt in common, a session at one address finds it there
// only if another session was sent there before: with two addresses that is so
// for all but the first two.
func TestSessionsTakeTheirTurnsAmongTheAddresses(t *testing.T) {
	constant := func(n float64) workload.Length { return workload.Length{Law: "constant", A: n} }
	s := plannedStream(t, contract.Traffic{Rate: 2, Arrivals: arrival.Constant, Requests: 10}, 0)
	s.Target.URL = []string{"http://a", "http://b"}
	s.Workload = workload.Spec{
		InputTokens: constant(100), OutputTokens: constant(20), Prefix: workload.Prefix{Shared: 50},
		Sessions: &workload.Sessions{Turns: workload.Turns{Length: constant(1)}, InputTokens: constant(50), History: workload.Live},
	}
	if got := planned(t, s).Streams[0].Cache; got == nil || got.Share != 8*50/1000.0 {
		t.Errorf("%+v, want a share of 0.4", got)
	}
}

// Prompts of 100, 170 and 240 tokens as above, in turn to two addresses: the
// second finds nothing where the first was not, and the third what the first
// one sent, and its reply.
func TestTurnsThatAreScatteredFindWhatTheirAddressKnows(t *testing.T) {
	constant := func(n float64) workload.Length { return workload.Length{Law: "constant", A: n} }
	s := plannedStream(t, contract.Traffic{Rate: 2, Arrivals: arrival.Constant, Requests: 10}, 0)
	s.Target.URL, s.Target.Affinity = []string{"http://a", "http://b"}, contract.NoAffinity
	s.Workload = workload.Spec{
		InputTokens: constant(100), OutputTokens: constant(20),
		Sessions: &workload.Sessions{Turns: workload.Turns{Length: constant(3)}, InputTokens: constant(50), History: workload.Live},
	}
	if diff := cmp.Diff(&PlannedCache{Share: 120 / 510.0, InBlocks: 96 / 510.0}, planned(t, s).Streams[0].Cache); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
