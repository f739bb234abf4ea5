package result

// What was really sent against what was asked: the law of the gaps, and the
// evenness of counts. Ten workers that share a seed pass the first and fail
// the second.

import (
	"fmt"

	"assay/internal/arrival"
	"assay/internal/measure"
	"assay/internal/stats"
)

const (
	arrivalChance = 1e-6 // of calling a true Poisson process false
	evenEnough    = 0.25 // gap CV and dispersion that a constant rate may show: the client's lag
)

// arrivals describes what was sent and holds it against the contract.
func (b *builder) arrivals() Arrivals {
	a := b.s.Arrivals(measure.Filter{})
	out := Arrivals{GapCV: number(a.GapCV), Dispersion: number(a.Dispersion), Test: "not applicable: closed loop"}
	for i := range b.c.Streams {
		s := &b.c.Streams[i]
		if !s.OpenLoop() {
			continue
		}
		of := b.s.Arrivals(measure.Filter{Conditions: []measure.Condition{{Field: "stream", Op: "=", Text: s.Name}}})
		verdict := lawful(s.Arrival(), of)
		if verdict != asAsked {
			out.Test = s.Name + ": " + verdict
			return out
		}
		out.Test = verdict
	}
	return out
}

const asAsked = "as asked"

func lawful(law arrival.Spec, a measure.Arrivals) string {
	if len(a.Gaps) < 2 {
		return "too few requests to tell"
	}
	switch law.Shape {
	case arrival.Constant:
		if a.GapCV > evenEnough || a.Dispersion > evenEnough {
			return fmt.Sprintf("the gaps of a constant rate vary (CV %.2f, dispersion %.2f)", a.GapCV, a.Dispersion)
		}
	case arrival.Poisson:
		if p := stats.ExponentialP(a.Gaps, 1/law.Rate); p < arrivalChance {
			return fmt.Sprintf("the gaps are not exponential (p = %.1g)", p)
		}
		if p := stats.DispersionP(a.Counts); p < arrivalChance {
			return fmt.Sprintf("the counts per second are not those of a Poisson process (dispersion %.2f, p = %.1g)", a.Dispersion, p)
		}
	}
	return asAsked
}
