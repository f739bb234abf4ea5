package format

// Lines of CSV, and numbers in them.

import (
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// csvFields takes a line apart. Most have no quotes, and the general way costs
// ten times as much.
func csvFields(line string) []string {
	if !strings.Contains(line, `"`) {
		return strings.Split(line, ",")
	}
	r := csv.NewReader(strings.NewReader(line))
	r.FieldsPerRecord = -1
	fields, err := r.Read()
	if err != nil {
		return nil
	}
	return fields
}

// column finds a column by its name, whatever its case.
func column(header []string, name string) int {
	for i, h := range header {
		if strings.EqualFold(strings.TrimSpace(h), name) {
			return i
		}
	}
	return -1
}

// places finds the columns, in their order.
func places(header, names []string) []int {
	var at []int
	for _, name := range names {
		i := column(header, name)
		if i < 0 {
			return nil
		}
		at = append(at, i)
	}
	return at
}

// field is the text of one column.
func field(fields []string, at int, name string) (string, error) {
	if at >= len(fields) || strings.TrimSpace(fields[at]) == "" {
		return "", fmt.Errorf("%s is missing", name)
	}
	return strings.TrimSpace(fields[at]), nil
}

// count is a number of tokens in one column. Programs that hold columns as
// floating point write 12.0.
func count(fields []string, at int, name string) (int, error) {
	s, err := field(fields, at, name)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil || x != math.Trunc(x) || math.Abs(x) > 1e15 {
			return 0, fmt.Errorf("%s %q is no whole number", name, shorten(s))
		}
		n = int64(x)
	}
	return tokens(name, n)
}

// dates are the forms of a time; parts of a second may follow each.
var dates = []string{"2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04:05Z07:00"}

// date is a time of the calendar in ns since 1970.
func date(name, s string) (int64, error) {
	for _, form := range dates {
		if t, err := time.Parse(form, s); err == nil && t.Year() > 1700 && t.Year() < 2250 {
			return t.UnixNano(), nil
		}
	}
	return 0, fmt.Errorf("%s %q is no time such as 2023-11-16 18:15:46.68", name, shorten(s))
}
