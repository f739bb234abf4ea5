// Package arrival says when requests are due: one file per shape. A schedule
// is a function of (spec, seed) alone, so every worker computes the whole of
// it and takes its stripe; the number of workers changes nothing. Rates that
// change are followed exactly, by a change of time, and never by a rate that
// is set anew every so often. It refuses shapes that it does not know, and
// parameters that a shape does not take or can't keep. It promises the same
// instants for the same spec and seed, to the nanosecond, for ever.
package arrival

import "assay/internal/unit"

// Shapes of arrivals.
const (
	Constant = "constant"
	Poisson  = "poisson"
	Gamma    = "gamma"
	Weibull  = "weibull"
	MMPP     = "mmpp"
	Flash    = "flash"
	Ramp     = "ramp"
	Sine     = "sine"
	Series   = "series"
	Trace    = "trace"
)

// A Spec is a shape with its parameters.
type Spec struct {
	Shape string
	Rate  float64 // requests per second: the mean, of flash the base; 0 where the shape has its own
	CV    float64 // of the gaps: gamma and weibull, also as a base
	Parameters
	Handed   bool      // trace: its times are handed in by Handed, and no file is read
	Recorded *Recorded // what the file of series and trace holds
}

// Parameters are what the shapes ask for beside rate and cv, as a contract
// states them. Each shape takes its own and no other.
type Parameters struct {
	Burstiness float64 `yaml:"burstiness,omitempty"` // gamma: 1/cv²
	K          float64 `yaml:"k,omitempty"`          // weibull: the exponent of its law, which others call its shape

	Peak  Peak            `yaml:"peak,omitempty"`  // mmpp, flash
	On    unit.Duration   `yaml:"on,omitempty"`    // mmpp: mean stay at the peak
	Off   unit.Duration   `yaml:"off,omitempty"`   // mmpp: mean stay below
	Rise  unit.Duration   `yaml:"rise,omitempty"`  // flash
	Hold  unit.Duration   `yaml:"hold,omitempty"`  // flash
	Decay unit.Duration   `yaml:"decay,omitempty"` // flash
	Every unit.Duration   `yaml:"every,omitempty"` // flash
	At    []unit.Duration `yaml:"at,omitempty"`    // flash: from the window's start

	From  unit.Rate     `yaml:"from,omitempty"`  // ramp
	To    unit.Rate     `yaml:"to,omitempty"`    // ramp
	Over  unit.Duration `yaml:"over,omitempty"`  // ramp
	Form  string        `yaml:"form,omitempty"`  // ramp, series: one of the forms below
	Steps int           `yaml:"steps,omitempty"` // ramp of the form steps

	Period    unit.Duration `yaml:"period,omitempty"`    // sine
	Amplitude unit.Fraction `yaml:"amplitude,omitempty"` // sine: of the rate

	File    string        `yaml:"file,omitempty"`    // series, trace
	Time    string        `yaml:"time,omitempty"`    // series, trace: the field that holds the time
	Value   string        `yaml:"value,omitempty"`   // series: the field that holds the rate
	Unit    string        `yaml:"unit,omitempty"`    // series, trace: of times that are numbers
	Speedup float64       `yaml:"speedup,omitempty"` // trace
	Start   unit.Duration `yaml:"start,omitempty"`   // trace: what of it is used, from its first line on
	End     unit.Duration `yaml:"end,omitempty"`     // trace

	Base string `yaml:"base,omitempty"` // of rates that change: the law of the gaps in expected requests
}

// Forms of ramp and series.
const (
	Linear      = "linear"
	Exponential = "exponential"
	Steps       = "steps"
	Step        = "step"
)

// Complete returns the parameters with the defaults of the shape filled in;
// window is that of the schedule, 0 if it is not known.
func (s Spec) Complete(window int64) Parameters {
	p := s.Parameters
	usual := func(key string, to *string, value string) {
		if Takes(s.Shape, key) && *to == "" {
			*to = value
		}
	}
	usual("base", &p.Base, Poisson)
	if !s.Handed {
		usual("unit", &p.Unit, "s")
	}
	if s.Shape == Series {
		usual("form", &p.Form, Step)
	}
	usual("form", &p.Form, Linear)
	if s.Shape == Ramp && p.Over == 0 {
		p.Over = unit.Duration(window)
	}
	if s.Shape == Trace && p.Speedup == 0 {
		p.Speedup = 1
	}
	return p
}
