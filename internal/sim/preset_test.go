package sim

import (
	"strings"
	"testing"
)

func TestEveryPresetHasAnEngineAndWordsForItsParameters(t *testing.T) {
	for _, p := range Presets() {
		s, err := Configure(p.Name, nil)
		if err != nil {
			t.Errorf("Configure(%q): %v", p.Name, err)
			continue
		}
		if s.Engine() == nil || p.About == "" {
			t.Errorf("preset %s has no engine or no description", p.Name)
		}
		d := s.Describe()
		if len(d.Params) != len(p.Params) {
			t.Errorf("%s describes %d parameters, want %d", p.Name, len(d.Params), len(p.Params))
		}
		for _, param := range d.Params {
			if param.About == "" || param.Value != param.Default || !strings.Contains(d.String(), param.Name) {
				t.Errorf("%s: parameter %+v is not described", p.Name, param)
			}
		}
	}
}

func TestASetParameterIsTakenAndShownWithItsDefault(t *testing.T) {
	s, err := Configure("fixed", map[string]string{"ttft": "250ms"})
	if err != nil {
		t.Fatal(err)
	}
	var at int64
	e := s.Engine()
	e.Admit(0, Request{ID: 1, Output: 1}, func(Emission) {})
	e.Advance(e.Next(), func(em Emission) { at = em.At })
	if at != 250_000_000 {
		t.Errorf("the first token is due at %d, want 250 ms", at)
	}
	if got := s.Describe().String(); !strings.Contains(got, "250ms") || !strings.Contains(got, "(default 100ms)") {
		t.Errorf("Describe = %s", got)
	}
}

func TestUnknownPresetsParametersAndValuesAreRefused(t *testing.T) {
	for _, c := range []struct{ preset, name, value, want string }{
		{"h100", "", "", `there is no preset "h100": use one of fixed, h100-8b, h100-8b-fp8-tails, null, tp4, tp8`},
		{"fixed", "ttfx", "1ms", `preset fixed has no parameter "ttfx": it has audio_tokens, fault_cut, `},
		{"null", "ttft", "1ms", `preset null has no parameter "ttft"`},
		{"fixed", "itl", "20", "parameter itl of preset fixed"},
		{"fixed", "itl", "-1ms", "parameter itl of preset fixed"},
		{"fixed", "output_tokens", "0", `"0" is not a whole number of at least 1`},
		{"fixed", "output_tokens", "1e3", `"1e3" is not a whole number of at least 1`},
	} {
		set := map[string]string{}
		if c.name != "" {
			set[c.name] = c.value
		}
		if _, err := Configure(c.preset, set); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Configure(%q, %v): %v, want %s", c.preset, set, err, c.want)
		}
	}
}
