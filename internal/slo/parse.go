package slo

// The grammar of objectives. Whoever writes one sees what is wrong with it in
// his own words, and never gets another objective than the one he wrote.

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"assay/internal/measure"
)

// The operators.
const (
	Less         Op = "<"
	LessEqual    Op = "<="
	Greater      Op = ">"
	GreaterEqual Op = ">="
)

var (
	shape  = regexp.MustCompile(`^\s*([A-Za-z_][A-Za-z0-9_]*)\s*(?:\[([^\]]*)\])?\s*([A-Za-z][A-Za-z0-9.]*)?\s*(<=|>=|<|>)\s*([^\s<>=]+)\s*(sure)?\s*$`)
	number = regexp.MustCompile(`^([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(.*)$`)
)

// Parse reads METRIC[FILTER] [STAT] OP VALUE [sure].
func Parse(s string) (Objective, error) {
	return parse(s, false)
}

// ParseGood reads a bound of one request, METRIC OP VALUE: no statistic, since
// every request is held against it alone.
func ParseGood(s string) (Objective, error) {
	return parse(s, true)
}

func parse(s string, good bool) (Objective, error) {
	m := shape.FindStringSubmatch(s)
	if m == nil {
		return Objective{}, fmt.Errorf("objective %q is not METRIC[FILTER] [STAT] OP VALUE, as in \"ttft p50 < 500ms\" or \"error_rate < 0.1%%\"", s)
	}
	o := Objective{Metric: m[1], Op: Op(m[4]), Sure: m[6] != ""}
	info, ok := Known(o.Metric)
	if !ok {
		return Objective{}, fmt.Errorf("objective %q: no metric %q; known are %s", s, o.Metric, strings.Join(names(), ", "))
	}
	f, err := measure.ParseFilter(m[2])
	if err != nil {
		return Objective{}, fmt.Errorf("objective %q: %w", s, err)
	}
	o.Filter = f.String()
	if o.Stat, err = parseStat(m[3]); err != nil {
		return Objective{}, fmt.Errorf("objective %q: %w", s, err)
	}
	if o.Value, err = parseValue(m[5], info); err != nil {
		return Objective{}, fmt.Errorf("objective %q: %w", s, err)
	}
	if err := check(o, info, f, good); err != nil {
		return Objective{}, fmt.Errorf("objective %q: %w", s, err)
	}
	o.Text = o.text(m[5])
	return o, nil
}

// check refuses what reads well and means nothing.
func check(o Objective, info MetricInfo, f measure.Filter, good bool) error {
	upper := o.Op == Less || o.Op == LessEqual
	switch {
	case info.HigherIsBetter && upper:
		return fmt.Errorf("%s is better when it is higher: bound it by > or >=", o.Metric)
	case !info.HigherIsBetter && !upper:
		return fmt.Errorf("%s is better when it is lower: bound it by < or <=", o.Metric)
	case f.Positional() && o.Metric != "itl":
		return fmt.Errorf("only itl knows token positions (pos)")
	case good && !info.PerRequest && o.Metric == "itl":
		return fmt.Errorf("itl has many values a request: bound stall, its largest gap, or tpot")
	case good && !info.PerRequest:
		return fmt.Errorf("%s is not a value of one request and can't stand under good", o.Metric)
	case good && (o.Stat.Name != "" || o.Sure || o.Filter != ""):
		return fmt.Errorf("a bound under good is METRIC OP VALUE: every request is held against it alone")
	case !good && info.Family == Distribution && o.Stat.Name == "":
		return fmt.Errorf("%s needs a statistic: p50, p99, p99.9, mean, max or min", o.Metric)
	case info.Family != Distribution && o.Stat.Name != "":
		return fmt.Errorf("%s is one number a run and has no %s", o.Metric, o.Stat)
	case info.Family != Distribution && f.Positional():
		return fmt.Errorf("%s has no token positions", o.Metric)
	case o.Sure && info.Family == Distribution:
		return fmt.Errorf("sure is for counts of this run (error_rate and the rates): a statistic of %s is always judged with its uncertainty", o.Metric)
	}
	return nil
}

func parseStat(s string) (Stat, error) {
	switch s {
	case "":
		return Stat{}, nil
	case "mean", "max", "min":
		return Stat{Name: s}, nil
	}
	if rest, ok := strings.CutPrefix(s, "p"); ok {
		// The decimal point is moved in the text: 99.9/100 is not the
		// nearest number to 0.999.
		q, err := strconv.ParseFloat(rest+"e-2", 64)
		if err == nil && number.MatchString(rest) && q > 0 && q < 1 {
			return Stat{Name: "p", Quantile: q}, nil
		}
	}
	return Stat{}, fmt.Errorf("no statistic %q: write p50, p99, p99.9, mean, max or min", s)
}

func parseValue(s string, info MetricInfo) (float64, error) {
	m := number.FindStringSubmatch(s)
	if m == nil {
		return 0, fmt.Errorf("%q is not a number with a unit", s)
	}
	switch info.Unit {
	case "ms", "ms/token":
		d, err := time.ParseDuration(strings.TrimSuffix(s, "/token"))
		if err != nil || m[2] == "" || info.Unit == "ms" && strings.HasSuffix(s, "/token") {
			return 0, fmt.Errorf("%s is a time: write its unit, as in 500ms or 1.5s (read %q)", info.Name, s)
		}
		return float64(d) / float64(time.Millisecond), nil
	case "fraction":
		v, err := strconv.ParseFloat(m[1], 64)
		if m[2] == "%" {
			v, err = strconv.ParseFloat(m[1]+"e-2", 64)
		} else if m[2] != "" {
			return 0, fmt.Errorf("%s is a fraction: write 0.1%% or 0.001 (read %q)", info.Name, s)
		}
		if err != nil || v > 1 {
			return 0, fmt.Errorf("%s is a fraction between 0%% and 100%% (read %q)", info.Name, s)
		}
		return v, nil
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return 0, err
	}
	switch strings.TrimPrefix(m[2], "tokens") {
	case "/s":
		return v, nil
	case "/min":
		return v / 60, nil
	case "/h":
		return v / 3600, nil
	}
	return 0, fmt.Errorf("%s is a rate: write its unit, as in 38/s or 2400/min (read %q)", info.Name, s)
}

func (o Objective) text(value string) string {
	t := o.Metric
	if o.Filter != "" {
		t += "[" + o.Filter + "]"
	}
	if o.Stat.Name != "" {
		t += " " + o.Stat.String()
	}
	t += " " + string(o.Op) + " " + value
	if o.Sure {
		t += " sure"
	}
	return t
}

// Check tells whether the objective may stand where it stands: under good, or
// under slo.
func (o Objective) Check(good bool) error {
	var err error
	if good {
		_, err = ParseGood(o.Text)
	} else {
		_, err = Parse(o.Text)
	}
	return err
}

// String writes the statistic as it is written in an objective.
func (s Stat) String() string {
	if s.Name != "p" {
		return s.Name
	}
	return "p" + Percent(s.Quantile)
}

// Percent writes a quantile in hundredths, without the noise of binary
// fractions: 0.999 is "99.9".
func Percent(q float64) string {
	return strconv.FormatFloat(q*100, 'g', 12, 64)
}

func names() []string {
	var list []string
	for _, m := range metrics {
		list = append(list, m.Name)
	}
	return list
}

// String is the objective as it was written, spaces normalised.
func (o Objective) String() string { return o.Text }

// MarshalText writes the objective as text.
func (o Objective) MarshalText() ([]byte, error) { return []byte(o.Text), nil }

// UnmarshalText reads an objective, or a bound of one request where there is
// no statistic. A text does not know whether it stands under slo or good: the
// reader of the contract asks Check.
func (o *Objective) UnmarshalText(text []byte) error {
	v, err := Parse(string(text))
	if err != nil {
		if g, errGood := ParseGood(string(text)); errGood == nil {
			*o = g
			return nil
		}
		return err
	}
	*o = v
	return nil
}
