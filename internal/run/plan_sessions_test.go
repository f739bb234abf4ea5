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
