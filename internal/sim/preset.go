package sim

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Preset is an engine with a name, and the parameters that may be set. Every
// preset also has the parameters of faults.
type Preset struct {
	Name   string
	About  string
	Params []Param
	build  func(values) Engine
	check  func(values) error               // nil: anything goes
	facts  func(values) []string            // what follows from the parameters; nil: nothing
	bounds func(values) (block, tokens int) // see BlockSize and Longest; nil: none
}

// Presets returns every preset.
func Presets() []Preset {
	return []Preset{
		fixed,
		h100x8b,
		h100x8bTails,
		null,
		tp4,
		tp8,
	}
}

// Names are the names of the presets.
func Names() []string {
	var names []string
	for _, p := range Presets() {
		names = append(names, p.Name)
	}
	return names
}

// Settings are a preset with every parameter given.
type Settings struct {
	preset  Preset
	written map[string]string
	values  values
}

// Configure returns the preset with these parameters, the others at their
// defaults. It refuses a preset or a parameter that does not exist.
func Configure(preset string, set map[string]string) (Settings, error) {
	i := slices.IndexFunc(Presets(), func(p Preset) bool { return p.Name == preset })
	if i < 0 {
		return Settings{}, fmt.Errorf("there is no preset %q: use one of %s", preset, strings.Join(Names(), ", "))
	}
	s := Settings{preset: Presets()[i], written: map[string]string{}, values: values{}}
	params := slices.Concat(s.preset.Params, faultParams)
	for _, p := range params {
		s.written[p.Name] = p.Default
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if _, known := s.written[name]; !known {
			return Settings{}, fmt.Errorf("preset %s has no parameter %q: it has %s", preset, name, strings.Join(slices.Sorted(maps.Keys(s.written)), ", "))
		}
		s.written[name] = set[name]
	}
	for _, p := range params {
		v, err := p.parse(s.written[p.Name])
		if err != nil {
			return Settings{}, fmt.Errorf("parameter %s of preset %s: %w", p.Name, preset, err)
		}
		s.values[p.Name] = v
	}
	err := checkFaults(s.values)
	if s.preset.check != nil {
		err = errors.Join(err, s.preset.check(s.values))
	}
	if err != nil {
		return Settings{}, fmt.Errorf("preset %s: %w", preset, err)
	}
	return s, nil
}

// Engine returns a new engine of these settings.
func (s Settings) Engine() Engine { return s.preset.build(s.values) }

// BlockSize is the number of tokens of a block whose hash the engine wants
// with each request; 0 when it keeps no prefixes.
func (s Settings) BlockSize() int {
	if s.preset.bounds == nil {
		return 0
	}
	block, _ := s.preset.bounds(s.values)
	return block
}

// Longest is the most tokens that a prompt and its reply may have together; 0
// where there is no limit. What is longer must not be admitted.
func (s Settings) Longest() int {
	if s.preset.bounds == nil {
		return 0
	}
	_, tokens := s.preset.bounds(s.values)
	return tokens
}

// TemplateTokens is what the template of a chat adds to its prompt.
func (s Settings) TemplateTokens() int { return s.values.count("template_tokens") }

// ImageTokens is what a picture of a prompt counts as.
func (s Settings) ImageTokens() int { return s.values.count("image_tokens") }

// AudioTokens is what a second of a recording counts as.
func (s Settings) AudioTokens() int { return s.values.count("audio_tokens") }

// Output is the length of a reply whose request sets no limit.
func (s Settings) Output() int { return s.values.count("output_tokens") }
