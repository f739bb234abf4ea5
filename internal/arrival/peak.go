// How high: a multiple of the rate, or a rate.

package arrival

import (
	"strconv"
	"strings"

	"assay/internal/unit"
)

// A Peak is written 10x, ten times traffic.rate, or as a rate, 400/s.
type Peak struct {
	Times float64
	Rate  unit.Rate
}

// IsZero tells that none was written.
func (p Peak) IsZero() bool { return p == Peak{} }

func (p Peak) of(rate float64) float64 {
	if p.Times > 0 {
		return times(p.Times, rate)
	}
	return float64(p.Rate)
}

// String is the peak as it is written.
func (p Peak) String() string {
	if p.Times > 0 {
		return strconv.FormatFloat(p.Times, 'f', -1, 64) + "x"
	}
	return p.Rate.String()
}

// MarshalText writes String.
func (p Peak) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads 10x or what unit.ParseRate reads.
func (p *Peak) UnmarshalText(text []byte) error {
	words := strings.TrimSpace(string(text))
	fail := func(problem, hint string) error {
		return &unit.Error{Kind: "peak", Input: words, Problem: problem, Hint: hint}
	}
	digits, multiple := strings.CutSuffix(words, "x")
	if n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64); err == nil {
		switch {
		case !multiple:
			return fail("has no unit", "write "+digits+"x or "+digits+"/s")
		case !(n > 0 && n < 1e9):
			return fail("is out of range", "write a multiple of the rate, as in 10x")
		}
		*p = Peak{Times: n}
		return nil
	}
	rate, err := unit.ParseRate(words)
	if err != nil {
		return fail("is neither a multiple nor a rate", "write 10x or 400/s")
	}
	*p = Peak{Rate: rate}
	return nil
}
