// The lines of a recorded file, and the times on them.

package arrival

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// columns are the names of the fields that are read; "" stands for the usual.
type columns struct {
	time, rate string
	wantsRate  bool
}

// Names under which traces keep their times and series their rates.
var (
	timeNames = []string{"time", "timestamp", "t", "ts", "arrival_time", "arrived_at"}
	rateNames = []string{"rate", "value", "qps", "rps"}
)

// Units of times that are numbers, and their decimal places in ns.
var unitPlaces = map[string]int{"": 9, "s": 9, "ms": 6, "us": 3, "ns": 0}

func (s Spec) columns() columns { return columns{s.Time, s.Value, s.Shape == Series} }

func (s Spec) checkFields() error {
	if _, ok := unitPlaces[s.Unit]; !ok {
		return unknown("unit", s.Unit, []string{"s", "ms", "us", "ns"})
	}
	return nil
}

// eachLine calls each with the texts of the wanted fields.
func eachLine(b *bufio.Reader, want columns, each func(line int, time, rate string) error) error {
	for {
		c, err := b.ReadByte()
		if err == io.EOF {
			return errors.New("is empty")
		}
		if err != nil {
			return err
		}
		if c == ' ' || c == '\n' || c == '\r' || c == '\t' {
			continue
		}
		if err := b.UnreadByte(); err != nil {
			return err
		}
		if c == '{' {
			return eachObject(b, want, each)
		}
		return eachRow(b, want, each)
	}
}

func eachRow(b *bufio.Reader, want columns, each func(line int, time, rate string) error) error {
	r := csv.NewReader(b)
	r.ReuseRecord, r.TrimLeadingSpace, r.FieldsPerRecord = true, true, 0
	names, err := r.Read()
	if err != nil {
		return err
	}
	names = slices.Clone(names)
	at, err := want.find("time", want.time, timeNames, names)
	if err != nil {
		return err
	}
	rate := -1
	if want.wantsRate {
		if rate, err = want.find("value", want.rate, rateNames, names); err != nil {
			return err
		}
	}
	for {
		row, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		line, _ := r.FieldPos(at)
		value := ""
		if rate >= 0 {
			value = row[rate]
		}
		if err := each(line, row[at], value); err != nil {
			return err
		}
	}
}

// find returns the place of a field: the one that is named, or the first with
// a usual name.
func (columns) find(key, name string, usual, names []string) (int, error) {
	if name != "" {
		if i := slices.Index(names, name); i >= 0 {
			return i, nil
		}
		return 0, fmt.Errorf("has no field %q: its fields are %s", name, strings.Join(names, ", "))
	}
	for _, known := range usual {
		for i, n := range names {
			if strings.EqualFold(strings.TrimSpace(n), known) {
				return i, nil
			}
		}
	}
	return 0, fmt.Errorf("which field is meant? Name it with %s: under shape; its fields are %s", key, strings.Join(names, ", "))
}

func eachObject(b *bufio.Reader, want columns, each func(line int, time, rate string) error) error {
	for line := 1; ; line++ {
		text, err := b.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return err
		}
		if len(strings.TrimSpace(string(text))) > 0 {
			var o map[string]json.RawMessage
			if err := json.Unmarshal(text, &o); err != nil {
				return fmt.Errorf("line %d: %w", line, err)
			}
			at, err := want.field(o, "time", want.time, timeNames)
			rate := ""
			if err == nil && want.wantsRate {
				rate, err = want.field(o, "value", want.rate, rateNames)
			}
			if err != nil {
				return fmt.Errorf("line %d: %w", line, err)
			}
			if err := each(line, at, rate); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

func (c columns) field(o map[string]json.RawMessage, key, name string, usual []string) (string, error) {
	names := make([]string, 0, len(o))
	for n := range o {
		names = append(names, n)
	}
	slices.Sort(names)
	i, err := c.find(key, name, usual, names)
	if err != nil {
		return "", err
	}
	raw := o[names[i]]
	if text := ""; json.Unmarshal(raw, &text) == nil {
		return text, nil
	}
	return string(raw), nil
}

// layouts are the written times that are understood; without a zone it is UTC,
// which changes nothing, since only differences count.
var layouts = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00"}

// instant reads a time: a number of units, to the last digit, or a date.
func instant(text, unit string) (int64, error) {
	text = strings.TrimSpace(text)
	if ns, ok := decimal(text, unitPlaces[unit]); ok {
		return ns, nil
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UnixNano(), nil
		}
	}
	return 0, fmt.Errorf("%q is no time: want a number, or a date such as 2026-01-31T12:00:00Z", text)
}

// decimal is the number with its point moved: a float64 of seconds since 1970
// holds no nanoseconds.
func decimal(text string, places int) (int64, bool) {
	digits, minus := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	if len(fraction) > places {
		fraction = fraction[:places]
	}
	moved := whole + fraction + strings.Repeat("0", places-len(fraction))
	plain := len(digits) > 0 && digits != "." && strings.Trim(digits, "0123456789.") == ""
	if n, err := strconv.ParseInt(moved, 10, 64); err == nil && plain {
		if minus {
			n = -n
		}
		return n, true
	}
	if strings.Trim(text, "0123456789.eE+-") != "" {
		return 0, false // the parser also takes 1_0 and inf
	}
	v, err := strconv.ParseFloat(text, 64) // 1.7e9
	if v *= math.Pow10(places); err != nil || !(math.Abs(v) < math.MaxInt64) {
		return 0, false
	}
	return int64(math.Round(v)), true
}
