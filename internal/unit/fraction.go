// Fractions: 70%, 0.7.

package unit

import (
	"strconv"
	"strings"
)

// A Fraction is 0–1, written 70% or 0.7.
type Fraction float64

// ParseFraction reads a share of a whole; beyond the whole is refused, since
// 70 without its sign is the usual slip.
func ParseFraction(s string) (Fraction, error) {
	t := strings.TrimSpace(s)
	fail := func(problem, hint string) (Fraction, error) {
		return 0, &Error{Kind: "fraction", Input: s, Problem: problem, Hint: hint}
	}
	if t == "" {
		return fail("is empty", "write 70% or 0.7")
	}
	if t[0] == '-' {
		return fail("is negative", "")
	}
	value, digits, rest, ok := splitNumber(t)
	if !ok {
		return fail("is not a fraction", "write 70% or 0.7")
	}
	rest = strings.TrimSpace(rest)
	switch rest {
	case "%":
		if value > 100 {
			return fail("is more than the whole", "fractions go from 0% to 100%")
		}
		return percent(digits), nil
	case "":
		if value > 1 && value <= 100 {
			return fail("is more than the whole", "write "+digits+"%")
		}
		if value > 1 {
			return fail("is more than the whole", "fractions go from 0 to 1, or from 0% to 100%")
		}
		return Fraction(value), nil
	}
	return fail("has an unknown unit", "write "+digits+"%, or a number from 0 to 1")
}

// percent is a hundredth of the number in digits. The decimal point is moved
// in the text: 99.9 / 100 in binary is not 0.999.
func percent(digits string) Fraction {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(digits), "e")
	shift, _ := strconv.Atoi(exponent)
	value, err := strconv.ParseFloat(mantissa+"e"+strconv.Itoa(shift-2), 64)
	if err != nil {
		return 0
	}
	return Fraction(value)
}

// String is the percentage, or the plain number where the percentage would
// not read back as the same fraction.
func (f Fraction) String() string {
	p := tidy(float64(f) * 100)
	if text := shortest(p); percent(text) == f {
		return text + "%"
	}
	return shortest(float64(f))
}

// MarshalText writes String.
func (f Fraction) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads what ParseFraction reads.
func (f *Fraction) UnmarshalText(text []byte) error {
	v, err := ParseFraction(string(text))
	if err != nil {
		return err
	}
	*f = v
	return nil
}
