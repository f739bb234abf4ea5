// A shape in words, for people.

package arrival

import (
	"fmt"
	"strings"

	"assay/internal/unit"
)

// Describe is the shape and its parameters in a few words.
func (s Spec) Describe() string {
	rate, peak := unit.Rate(s.Rate), unit.Rate(s.Peak.of(s.Rate))
	text := ""
	switch s.Shape {
	case Gamma:
		text = fmt.Sprintf("gamma with cv %.4g, %s", gammaCV(s), rate)
	case Weibull:
		text = fmt.Sprintf("weibull with cv %.4g, %s", weibullCV(s), rate)
	case MMPP:
		_, off := mmppRates(s)
		text = fmt.Sprintf("mmpp, %s in the mean: %s for %s, %.4g/s for %s", rate, peak, s.On, off, s.Off)
	case Flash:
		when := "every " + s.Every.String()
		if s.Every == 0 {
			when = "at " + strings.Join(texts(s.At), ", ")
		}
		text = fmt.Sprintf("flash, %s and %s %s (rise %s, hold %s, decay %s)", rate, peak, when, s.Rise, s.Hold, s.Decay)
	case Ramp:
		text = fmt.Sprintf("ramp, %s to %s, %s over %s", s.From, s.To, s.Form, s.Over)
		if s.Form == Steps {
			text = fmt.Sprintf("ramp, %s to %s in %d steps over %s", s.From, s.To, s.Steps, s.Over)
		}
	case Sine:
		text = fmt.Sprintf("sine, %s ± %.4g%%, period %s", rate, 100*s.Amplitude, s.Period)
	case Series:
		text = fmt.Sprintf("series of %d rates up to %.4g/s from %s", len(s.recorded().Rates), seriesMost(s), s.File)
	case Trace:
		from := s.File
		if s.Handed {
			from = "the workload's file"
		}
		text = fmt.Sprintf("trace of %d times from %s", len(s.recorded().Times), from)
		if s.Speedup != 1 {
			text += fmt.Sprintf(", %.4gx as fast", s.Speedup)
		}
	default:
		text = fmt.Sprintf("%s, %s", s.Shape, rate)
	}
	if s.base() != Poisson {
		text += ", base " + s.base()
	}
	return text
}

func texts(times []unit.Duration) []string {
	var all []string
	for _, t := range times {
		all = append(all, t.String())
	}
	return all
}
