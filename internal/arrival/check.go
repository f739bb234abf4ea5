// Why a spec can't be kept, said so that a contract can point at the setting.

package arrival

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// A ParameterError is a setting that is missing, wrong, or not the shape's.
type ParameterError struct {
	Key  string // "arrivals", "rate", "cv" or a key of Parameters
	Msg  string // continues "traffic.shape.peak: "
	Hint string
}

func (e *ParameterError) Error() string { return e.Key + ": " + e.Msg }

func missing(key, hint string) error { return &ParameterError{key, "is missing", hint} }

func wrong(key, msg, hint string) error { return &ParameterError{key, msg, hint} }

func unknown(key, word string, known []string) error {
	return &ParameterError{key, fmt.Sprintf("unknown %s %q", key, word), "known are " + strings.Join(known, ", ")}
}

// Check says why a schedule cannot be made of the spec.
func (s Spec) Check() error {
	shape, ok := shapeOf(s.Shape)
	if !ok {
		_, err := ParseShape(s.Shape)
		return &ParameterError{"arrivals", err.Error(), ""}
	}
	for _, key := range s.given() {
		if !Takes(s.Shape, key) {
			hint := "drop it; " + s.Shape + " takes " + strings.Join(shape.takes, ", ")
			if key == "cv" {
				hint = "write arrivals: gamma, or drop it"
			}
			return wrong(key, s.Shape+" does not take it", hint)
		}
	}
	if slices.Contains(shape.takes, "rate") {
		if s.Rate == 0 {
			return missing("rate", "write rate: 40/s")
		}
		if !(s.Rate > 0) || math.IsInf(s.Rate, 0) {
			return wrong("rate", fmt.Sprintf("%v/s: must be a number above 0", s.Rate), "write rate: 40/s")
		}
	}
	if shape.check != nil {
		if err := shape.check(s); err != nil {
			return err
		}
	}
	if slices.Contains(shape.takes, "base") {
		return s.checkBase()
	}
	return nil
}

// checkBase is for the gaps of a rate that changes.
func (s Spec) checkBase() error {
	switch s.base() {
	case Constant, Poisson:
		for _, key := range s.given() {
			if key == "cv" || key == "burstiness" || key == "k" {
				return wrong(key, "is for the base gamma or weibull", "write base: gamma under shape, or drop it")
			}
		}
	case Gamma:
		return checkGamma(s)
	case Weibull:
		return checkWeibull(s)
	default:
		return unknown("base", s.Base, []string{Poisson, Constant, Gamma, Weibull})
	}
	return nil
}

// given are the keys of the settings that are not zero.
func (s Spec) given() []string {
	var given []string
	if s.Rate != 0 {
		given = append(given, "rate")
	}
	if s.CV != 0 {
		given = append(given, "cv")
	}
	v := reflect.ValueOf(s.Parameters)
	for i := range v.NumField() {
		if !v.Field(i).IsZero() {
			key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
			given = append(given, key)
		}
	}
	return given
}

// Coefficients of variation beyond these are slips of the pen: below, the gaps
// are constant; above, a million requests don't show the mean.
const (
	leastCV = 0.01
	mostCV  = 30.0
)

func checkGamma(s Spec) error {
	const hint = "write cv: 3 (or 1 for poisson, less for more even gaps)"
	switch {
	case s.K != 0:
		return wrong("k", "is of weibull", "write cv or burstiness")
	case s.CV != 0 && s.Burstiness != 0:
		return wrong("burstiness", "excludes cv, which is given too (burstiness is 1/cv²)", "drop cv or burstiness")
	case s.CV == 0 && s.Burstiness == 0:
		return missing("cv", hint+", or burstiness, which is 1/cv²")
	}
	if s.Burstiness != 0 && !(s.Burstiness > 0 && gammaCV(s) >= leastCV && gammaCV(s) <= mostCV) {
		return wrong("burstiness", fmt.Sprintf("%v is out of range", s.Burstiness), fmt.Sprintf("write %.4g to %v", 1/(mostCV*mostCV), 1/(leastCV*leastCV)))
	}
	if s.CV != 0 && !(s.CV >= leastCV && s.CV <= mostCV) {
		return wrong("cv", fmt.Sprintf("%v is out of range", s.CV), fmt.Sprintf("write %v to %v; constant has no variation at all", leastCV, mostCV))
	}
	return nil
}

func checkWeibull(s Spec) error {
	low, high := cvOfK(mostK), cvOfK(leastK)
	switch {
	case s.Burstiness != 0:
		return wrong("burstiness", "is of gamma", "write cv or k")
	case s.CV != 0 && s.K != 0:
		return wrong("k", "excludes cv, which is given too", "drop cv or k")
	case s.CV == 0 && s.K == 0:
		return missing("cv", "write cv: 3, or k, the exponent of the law: below 1 the tail is long")
	case s.K != 0 && !(s.K >= leastK && s.K <= mostK):
		return wrong("k", fmt.Sprintf("%v is out of range", s.K), fmt.Sprintf("write %v to %v", leastK, mostK))
	case s.CV != 0 && !(s.CV >= low && s.CV <= high):
		return wrong("cv", fmt.Sprintf("%v is out of range", s.CV), fmt.Sprintf("write %.2g to %.3g", low, high))
	}
	return nil
}
