package sim

import (
	"fmt"
	"strings"
)

// A Description is a preset as people and scripts read it.
type Description struct {
	Preset string             `json:"preset"`
	About  string             `json:"about"`
	Params []ParamDescription `json:"params"`
}

// A ParamDescription is one parameter with the value it has.
type ParamDescription struct {
	Name    string `json:"name"`
	Value   string `json:"value"`
	Default string `json:"default"`
	About   string `json:"about"`
}

// Describe tells what these settings are.
func (s Settings) Describe() Description {
	d := Description{Preset: s.preset.Name, About: s.preset.About}
	for _, p := range s.preset.Params {
		d.Params = append(d.Params, ParamDescription{p.Name, s.written[p.Name], p.Default, p.About})
	}
	return d
}

// String is the description for people.
func (d Description) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", d.Preset, d.About)
	for _, p := range d.Params {
		fmt.Fprintf(&b, "  %-18s %-8s %s", p.Name, p.Value, p.About)
		if p.Value != p.Default {
			fmt.Fprintf(&b, " (default %s)", p.Default)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
