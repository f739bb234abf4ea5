package sim

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"assay/internal/unit"
)

// ParamKind is how a parameter is written.
type ParamKind uint8

const (
	Count    ParamKind = iota // a whole number of at least 1
	Whole                     // a whole number of at least 0
	Number                    // a number above 0
	Share                     // "1%" or 0.01: from 0 to 1
	Switch                    // on, off
	Duration                  // "20ms"; 0s is allowed
)

// A Param is a parameter of a preset. Source says where its default comes
// from, so that nobody takes a choice for a measurement.
type Param struct {
	Name    string
	Kind    ParamKind
	Default string
	About   string
	Source  string // "" where there is nothing to know
}

// Parameters that more than one preset has.
var (
	outputTokens   = Param{Name: "output_tokens", Kind: Count, Default: "128", About: "length of a reply whose request sets no limit"}
	tokensPerEvent = Param{Name: "tokens_per_event", Kind: Count, Default: "1", About: "tokens that leave together in one event"}
	templateTokens = Param{Name: "template_tokens", Kind: Whole, Default: "0", About: "tokens that the template of a chat adds to its prompt, all before it"}
	imageTokens    = Param{Name: "image_tokens", Kind: Whole, Default: "256", About: "tokens that a picture in a prompt counts as", Source: "a choice; Gemma 3 has as many for each"}
	audioTokens    = Param{Name: "audio_tokens", Kind: Whole, Default: "25", About: "tokens that a second of a recording in a prompt counts as", Source: "a choice; Qwen2-Audio has as many"}
	masterSeed     = Param{Name: "seed", Kind: Whole, Default: "1", About: "of everything that is drawn"}
)

// values are the parameters by name. Durations are ns, shares are from 0 to 1,
// a switch is 0 or 1.
type values map[string]float64

func (v values) duration(name string) int64   { return int64(v[name]) }
func (v values) count(name string) int        { return int(v[name]) }
func (v values) number(name string) float64   { return v[name] }
func (v values) on(name string) bool          { return v[name] != 0 }
func (v values) has(name string) (there bool) { _, there = v[name]; return there }

// maxParam bounds a count, so that no reply is endless by a slip of the pen.
const maxParam = 1 << 30

func (p Param) parse(text string) (float64, error) {
	switch p.Kind {
	case Duration:
		d, err := unit.ParseDuration(text)
		return float64(time.Duration(d)), err
	case Share:
		f, err := unit.ParseFraction(text)
		return float64(f), err
	case Switch:
		switch text {
		case "on":
			return 1, nil
		case "off":
			return 0, nil
		}
		return 0, fmt.Errorf("%q is neither on nor off", text)
	case Number:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || !(f > 0) || math.IsInf(f, 0) {
			return 0, fmt.Errorf("%q is not a number above 0", text)
		}
		return f, nil
	}
	least := 1
	if p.Kind == Whole {
		least = 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > maxParam {
		return 0, fmt.Errorf("%q is not a whole number of at least %d", text, least)
	}
	return float64(n), nil
}
