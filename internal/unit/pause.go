// Pauses: a duration, or a law from which durations are drawn.

package unit

import (
	"math"
	"math/rand/v2"
	"strings"
	"time"
)

// A Pause is how long somebody thinks: 5s, uniform(1s, 9s), normal(5s, 2s),
// lognormal(5s, 2s) (mean and standard deviation of the pause itself) or
// exponential(5s). What a normal law puts below zero is no pause. Draws are
// whole microseconds: the last bit of a logarithm, which differs between
// machines, must not move a plan.
type Pause struct {
	Law  string // "": not set; "constant" for a plain duration
	A, B Duration
}

const pauseForms = "5s, uniform(1s, 9s), normal(5s, 2s), lognormal(5s, 2s) or exponential(5s)"

// pauseLaws is the table. Draws and biased are in ns.
var pauseLaws = []struct {
	name   string
	values int
	wrong  func(a, b float64) string
	mean   func(a, b float64) float64
	draw   func(a, b float64, r *rand.Rand) float64
	biased func(a, b float64, r *rand.Rand) float64 // of the pause that an instant falls into
}{
	{"constant", 1, wrongMean, first, func(a, _ float64, _ *rand.Rand) float64 { return a }, func(a, _ float64, _ *rand.Rand) float64 { return a }},
	{"uniform", 2, wrongEnds, func(a, b float64) float64 { return (a + b) / 2 }, uniform, biasedUniform},
	{"normal", 2, wrongMean, normalMean, normal, biasedNormal},
	{"lognormal", 2, wrongMean, first, lognormal, biasedLognormal},
	{"exponential", 1, wrongMean, first, exponential, biasedExponential},
}

// IsZero tells whether the pause was left out.
func (p Pause) IsZero() bool { return p.Law == "" }

// UnmarshalText reads one of the forms of the type's comment.
func (p *Pause) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	fail := func(problem string) error {
		return &Error{Kind: "pause", Input: s, Problem: problem, Hint: "write " + pauseForms}
	}
	name, rest, isLaw := strings.Cut(s, "(")
	inner, closed := strings.CutSuffix(rest, ")")
	n := Pause{Law: strings.TrimSpace(name)}
	words := strings.Split(inner, ",")
	if !isLaw {
		n.Law, closed, words = "constant", true, []string{s}
	}
	i := n.law()
	switch {
	case i < 0 || isLaw && n.Law == "constant":
		return fail("has an unknown law")
	case !closed || len(words) != pauseLaws[i].values:
		return fail("is not complete")
	}
	for k, to := range []*Duration{&n.A, &n.B}[:len(words)] {
		d, err := ParseDuration(words[k])
		if err != nil {
			return err
		}
		*to = d
	}
	if wrong := n.wrong(); wrong != "" {
		return fail(wrong)
	}
	*p = n
	return nil
}

func (p Pause) wrong() string { return pauseLaws[p.law()].wrong(float64(p.A), float64(p.B)) }

func (p Pause) law() int {
	for i := range pauseLaws {
		if pauseLaws[i].name == p.Law {
			return i
		}
	}
	return -1
}

// String is what UnmarshalText reads back; "" when the pause was left out.
func (p Pause) String() string {
	i := p.law()
	switch {
	case i < 0:
		return ""
	case p.Law == "constant":
		return p.A.String()
	case pauseLaws[i].values == 1:
		return p.Law + "(" + p.A.String() + ")"
	}
	return p.Law + "(" + p.A.String() + ", " + p.B.String() + ")"
}

// MarshalText is String.
func (p Pause) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// Mean is the mean of the draws: of a normal law a little above the one that
// is written, because no draw is below zero.
func (p Pause) Mean() time.Duration {
	if p.IsZero() {
		return 0
	}
	return whole(pauseLaws[p.law()].mean(float64(p.A), float64(p.B)))
}

// Draw is one pause; none where nothing is set.
func (p Pause) Draw(r *rand.Rand) time.Duration {
	if p.IsZero() {
		return 0
	}
	return whole(pauseLaws[p.law()].draw(float64(p.A), float64(p.B), r))
}

// Rest is what is left of a pause for somebody who looks at a random instant
// of an endless row of them: a long pause is met more often than a short one,
// by its length, and the instant lies anywhere in it. Those who begin with a
// Rest are in their steady state from the start.
func (p Pause) Rest(r *rand.Rand) time.Duration {
	if p.IsZero() {
		return 0
	}
	in := pauseLaws[p.law()].biased(float64(p.A), float64(p.B), r)
	return whole(in * r.Float64())
}

// longestPause keeps the far tail of a law within what an int64 can add up.
const longestPause = float64(1000 * time.Hour)

func whole(ns float64) time.Duration {
	return time.Duration(math.Round(min(max(ns, 0), longestPause)/1e3)) * time.Microsecond
}
