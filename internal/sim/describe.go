package sim

import (
	"fmt"
	"strings"
)

// A Description is a preset as people and scripts read it.
type Description struct {
	Preset string             `json:"preset"`
	About  string             `json:"about"`
	Facts  []string           `json:"facts,omitempty"` // what follows from the parameters
	Params []ParamDescription `json:"params"`
	Faults []ParamDescription `json:"faults"`
}

// A ParamDescription is one parameter with the value it has.
type ParamDescription struct {
	Name    string `json:"name"`
	Value   string `json:"value"`
	Default string `json:"default"`
	About   string `json:"about"`
	Source  string `json:"source,omitempty"` // of the default
}

// Describe tells what these settings are.
func (s Settings) Describe() Description {
	d := Description{
		Preset: s.preset.Name, About: s.preset.About,
		Params: s.describe(s.preset.Params), Faults: s.describe(faultParams),
	}
	if s.preset.facts != nil {
		d.Facts = s.preset.facts(s.values)
	}
	return d
}

func (s Settings) describe(params []Param) (described []ParamDescription) {
	for _, p := range params {
		described = append(described, ParamDescription{p.Name, s.written[p.Name], p.Default, p.About, p.Source})
	}
	return described
}

// String is the description for people.
func (d Description) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", d.Preset, d.About)
	for _, fact := range d.Facts {
		fmt.Fprintf(&b, "  %s\n", fact)
	}
	b.WriteString("parameters (--set NAME=VALUE):\n")
	list(&b, d.Params)
	b.WriteString("faults (--fault NAME=VALUE without \"fault_\", or --set):\n")
	list(&b, d.Faults)
	return b.String()
}

func list(b *strings.Builder, params []ParamDescription) {
	width := 0
	for _, p := range params {
		width = max(width, len(p.Name))
	}
	for _, p := range params {
		fmt.Fprintf(b, "  %-*s %-8s %s", width, p.Name, p.Value, p.About)
		if p.Value != p.Default {
			fmt.Fprintf(b, " (default %s)", p.Default)
		}
		if p.Source != "" {
			fmt.Fprintf(b, " [%s]", p.Source)
		}
		b.WriteByte('\n')
	}
}
