// Package unit turns what people write (40/s, 500ms, 70%) into typed values
// and back. It refuses a number without its unit, a negative one, and one
// that is not finite. It promises that Parse(v.String()) is v again, bit for
// bit: the canonical contract rests on it.
package unit

import (
	"fmt"
	"math"
	"strconv"
)

// An Error says what is wrong with a text and how it would be right.
type Error struct {
	Kind    string // "duration", "rate", "fraction"
	Input   string // as written
	Problem string // continues "duration "30" …": "has no unit"
	Hint    string // "write 30s, 30ms or 30m"; "" when nothing can be foreseen
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s %q %s", e.Kind, e.Input, e.Problem)
}

// splitNumber cuts the plain decimal number at the front of s from the rest.
// Hexadecimal, underscores, infinities and NaN are not numbers here.
func splitNumber(s string) (value float64, digits, rest string, ok bool) {
	i := 0
	for i < len(s) && (isDigit(s[i]) || s[i] == '.') {
		i++
	}
	// An exponent belongs to the number only if digits follow it: 5e3/s.
	if i > 0 && i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		j := i + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		if j < len(s) && isDigit(s[j]) {
			for j < len(s) && isDigit(s[j]) {
				j++
			}
			i = j
		}
	}
	value, err := strconv.ParseFloat(s[:i], 64)
	if err != nil || math.IsInf(value, 0) {
		return 0, "", s, false
	}
	return value, s[:i], s[i:], true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// shortest writes x with as few digits as the reader needs to get it back,
// without an exponent.
func shortest(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// tidy is x without the last digits, where rounding errors of a conversion
// between units sit: 0.29 × 100 is 28.999999999999996.
func tidy(x float64) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 14, 64), 64)
	if err != nil {
		return x
	}
	return y
}
