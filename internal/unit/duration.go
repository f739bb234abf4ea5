// Durations: 500ms, 10m, 1h30m.

package unit

import (
	"strings"
	"time"
)

// A Duration is written with a unit: 500ms, 10m, 1h30m. It is never negative.
type Duration time.Duration

// ParseDuration reads a duration. Only zero may stand without a unit.
func ParseDuration(s string) (Duration, error) {
	t := strings.TrimSpace(s)
	fail := func(problem, hint string) (Duration, error) {
		return 0, &Error{Kind: "duration", Input: s, Problem: problem, Hint: hint}
	}
	if t == "" {
		return fail("is empty", "write a number and a unit, as in 30s or 10m")
	}
	if t[0] == '-' {
		return fail("is negative", "")
	}
	if d, err := time.ParseDuration(t); err == nil && t[0] != '+' {
		return Duration(d), nil
	}
	value, digits, rest, ok := splitNumber(t)
	if !ok {
		return fail("is not a duration", "write a number and a unit, as in 500ms, 30s, 10m or 1h30m")
	}
	word := strings.ToLower(strings.TrimSpace(rest))
	if word == "" {
		if value == 0 {
			return 0, nil
		}
		return fail("has no unit", "write "+digits+"s, "+digits+"ms or "+digits+"m")
	}
	if u, known := durationWords[word]; known {
		if _, err := time.ParseDuration(digits + u); err == nil {
			return fail("has an unknown unit", "write "+digits+u)
		}
	}
	if _, err := time.ParseDuration("1" + word); err == nil {
		return fail("is out of range", "the longest is 2562047h")
	}
	return fail("has an unknown unit", "the units are ns, us, ms, s, m (minutes) and h, as in 1h30m")
}

// durationWords are units as people write them, and what they are here.
var durationWords = map[string]string{
	"ns": "ns", "us": "us", "ms": "ms", "s": "s", "m": "m", "h": "h",
	"msec": "ms", "msecs": "ms", "milli": "ms", "millis": "ms", "millisecond": "ms", "milliseconds": "ms",
	"sec": "s", "secs": "s", "second": "s", "seconds": "s",
	"min": "m", "mins": "m", "minute": "m", "minutes": "m",
	"hr": "h", "hrs": "h", "hour": "h", "hours": "h",
	"usec": "us", "usecs": "us", "microsecond": "us", "microseconds": "us",
}

// String is the duration without the zeros that Go appends: 10m, not 10m0s.
func (d Duration) String() string {
	if d == 0 {
		return "0s"
	}
	s := time.Duration(d).String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-len("0s")]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-len("0m")]
	}
	return s
}

// Std is the duration as the standard library has it.
func (d Duration) Std() time.Duration { return time.Duration(d) }

// Milliseconds is the duration in ms, the unit of everything that is printed.
func (d Duration) Milliseconds() float64 { return float64(d) / float64(time.Millisecond) }

// MarshalText writes String.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what ParseDuration reads.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := ParseDuration(string(text))
	if err != nil {
		return err
	}
	*d = v
	return nil
}
