package unit

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestDurationsAreReadAndWrittenTheShortWay(t *testing.T) {
	for _, c := range []struct {
		in   string
		want time.Duration
		out  string
	}{
		{"500ms", 500 * time.Millisecond, "500ms"},
		{"10m", 10 * time.Minute, "10m"},
		{"60s", time.Minute, "1m"},
		{"1h30m", 90 * time.Minute, "1h30m"},
		{"1h", time.Hour, "1h"},
		{"1h0m5s", time.Hour + 5*time.Second, "1h0m5s"},
		{"1.5s", 1500 * time.Millisecond, "1.5s"},
		{"250us", 250 * time.Microsecond, "250µs"},
		{"0", 0, "0s"},
		{" 30s ", 30 * time.Second, "30s"},
	} {
		got, err := ParseDuration(c.in)
		if err != nil || got.Std() != c.want {
			t.Errorf("ParseDuration(%q) = %v, %v, want %v", c.in, got, err, c.want)
		}
		if got.String() != c.out {
			t.Errorf("ParseDuration(%q).String() = %q, want %q", c.in, got.String(), c.out)
		}
	}
	if ms := Duration(1500 * time.Microsecond).Milliseconds(); ms != 1.5 {
		t.Errorf("Milliseconds() = %v, want 1.5", ms)
	}
}

func TestRatesAreReadAndWrittenTheShortWay(t *testing.T) {
	for _, c := range []struct {
		in   string
		want float64
		out  string
	}{
		{"40/s", 40, "40/s"},
		{"2400/min", 40, "40/s"},
		{"5/h", 5.0 / 3600, "5/h"},
		{"1/min", 1.0 / 60, "1/min"},
		{"0.5/s", 0.5, "0.5/s"},
		{"1e3/s", 1000, "1000/s"},
		{"40 / s", 40, "40/s"},
		{"7.3/h", 7.3 / 3600, "7.3/h"},
		{"100000/s", 100000, "100000/s"},
	} {
		got, err := ParseRate(c.in)
		if err != nil || float64(got) != c.want {
			t.Errorf("ParseRate(%q) = %v, %v, want %v", c.in, float64(got), err, c.want)
		}
		if got.String() != c.out {
			t.Errorf("ParseRate(%q).String() = %q, want %q", c.in, got.String(), c.out)
		}
	}
}

func TestFractionsAreReadAndWrittenAsPercent(t *testing.T) {
	for _, c := range []struct {
		in   string
		want float64
		out  string
	}{
		{"70%", 0.7, "70%"},
		{"0.7", 0.7, "70%"},
		{"29%", 0.29, "29%"},
		{"99.9%", 0.999, "99.9%"},
		{"0.1 %", 0.001, "0.1%"},
		{"0", 0, "0%"},
		{"1", 1, "100%"},
	} {
		got, err := ParseFraction(c.in)
		if err != nil || float64(got) != c.want {
			t.Errorf("ParseFraction(%q) = %v, %v, want %v", c.in, float64(got), err, c.want)
		}
		if got.String() != c.out {
			t.Errorf("ParseFraction(%q).String() = %q, want %q", c.in, got.String(), c.out)
		}
	}
}

func TestWrongUnitsAreRefusedWithTheRightForm(t *testing.T) {
	duration := func(s string) error { _, err := ParseDuration(s); return err }
	rate := func(s string) error { _, err := ParseRate(s); return err }
	fraction := func(s string) error { _, err := ParseFraction(s); return err }
	for _, c := range []struct {
		parse           func(string) error
		in, says, hints string
	}{
		{duration, "30", `duration "30" has no unit`, "30s"},
		{duration, "10 min", "unknown unit", "10m"},
		{duration, "5 seconds", "unknown unit", "5s"},
		{duration, "30S", "unknown unit", "30s"},
		{duration, "-5s", "negative", ""},
		{duration, "+5s", "not a duration", "30s"},
		{duration, "soon", "not a duration", "500ms"},
		{duration, "", "empty", "30s"},
		{duration, "3d", "unknown unit", "1h30m"},
		{duration, "9999999999h", "out of range", "2562047h"},
		{duration, "40/s", "unknown unit", "ms"},
		{rate, "40", `rate "40" has no unit`, "write 40/s"},
		{rate, "40rps", "unknown unit", "write 40/s"},
		{rate, "40/sec", "unknown unit", "write 40/s"},
		{rate, "40/m", "unknown unit", "write 40/min"},
		{rate, "90 per hour", "unknown unit", "write 90/h"},
		{rate, "-1/s", "negative", ""},
		{rate, "NaN/s", "not a rate", "40/s"},
		{rate, "0x10/s", "unknown unit", "/s"},
		{rate, "1e999/s", "not a rate", "40/s"},
		{rate, "", "empty", "40/s"},
		{fraction, "70", "more than the whole", "write 70%"},
		{fraction, "101%", "more than the whole", "100%"},
		{fraction, "500", "more than the whole", "0 to 1"},
		{fraction, "70ms", "unknown unit", "70%"},
		{fraction, "most", "not a fraction", "0.7"},
		{fraction, "", "empty", "0.7"},
		{fraction, "-1%", "negative", ""},
	} {
		err := c.parse(c.in)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%q: got %v, want a *unit.Error", c.in, err)
			continue
		}
		if !strings.Contains(e.Error(), c.says) || !strings.Contains(e.Hint, c.hints) {
			t.Errorf("%q: got %q, hint %q; want %q, hint %q", c.in, e.Error(), e.Hint, c.says, c.hints)
		}
	}
}

func TestEveryValueReadsBackBitForBit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Duration(rapid.Int64Range(0, math.MaxInt64).Draw(t, "duration"))
		if got, err := ParseDuration(d.String()); err != nil || got != d {
			t.Fatalf("ParseDuration(%q) = %d, %v, want %d", d.String(), got, err, d)
		}
		r := Rate(rapid.Float64Range(0, 1e9).Draw(t, "rate"))
		if got, err := ParseRate(r.String()); err != nil || got != r {
			t.Fatalf("ParseRate(%q) = %v, %v, want %v", r.String(), float64(got), err, float64(r))
		}
		f := Fraction(rapid.Float64Range(0, 1).Draw(t, "fraction"))
		if got, err := ParseFraction(f.String()); err != nil || got != f {
			t.Fatalf("ParseFraction(%q) = %v, %v, want %v", f.String(), float64(got), err, float64(f))
		}
	})
}

func TestTextMethodsAreTheParsers(t *testing.T) {
	var d Duration
	var r Rate
	var f Fraction
	for _, c := range []struct {
		unmarshal func([]byte) error
		marshal   func() ([]byte, error)
		text      string
	}{
		{d.UnmarshalText, func() ([]byte, error) { return d.MarshalText() }, "1m30s"},
		{r.UnmarshalText, func() ([]byte, error) { return r.MarshalText() }, "40/s"},
		{f.UnmarshalText, func() ([]byte, error) { return f.MarshalText() }, "85%"},
	} {
		if err := c.unmarshal([]byte(c.text)); err != nil {
			t.Errorf("UnmarshalText(%q): %v", c.text, err)
		}
		if got, err := c.marshal(); err != nil || string(got) != c.text {
			t.Errorf("MarshalText() = %q, %v, want %q", got, err, c.text)
		}
		if err := c.unmarshal([]byte("nonsense")); err == nil {
			t.Errorf("UnmarshalText(nonsense) gave no error")
		}
	}
}

func TestSITextHasThreeDigitsAndAPrefix(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{
		{0, "0"},
		{12345, "12.3k"},
		{999, "999"},
		{999.6, "1k"},
		{1000, "1k"},
		{999950, "1M"},
		{1.5e6, "1.5M"},
		{0.0123456, "0.0123"},
		{-12345, "-12.3k"},
		{2.5e9, "2.5G"},
		{math.Inf(1), "-"},
		{math.NaN(), "-"},
	} {
		if got := SI(c.x); got != c.want {
			t.Errorf("SI(%v) = %q, want %q", c.x, got, c.want)
		}
	}
}
