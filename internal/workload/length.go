// Lengths as people write them: read, checked, written, drawn.

package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// MaxTokens bounds a length: a number beyond it is a slip of the pen, and a
// draw beyond it (the far tail of a lognormal) is cut to it.
const MaxTokens = 10_000_000

// Laws names the laws of two numbers; a plain number is the law "constant".
func Laws() []string {
	names := make([]string, len(laws))
	for i, law := range laws {
		names[i] = law.name
	}
	return names
}

const lengthForms = "550, uniform(100, 200), normal(550, 150), lognormal(550, 150) or zipf(1.1, 4000)"

// IsZero tells whether the length was left out.
func (l Length) IsZero() bool { return l.Law == "" }

// UnmarshalText reads one of the forms that the type's comment lists.
func (l *Length) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	name, rest, isLaw := strings.Cut(s, "(")
	if !isLaw {
		a, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return fmt.Errorf("length %q: want a number of tokens: %s", s, lengthForms)
		}
		return l.set("constant", a, 0)
	}
	inner, closed := strings.CutSuffix(rest, ")")
	first, second, isPair := strings.Cut(inner, ",")
	a, errA := strconv.ParseFloat(strings.TrimSpace(first), 64)
	b, errB := strconv.ParseFloat(strings.TrimSpace(second), 64)
	if !closed || !isPair || errA != nil || errB != nil {
		return fmt.Errorf("length %q: want two numbers in brackets: %s", s, lengthForms)
	}
	if name = strings.TrimSpace(name); name == "constant" {
		return fmt.Errorf("length %q: a constant is written as its number: %s", s, lengthForms)
	}
	return l.set(name, a, b)
}

// set checks and takes the values; l is unchanged by an error.
func (l *Length) set(law string, a, b float64) error {
	n := Length{Law: law, A: a, B: b}
	if err := n.Check(); err != nil {
		return err
	}
	*l = n
	return nil
}

// Check says why lengths cannot be drawn.
func (l Length) Check() error {
	wrong := ""
	switch i := l.law(); {
	case l.Law == "":
		return fmt.Errorf("length is not set: want %s", lengthForms)
	case l.Law == "constant":
		if wrong = checkTokens(l.A); wrong == "" && l.A != math.Trunc(l.A) {
			wrong = "there are no parts of a token"
		}
	case i < 0:
		return fmt.Errorf("unknown law of lengths %q: want %s", l.Law, lengthForms)
	default:
		wrong = laws[i].check(l.A, l.B)
	}
	if wrong != "" {
		return fmt.Errorf("length %s: %s", l, wrong)
	}
	return nil
}

func (l Length) law() int {
	for i, law := range laws {
		if law.name == l.Law {
			return i
		}
	}
	return -1
}

// String returns the canonical form, which UnmarshalText reads back; "" when
// the length was left out.
func (l Length) String() string {
	switch l.Law {
	case "":
		return ""
	case "constant":
		return number(l.A)
	}
	return l.Law + "(" + number(l.A) + ", " + number(l.B) + ")"
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// MarshalText is String.
func (l Length) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// Mean is the mean of the law as written: rounding and the bounds move it
// where Raised is not small.
func (l Length) Mean() float64 {
	if i := l.law(); i >= 0 {
		return laws[i].mean(l.A, l.B)
	}
	return l.A
}

// Below is the share of draws that the law, rounded to whole tokens, puts
// below so many.
func (l Length) Below(tokens int) float64 {
	if i := l.law(); i >= 0 {
		return laws[i].below(float64(tokens), l.A, l.B)
	}
	if l.Law != "" && l.A < float64(tokens) {
		return 1
	}
	return 0
}

// Raised is the share of draws that the law puts at 0 tokens or fewer and
// which are raised to 1: where it is not small, the lengths are not the law.
func (l Length) Raised() float64 { return l.Below(1) }

// draw returns one length. The length must have passed Check.
func (l Length) draw(r *rand.Rand) int {
	if l.Law == "constant" {
		return int(l.A)
	}
	x := math.Round(laws[l.law()].draw(l.A, l.B, r))
	return int(min(max(x, 1), MaxTokens))
}
