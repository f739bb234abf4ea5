package result_test

// What a series of attempts leaves in the result of its last one.

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/observation"
	"assay/internal/result"
)

// note is an observation of a note.
func note(code string) observation.Observation {
	return observation.Observation{Kind: observation.KindNote, Note: &observation.Note{Code: code}}
}

func codes(r *result.Result) []string {
	var list []string
	for _, x := range r.Verdict.Reasons {
		list = append(list, x.Code)
	}
	return list
}

func TestEarlierAttemptsStandBeforeTheOneThatIsReported(t *testing.T) {
	c := load(t, quick)
	rate := 28.0
	obs := append(machines(0.1), observation.Observation{Kind: observation.KindAttempt, Attempt: &observation.Attempt{
		N: 1, Processes: 4, Status: "invalid", Reasons: []observation.Reason{{Code: "cpu", Text: "hot"}}, RequestRate: &rate, InputTokens: 5, OutputTokens: 6,
	}})
	r := build(t, c, server(c, 80*ms, 10*ms, 0), obs)
	if len(r.Attempts) != 2 {
		t.Fatalf("%d attempts, want 2", len(r.Attempts))
	}
	want := result.Attempt{Processes: 4, Status: "invalid", Reasons: []result.Reason{{Code: "cpu", Text: "hot"}}, RequestRate: &rate, InputTokens: 5, OutputTokens: 6}
	if diff := cmp.Diff(want, r.Attempts[0]); diff != "" {
		t.Errorf("the first attempt (-want +got)\n%s", diff)
	}
	last := r.Attempts[1]
	if last.Processes != 8 || last.Status != result.Pass || last.InputTokens <= 7 || last.OutputTokens <= 3 {
		t.Errorf("the last attempt is %+v, want this run with its tokens and the preflight's 7 and 3", last)
	}
}

func TestAnInvalidRunSaysWhyItIsTheLast(t *testing.T) {
	c := load(t, quick)
	records := server(c, 80*ms, 10*ms, 0)
	if got := codes(build(t, c, records, machines(0.8))); !cmp.Equal(got, []string{"cpu"}) {
		t.Errorf("reasons of a run that will be repeated: %v, want cpu alone", got)
	}
	if got := codes(build(t, c, records, append(machines(0.8), note(observation.NoteNoGrow)))); !cmp.Equal(got, []string{"cpu", "growth"}) {
		t.Errorf("reasons of a run that must not grow: %v, want cpu, growth", got)
	}
	c.Client.MaxProcesses = 8
	if got := codes(build(t, c, records, machines(0.8))); !cmp.Equal(got, []string{"cpu", "growth"}) {
		t.Errorf("reasons at the most processes: %v, want cpu, growth", got)
	}
	busy := machines(0.8)
	for i := range busy {
		if m := busy[i].Machine; m != nil {
			m.Busy = 3_900_000_000
		}
	}
	r := build(t, c, records, busy)
	if got := codes(r); !cmp.Equal(got, []string{"cpu", "machine_cpu", "growth"}) || !strings.Contains(r.Verdict.Reasons[2].Text, "more machines") {
		t.Errorf("reasons on a hot machine: %v", r.Verdict.Reasons)
	}
}

func TestARehearsalJudgesTheClientAloneAndWithAMargin(t *testing.T) {
	c := load(t, quick)
	records := server(c, 80*ms, 10*ms, 0)
	rehearse := func(busy float64, machine func(second int) int64) *result.Result {
		obs := append(machines(busy), note(observation.NoteRehearsal))
		second := 0
		for i := range obs {
			if m := obs[i].Machine; m != nil {
				m.Busy = machine(second)
				second++
			}
		}
		return build(t, c, records, obs)
	}
	idle := func(int) int64 { return 1e9 }
	if r := rehearse(0.1, idle); r.Verdict.Status != result.Inconclusive || r.Claim || !r.Attempts[0].Preflight {
		t.Errorf("a healthy rehearsal: %s, claim %v, want inconclusive and no claim", r.Verdict.Status, r.Claim)
	}
	if r := rehearse(0.8, idle); r.Verdict.Status != result.Invalid || !cmp.Equal(codes(r), []string{"cpu", "rehearsal"}) {
		t.Errorf("a hot worker: %s %v, want invalid by cpu", r.Verdict.Status, codes(r))
	}
	hiccup := func(s int) int64 {
		if s%10 == 0 {
			return 4e9
		}
		return 1e9
	}
	if r := rehearse(0.1, hiccup); r.Verdict.Status != result.Inconclusive {
		t.Errorf("two hot seconds of twenty: %s %v, want the whole to be tried", r.Verdict.Status, codes(r))
	}
	if r := rehearse(0.1, func(int) int64 { return 4e9 }); r.Verdict.Status != result.Invalid || !cmp.Equal(codes(r), []string{"machine_cpu", "rehearsal", "growth"}) {
		t.Errorf("a hot machine: %s %v, want invalid by machine_cpu and the end", r.Verdict.Status, codes(r))
	}
}
