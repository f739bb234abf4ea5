// Rates: 40/s, 2400/min, 5/h.

package unit

import "strings"

// A Rate is events per second, written 40/s, 2400/min, 5/h. It is never negative.
type Rate float64

// perUnits are the denominators of a rate and their seconds.
var perUnits = []struct {
	name    string
	seconds float64
}{{"s", 1}, {"min", 60}, {"h", 3600}}

// ParseRate reads a rate. A bare number is refused: it could be per minute.
func ParseRate(s string) (Rate, error) {
	t := strings.TrimSpace(s)
	fail := func(problem, hint string) (Rate, error) {
		return 0, &Error{Kind: "rate", Input: s, Problem: problem, Hint: hint}
	}
	if t == "" {
		return fail("is empty", "write requests per second, as in 40/s")
	}
	if t[0] == '-' {
		return fail("is negative", "")
	}
	value, digits, rest, ok := splitNumber(t)
	if !ok {
		return fail("is not a rate", "write a number and a unit, as in 40/s, 2400/min or 5/h")
	}
	rest = strings.TrimSpace(rest)
	if rest == "" {
		return fail("has no unit", "write "+digits+"/s")
	}
	if per, found := strings.CutPrefix(rest, "/"); found {
		per = strings.TrimSpace(per)
		for _, u := range perUnits {
			if per == u.name {
				return Rate(value / u.seconds), nil
			}
		}
	}
	return fail("has an unknown unit", "write "+digits+rateWord(rest))
}

// rateWord guesses which unit a misspelt one stands for: rps, /sec, per minute.
func rateWord(word string) string {
	word = strings.ToLower(strings.TrimSpace(word))
	switch {
	case strings.HasSuffix(word, "ps"): // rps, qps, tps
		return "/s"
	case strings.Contains(word, "/m"), strings.Contains(word, "min"), strings.HasSuffix(word, "pm"):
		return "/min"
	case strings.Contains(word, "/h"), strings.Contains(word, "hour"):
		return "/h"
	}
	return "/s"
}

// String is the rate per second, or, where that is a long fraction, in the
// unit that needs the fewest digits to read back as the same rate.
func (r Rate) String() string {
	number, per := shortest(float64(r)), "s"
	if len(number) <= len("0.0125") {
		return number + "/s"
	}
	for _, u := range perUnits[1:] {
		x := tidy(float64(r) * u.seconds)
		if text := shortest(x); len(text) < len(number) && Rate(x/u.seconds) == r {
			number, per = text, u.name
		}
	}
	return number + "/" + per
}

// MarshalText writes String.
func (r Rate) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what ParseRate reads.
func (r *Rate) UnmarshalText(text []byte) error {
	v, err := ParseRate(string(text))
	if err != nil {
		return err
	}
	*r = v
	return nil
}
