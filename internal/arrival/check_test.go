// Parameters that a shape can't keep, and how the refusal helps.

package arrival

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"assay/internal/unit"
)

func TestParametersThatCannotBeKeptAreRefusedByName(t *testing.T) {
	flash := func(change func(*Parameters)) Spec {
		p := Parameters{Peak: Peak{Times: 10}, Hold: seconds(2), At: []unit.Duration{seconds(3)}}
		change(&p)
		return Spec{Shape: Flash, Rate: 40, Parameters: p}
	}
	mmpp := func(peak Peak) Spec {
		return Spec{Shape: MMPP, Rate: 40, Parameters: Parameters{Peak: peak, On: seconds(1), Off: seconds(3)}}
	}
	ramp := func(p Parameters) Spec { return Spec{Shape: Ramp, Parameters: p} }
	for name, c := range map[string]struct {
		spec         Spec
		key, advises string
	}{
		"no rate":                  {Spec{Shape: Gamma, CV: 2}, "rate", "40/s"},
		"a rate beside its own":    {Spec{Shape: Ramp, Rate: 1, Parameters: Parameters{To: 3, Over: 1}}, "rate", "from, to"},
		"no cv":                    {Spec{Shape: Gamma, Rate: 1}, "cv", "burstiness"},
		"cv and burstiness":        {Spec{Shape: Gamma, Rate: 1, CV: 2, Parameters: Parameters{Burstiness: 1}}, "burstiness", "drop"},
		"a cv of nothing":          {Spec{Shape: Gamma, Rate: 1, CV: 0.001}, "cv", "constant"},
		"a cv without end":         {Spec{Shape: Weibull, Rate: 1, CV: 1e6}, "cv", "write"},
		"cv of poisson":            {Spec{Shape: Poisson, Rate: 1, CV: 1}, "cv", "gamma"},
		"k of gamma":               {Spec{Shape: Gamma, Rate: 1, Parameters: Parameters{K: 1}}, "k", "gamma takes"},
		"k beyond its range":       {Spec{Shape: Weibull, Rate: 1, Parameters: Parameters{K: 0.01}}, "k", "0.2"},
		"another's parameter":      {Spec{Shape: Constant, Rate: 1, Parameters: Parameters{Hold: 1}}, "hold", "drop it"},
		"a base that is not":       {Spec{Shape: Sine, Rate: 1, Parameters: Parameters{Period: 1, Amplitude: 1, Base: "sine"}}, "base", "poisson"},
		"a base without its cv":    {Spec{Shape: Sine, Rate: 1, Parameters: Parameters{Period: 1, Amplitude: 1, Base: Gamma}}, "cv", "cv: 3"},
		"cv without its base":      {Spec{Shape: Sine, Rate: 1, CV: 3, Parameters: Parameters{Period: 1, Amplitude: 1}}, "cv", "base: gamma"},
		"no crowd":                 {flash(func(p *Parameters) { p.At = nil }), "at", "every"},
		"both kinds of crowd":      {flash(func(p *Parameters) { p.Every = seconds(9) }), "every", "drop"},
		"crowds that overlap":      {flash(func(p *Parameters) { p.At = []unit.Duration{seconds(3), seconds(4)} }), "at", "2s after"},
		"crowds too often":         {flash(func(p *Parameters) { p.At, p.Every = nil, seconds(1) }), "every", "2s or more"},
		"a crowd of no length":     {flash(func(p *Parameters) { p.Hold = 0 }), "hold", "hold: 20s"},
		"a peak below the base":    {flash(func(p *Parameters) { p.Peak = Peak{Rate: 39} }), "peak", "above"},
		"no peak":                  {flash(func(p *Parameters) { p.Peak = Peak{} }), "peak", "10x"},
		"a peak beyond the mean":   {mmpp(Peak{Times: 4.5}), "peak", "at most 4x"},
		"an unknown form":          {ramp(Parameters{To: 1, Over: 1, Form: "cubic"}), "form", "linear, exponential, steps"},
		"growth from nothing":      {ramp(Parameters{To: 1, Over: 1, Form: Exponential}), "form", "linear"},
		"steps without a number":   {ramp(Parameters{To: 1, Over: 1, Form: Steps}), "steps", "steps: 5"},
		"a number without steps":   {ramp(Parameters{To: 1, Over: 1, Steps: 4}), "steps", "form: steps"},
		"a ramp of no length":      {ramp(Parameters{To: 1}), "over", "60s"},
		"a ramp to nowhere":        {ramp(Parameters{Over: 1}), "to", "to: 40/s"},
		"no period":                {Spec{Shape: Sine, Rate: 1, Parameters: Parameters{Amplitude: 1}}, "period", "10m"},
		"no amplitude":             {Spec{Shape: Sine, Rate: 1, Parameters: Parameters{Period: 1}}, "amplitude", "50%"},
		"no file":                  {Spec{Shape: Trace}, "file", "trace.csv"},
		"an unknown unit":          {Spec{Shape: Trace, Parameters: Parameters{File: "f", Unit: "min"}}, "unit", "s, ms, us, ns"},
		"a part that ends earlier": {Spec{Shape: Trace, Parameters: Parameters{File: "f", Start: 5, End: 5}}, "end", "end"},
		"no speed":                 {Spec{Shape: Trace, Parameters: Parameters{File: "f", Speedup: -1}}, "speedup", "2"},
	} {
		var e *ParameterError
		if err := c.spec.Check(); !errors.As(err, &e) || e.Key != c.key || !strings.Contains(e.Hint, c.advises) {
			t.Errorf("%s: got %v, want an error at %s with a hint that says %q", name, err, c.key, c.advises)
			if e != nil {
				t.Logf("the hint is %q", e.Hint)
			}
		}
	}
	if err := mmpp(Peak{Times: 4}).Check(); err != nil { // nothing is left for the quiet state, and nothing is what it has
		t.Errorf("on and off alone: %v", err)
	}
}

// At 4 times the rate for a quarter of the time the quiet state is silent.
func TestAPeakThatTakesAllLeavesTheQuietStateSilent(t *testing.T) {
	s := Spec{Shape: MMPP, Rate: 40, Parameters: Parameters{Peak: Peak{Times: 4}, On: seconds(1), Off: seconds(3)}}
	law, last, longest, n := s.Law(1, "main", 0), int64(0), int64(0), 0
	for due := range Schedule(s, 1, "main", 0, 400*sec, 0) {
		longest, last, n = max(longest, due.At-last), due.At, n+1
	}
	if want := law.Cumulated(400 * second); math.Abs(float64(n)-want) > z*math.Sqrt(want) || longest < sec {
		t.Errorf("%d requests, expected %v, longest pause %d ns; want silences of seconds", n, want, longest)
	}
}

func TestAPeakIsAMultipleOrARate(t *testing.T) {
	for text, want := range map[string]Peak{"10x": {Times: 10}, " 2.5 x": {Times: 2.5}, "400/s": {Rate: 400}, "60/min": {Rate: 1}} {
		var p Peak
		if err := p.UnmarshalText([]byte(text)); err != nil || p != want {
			t.Errorf("%q: got %v, %v, want %v", text, p, err, want)
		}
		var again Peak
		if err := again.UnmarshalText([]byte(p.String())); err != nil || again != p {
			t.Errorf("%q is written %q, which reads as %v, %v", text, p, again, err)
		}
	}
	for _, text := range []string{"10", "", "x", "-2x", "0x", "1e12x", "10 times", "NaNx"} {
		if new(Peak).UnmarshalText([]byte(text)) == nil {
			t.Errorf("%q was read", text)
		}
	}
}

// The instants are the same whatever the gaps of another stream, and in order.
func TestNoShapeTurnsBack(t *testing.T) {
	for name, spec := range examples(t, 5000) {
		at := []int64{}
		for due := range Schedule(spec, 9, "main", sec, 30*sec, 0) {
			at = append(at, due.At)
		}
		if !slices.IsSorted(at) || len(at) < 10_000 {
			t.Errorf("%s: %d requests, in order: %v", name, len(at), slices.IsSorted(at))
		}
		peak := 0
		for i, low := 0, 0; i < len(at); i++ {
			for at[i]-at[low] > sec {
				low++
			}
			peak = max(peak, i-low)
		}
		if most := spec.PeakRate(); float64(peak) > 2*most || name != Gamma && name != Weibull && float64(peak) > most+8*math.Sqrt(most) {
			t.Errorf("%s: %d requests in a second, PeakRate() = %v", name, peak, most)
		}
	}
}

func BenchmarkAMillionRequests(b *testing.B) {
	all := examples(b, 500)
	for _, name := range Shapes() {
		spec := all[name]
		if name == Trace {
			times := make([]int64, 1_000_000)
			for i := range times {
				times[i] = int64(i) * 2 * ms
			}
			spec.Recorded = &Recorded{Times: times}
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				n := 0
				for range Schedule(spec, 1, "main", 0, 0, 1_000_000) {
					n++
				}
				if n != 1_000_000 {
					b.Fatalf("%d requests", n)
				}
			}
		})
	}
}
