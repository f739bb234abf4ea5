// A rate over time that somebody has recorded or drawn.

package arrival

import (
	"math"
	"math/rand/v2"
)

// seriesPieces holds each rate until the next point (form: step) or goes to
// the next in a straight line; the last rate stays.
func seriesPieces(s Spec, _ *rand.Rand) func() piece {
	at, rates, i := s.Recorded.Times, s.Recorded.Rates, -1
	return func() piece {
		if i++; i >= len(at)-1 {
			return flat(math.Inf(1), rates[len(at)-1]/second)
		}
		p := piece{length: float64(at[i+1] - at[i]), from: rates[i] / second, to: rates[i+1] / second}
		if s.Form != Linear {
			p.to = p.from
		}
		return p
	}
}

func checkSeries(s Spec) error {
	forms := []string{Step, Linear}
	switch {
	case s.File == "":
		return missing("file", "write file: rates.csv, with the columns time and rate")
	case !oneOf(s.Form, append(forms, "")):
		return unknown("form", s.Form, forms)
	}
	return s.checkFields()
}

func seriesMost(s Spec) float64 {
	most := 0.0
	for _, r := range s.recorded().Rates {
		most = max(most, r)
	}
	return most
}

// seriesMean is the mean over the time that the file covers.
func seriesMean(s Spec) float64 {
	r := s.recorded()
	n := len(r.Times)
	if n == 0 {
		return 0
	}
	c := cumulated{next: seriesPieces(s, nil)}
	if span := float64(r.Times[n-1]); span > 0 {
		return c.at(span) / span * second
	}
	return r.Rates[n-1]
}
