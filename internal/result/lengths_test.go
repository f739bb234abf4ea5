package result_test

// Lengths of a server that counts otherwise and stops early, by hand.

import (
	"testing"

	"assay/internal/observation"
	"assay/internal/record"
	"assay/internal/result"

	"github.com/google/go-cmp/cmp"
)

func TestLengthsSayWhatTheServerCountedAndWhereItStopped(t *testing.T) {
	c := load(t, quick)
	list := server(c, 80*ms, 10*ms, 0)
	measured := 0
	for i := range list {
		r := &list[i]
		if r.Phase != record.Measured {
			r.Output = 1 // counts for nothing
			continue
		}
		if measured++; measured%4 == 0 {
			r.Output = 60 // 4 of 64 missing: more than a twentieth
		}
		r.Input = 104 // within a twentieth of 100
	}
	quarter := float64(measured/4) / float64(measured)
	template := 4
	obs := append(machines(0.1), observation.Observation{Kind: observation.KindPreflight, Preflight: &observation.Preflight{OK: true, Stream: "main", Counted: 100, Template: &template}})
	l := build(t, c, list, obs).Lengths
	is(t, "osl_mismatch", l.OSLMismatch, quarter)
	is(t, "replies shorter", l.Output.Shorter, quarter)
	is(t, "replies longer", l.Output.Longer, 0)
	is(t, "replies exact", l.Output.Exact, 1-quarter)
	is(t, "replies asked p50", l.Output.Requested.P50, 64)
	is(t, "replies seen p50", l.Output.Seen.P50, 64)
	is(t, "prompts exact", l.Input.Exact, 0)
	is(t, "prompts longer", l.Input.Longer, 0)
	is(t, "prompts asked mean", l.Input.Requested.Mean, 100)
	is(t, "prompts seen p99", l.Input.Seen.P99, 104)
	if l.Input.Requests != int64(measured) || l.Output.Requests != int64(measured) {
		t.Errorf("%d prompts, %d replies, want %d", l.Input.Requests, l.Output.Requests, measured)
	}
	if diff := cmp.Diff(map[string]int{"main": 4}, l.Template); diff != "" {
		t.Errorf("template (-want +got):\n%s", diff)
	}
}

func TestWithoutUsageNothingIsSaidOfLengths(t *testing.T) {
	c := load(t, quick)
	list := server(c, 80*ms, 10*ms, 0)
	for i := range list {
		list[i].InputSource, list[i].TokenSource = record.FromWords, record.FromEvents
	}
	if l := build(t, c, list, machines(0.1)).Lengths; !cmp.Equal(l, result.Lengths{}) {
		t.Errorf("lengths %+v, want none", l)
	}
}

func TestATemplateOfTheContractIsSaidToo(t *testing.T) {
	c := load(t, quick)
	seven := 7
	c.Streams[0].Workload.TemplateTokens = &seven
	if l := build(t, c, server(c, 80*ms, 10*ms, 0), machines(0.1)).Lengths; l.Template["main"] != 7 {
		t.Errorf("template %v, want 7", l.Template)
	}
}
