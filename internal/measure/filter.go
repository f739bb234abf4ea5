package measure

// A filter is what an objective writes in brackets: which requests, or which
// gaps of a request, it speaks of.

import (
	"fmt"
	"strconv"
	"strings"
)

// A Filter is a conjunction of conditions; the zero Filter lets all pass.
type Filter struct {
	Conditions []Condition
}

// A Condition is one comparison. Names (stream, endpoint, url, turn) know =
// only; numbers (turn too, input, output, pos) know =, <, <=, > and >=.
type Condition struct {
	Field  string // stream, endpoint, url, turn, input, output, pos
	Op     string
	Text   string // of the named fields; turn: "first" or "later"
	Number int    // of the numeric fields
}

var (
	namedFields   = []string{"stream", "endpoint", "url", "turn"}
	numericFields = []string{"input", "output", "pos"}
)

// ParseFilter reads what stands between the brackets: conditions joined by
// commas, as in "stream=chat, input>4096". An empty text is no filter.
func ParseFilter(s string) (Filter, error) {
	var f Filter
	if strings.TrimSpace(s) == "" {
		return f, nil
	}
	for part := range strings.SplitSeq(s, ",") {
		c, err := parseCondition(strings.TrimSpace(part))
		if err != nil {
			return Filter{}, err
		}
		f.Conditions = append(f.Conditions, c)
	}
	return f, nil
}

func parseCondition(s string) (Condition, error) {
	i := strings.IndexAny(s, "<>=")
	if i <= 0 {
		return Condition{}, fmt.Errorf("filter %q is not FIELD OP VALUE, as in pos>1024 or stream=chat", s)
	}
	c := Condition{Field: strings.TrimSpace(s[:i]), Op: s[i : i+1]}
	rest := s[i+1:]
	if c.Op != "=" && strings.HasPrefix(rest, "=") {
		c.Op, rest = c.Op+"=", rest[1:]
	}
	value := strings.TrimSpace(rest)
	if value == "" {
		return Condition{}, fmt.Errorf("filter %q has no value", s)
	}
	switch {
	case has(numericFields, c.Field):
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 {
			return Condition{}, fmt.Errorf("filter %q: %s is compared with a whole number of tokens", s, c.Field)
		}
		c.Number = n
	case has(namedFields, c.Field):
		if c.Op != "=" {
			return Condition{}, fmt.Errorf("filter %q: %s can only be compared by =", s, c.Field)
		}
		if c.Field == "turn" && value != "first" && value != "later" {
			return Condition{}, fmt.Errorf("filter %q: turn is first or later", s)
		}
		c.Text = value
	default:
		return Condition{}, fmt.Errorf("filter %q: no field %q; known are stream, endpoint, url, turn, input, output, pos", s, c.Field)
	}
	return c, nil
}

// String writes the filter as ParseFilter reads it.
func (f Filter) String() string {
	parts := make([]string, len(f.Conditions))
	for i, c := range f.Conditions {
		value := c.Text
		if has(numericFields, c.Field) {
			value = strconv.Itoa(c.Number)
		}
		parts[i] = c.Field + c.Op + value
	}
	return strings.Join(parts, ",")
}

// Positional tells whether a condition is on the token position, which only
// gaps have.
func (f Filter) Positional() bool {
	for _, c := range f.Conditions {
		if c.Field == "pos" {
			return true
		}
	}
	return false
}

func (c Condition) number(n int) bool {
	switch c.Op {
	case "<":
		return n < c.Number
	case "<=":
		return n <= c.Number
	case ">":
		return n > c.Number
	case ">=":
		return n >= c.Number
	}
	return n == c.Number
}

func has(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
