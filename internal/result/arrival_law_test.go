package result

// Every shape's own schedule keeps its law, and not that of another shape.

import (
	"slices"
	"testing"
	"time"

	"assay/internal/arrival"
	"assay/internal/measure"
	"assay/internal/unit"
)

// lawOfShape holds the schedule of one spec against the law of another.
func lawOfShape(law, sent arrival.Spec, seed uint64, requests int) *told {
	const warmup, window = int64(5e9), int64(60e9)
	var list []measure.Departure
	for due := range arrival.Schedule(sent, seed, "main", warmup, window, requests) {
		if due.Measured {
			list = append(list, measure.Departure{Seq: due.Seq, Due: due.At, Left: due.At})
		}
	}
	w := measure.Window{Start: warmup, End: warmup + window}
	t := told{"main", againstLaw(law.Law(seed, "main", warmup), instants(list, 5e6), w, requests > 0), ""}
	var a Arrivals
	a.conclude([]told{t})
	return &t
}

func brokenOf(t *told) (names []string) {
	for _, c := range t.checks {
		if !c.Holds {
			names = append(names, c.Name)
		}
	}
	return names
}

func shapes() map[string]arrival.Spec {
	s := func(d time.Duration) unit.Duration { return unit.Duration(d) }
	list := map[string]arrival.Spec{
		"constant": {Shape: arrival.Constant, Rate: 50},
		"poisson":  {Shape: arrival.Poisson, Rate: 50},
		"gamma":    {Shape: arrival.Gamma, Rate: 50, CV: 3},
		"weibull":  {Shape: arrival.Weibull, Rate: 50, CV: 0.5},
		"ramp":     {Shape: arrival.Ramp},
		"sine":     {Shape: arrival.Sine, Rate: 50},
		"flash":    {Shape: arrival.Flash, Rate: 20, Parameters: arrival.Parameters{Peak: arrival.Peak{Times: 10}, Rise: s(2 * time.Second), Hold: s(5 * time.Second), Decay: s(5 * time.Second), At: []unit.Duration{s(20 * time.Second)}}},
		"mmpp":     {Shape: arrival.MMPP, Rate: 50, Parameters: arrival.Parameters{Peak: arrival.Peak{Times: 3}, On: s(5 * time.Second), Off: s(20 * time.Second)}},
	}
	ramp, sine := list["ramp"], list["sine"]
	ramp.From, ramp.To, ramp.Over = 10, 100, s(time.Minute)
	sine.Period, sine.Amplitude = s(20*time.Second), 0.8
	list["ramp"], list["sine"] = ramp, sine
	return list
}

// 320 runs, each called false with a chance of 1e-6 at most.
func TestEveryShapeKeepsItsOwnLaw(t *testing.T) {
	for name, spec := range shapes() {
		if err := spec.Check(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for seed := range uint64(20) {
			for _, requests := range []int{0, 2000} {
				got := lawOfShape(spec, spec, seed, requests)
				if wrong := brokenOf(got); len(got.checks) < 3 || len(wrong) > 0 {
					t.Errorf("%s, seed %d, requests %d: %d checks, broken %v", name, seed, requests, len(got.checks), wrong)
				}
			}
		}
	}
}

func TestNoShapeKeepsTheLawOfAnother(t *testing.T) {
	all := shapes()
	for law, spec := range all {
		for sent, other := range all {
			if law == sent {
				continue
			}
			if wrong := brokenOf(lawOfShape(spec, other, 3, 0)); len(wrong) == 0 {
				t.Errorf("%s passes for %s", sent, law)
			}
		}
	}
}

// 5 requests a window: at 30/s 0.2 s, at 50/s 0.1 s, at 2/s 5 s.
func TestWindowsOfCountsExpectEnoughRequests(t *testing.T) {
	for _, c := range []struct {
		rate, seconds float64
		want          []time.Duration
	}{
		{1000, 200, []time.Duration{100 * time.Millisecond, time.Second, 10 * time.Second}},
		{50, 60, []time.Duration{100 * time.Millisecond, time.Second}},
		{30, 5, []time.Duration{200 * time.Millisecond}},
		{2, 600, []time.Duration{5 * time.Second, 10 * time.Second}},
		{0.1, 3600, []time.Duration{50 * time.Second}},
		{2, 40, nil},
	} {
		p := process{end: c.rate * c.seconds, perUnit: 1 / c.rate}
		if got := p.widths(); !slices.Equal(got, c.want) {
			t.Errorf("%v/s for %v s: windows of %v, want %v", c.rate, c.seconds, got, c.want)
		}
	}
}

func BenchmarkAMillionDepartures(b *testing.B) {
	spec := shapes()["poisson"]
	spec.Rate = 10_000
	var sent []measure.Departure
	var plan []int64
	for due := range arrival.Schedule(spec, 1, "main", 0, 100e9, 0) {
		plan = append(plan, due.At)
		sent = append(sent, measure.Departure{Seq: due.Seq, Due: due.At, Left: due.At + 100_000})
	}
	for b.Loop() {
		againstPlan(plan, 0, sent, 5e6, 0.999)
		againstLaw(spec.Law(1, "main", 0), instants(sent, 5e6), measure.Window{End: 100e9}, false)
	}
}
