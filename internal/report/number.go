package report

import (
	"math"
	"strconv"
	"strings"
)

// missing stands for a value that the run does not have.
const missing = "–"

// number prints a value without its unit, to about four digits: what a reader
// compares, not what a program parses.
func number(v *float64) string {
	if v == nil {
		return missing
	}
	return digits(*v)
}

// digits keeps two decimals below 10, one below 1000 and none above, and
// groups thousands. A tiny value keeps two significant digits rather than
// turning into 0.
func digits(v float64) string {
	abs := math.Abs(v)
	switch {
	case math.IsInf(v, 1):
		return "∞"
	case abs == 0:
		return "0"
	case abs < 0.01:
		return strconv.FormatFloat(v, 'g', 2, 64)
	case abs < 9.995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case abs < 999.95:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return group(strconv.FormatFloat(v, 'f', 0, 64))
}

// amount prints a value with its unit; a fraction as a percentage.
func amount(v *float64, unit string) string {
	if v == nil {
		return missing
	}
	switch unit {
	case "fraction":
		return percent(*v)
	case "1/s":
		return digits(*v) + "/s"
	case "ratio":
		return digits(*v) + "×"
	case "", "1", "count":
		return digits(*v)
	}
	return digits(*v) + " " + unit
}

// percent keeps enough digits that 99.95 % and 100 % differ.
func percent(fraction float64) string {
	p := fraction * 100
	if p == 100 {
		return "100%"
	}
	s := digits(p)
	if d := math.Min(p, 100-p); p > 9.995 && d > 0 && d < 0.05 {
		s = strconv.FormatFloat(p, 'f', 3, 64)
	}
	return s + "%"
}

// interval prints both ends of an interval in the unit of its value. An open
// end is called open, never infinity: the run was too short to close it.
func interval(low, high *float64, unit string) string {
	if low == nil && high == nil {
		return "[open]"
	}
	end := func(v *float64) string {
		if v == nil {
			return "open"
		}
		if unit == "fraction" {
			return percent(*v)
		}
		return digits(*v)
	}
	return "[" + end(low) + ", " + end(high) + "]"
}

// count prints a whole number with its thousands grouped.
func count(n int64) string { return group(strconv.FormatInt(n, 10)) }

func group(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// seconds prints a length of time as one would write it in a contract, rounded up.
func seconds(s float64) string {
	n := int64(math.Ceil(s))
	switch {
	case n < 120:
		return strconv.FormatInt(n, 10) + "s"
	case n < 2*3600:
		return strconv.FormatInt((n+59)/60, 10) + "m"
	}
	return strconv.FormatInt((n+3599)/3600, 10) + "h"
}
