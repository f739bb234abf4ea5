package sim

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/internal/unit"
)

// A Preset is an engine with a name, and the parameters that may be set.
type Preset struct {
	Name   string
	About  string
	Params []Param
	build  func(values) Engine
}

// ParamKind is how a parameter is written.
type ParamKind uint8

const (
	Count    ParamKind = iota // a whole number of at least 1
	Duration                  // "20ms"; 0s is allowed
)

// A Param is a parameter of a preset.
type Param struct {
	Name    string
	Kind    ParamKind
	Default string
	About   string
}

// Parameters that every preset has.
var (
	outputTokens   = Param{Name: "output_tokens", Kind: Count, Default: "128", About: "length of a reply whose request sets no limit"}
	tokensPerEvent = Param{Name: "tokens_per_event", Kind: Count, Default: "1", About: "tokens that leave together in one event"}
)

// Presets returns every preset.
func Presets() []Preset {
	return []Preset{
		fixed,
		null,
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
	for _, p := range s.preset.Params {
		s.written[p.Name] = p.Default
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if _, known := s.written[name]; !known {
			return Settings{}, fmt.Errorf("preset %s has no parameter %q: it has %s", preset, name, strings.Join(slices.Sorted(maps.Keys(s.written)), ", "))
		}
		s.written[name] = set[name]
	}
	for _, p := range s.preset.Params {
		v, err := p.parse(s.written[p.Name])
		if err != nil {
			return Settings{}, fmt.Errorf("parameter %s of preset %s: %w", p.Name, preset, err)
		}
		s.values[p.Name] = v
	}
	return s, nil
}

// Engine returns a new engine of these settings.
func (s Settings) Engine() Engine { return s.preset.build(s.values) }

// values are the parameters by name: counts, or nanoseconds.
type values map[string]int64

func (v values) duration(name string) int64 { return v[name] }
func (v values) count(name string) int      { return int(v[name]) }

// maxParam bounds a count, so that no reply is endless by a slip of the pen.
const maxParam = 1 << 30

func (p Param) parse(text string) (int64, error) {
	if p.Kind == Duration {
		d, err := unit.ParseDuration(text)
		return int64(time.Duration(d)), err
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxParam {
		return 0, fmt.Errorf("%q is not a whole number of at least 1", text)
	}
	return int64(n), nil
}
