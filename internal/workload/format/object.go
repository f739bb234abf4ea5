package format

// How an element is read: JSON of which each member has to be of its type, and
// numbers that mean something.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"
	"unicode/utf8"

	"assay/internal/workload"
)

// An object is one element of a file of JSON.
type object struct {
	data  []byte
	block int // tokens of a hash block

	fsys fs.FS  // where files are that it names
	name string // of the file that it stands in
	room *room
}

// A room holds what an object is read into, again for each: of a trace there are
// millions.
type room struct {
	single   single
	mooncake mooncake
}

// into decodes the object; members that to does not have are not looked at.
func (o object) into(to any) error { return o.once(to, false) }

// strictly refuses members that to does not have.
func (o object) strictly(to any) error { return o.once(to, true) }

// once refuses an object that says the same twice: which of the two is meant
// can't be told, and readers differ.
func (o object) once(to any, strict bool) error {
	if err := decode(o.data, to, strict); err != nil {
		return err
	}
	if name := repeated(o.data); name != "" {
		return fmt.Errorf("%s is there twice", shorten(name))
	}
	return nil
}

func decode(data []byte, to any, strict bool) error {
	if !utf8.Valid(data) {
		return errors.New("is not UTF-8") // decoding would replace the bytes
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if strict {
		d.DisallowUnknownFields()
	}
	if err := d.Decode(to); err != nil {
		return told(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("has something behind the object")
	}
	return nil
}

// told says in words of the file what the decoder says in words of Go.
func told(err error) error {
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field == "":
		return fmt.Errorf("is a JSON %s, want an object", wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Errorf("%s is a %s, want %s", wrong.Field, wrong.Value, wanted(wrong.Type.Kind().String()))
	case errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF:
		return errors.New("is no JSON: it breaks off")
	}
	text := strings.TrimPrefix(err.Error(), "json: ")
	if _, isSyntax := errors.AsType[*json.SyntaxError](err); isSyntax {
		return fmt.Errorf("is no JSON: %s", text)
	}
	return errors.New(text)
}

func wanted(kind string) string {
	switch kind {
	case "int", "int64", "uint64":
		return "a whole number"
	case "float64":
		return "a number"
	case "string":
		return "a text"
	case "slice":
		return "a list"
	case "bool":
		return "true or false"
	}
	return "an object"
}

// tokens checks a number of tokens.
func tokens(name string, n int64) (int, error) {
	if n < 1 || n > workload.MaxTokens {
		return 0, fmt.Errorf("%s %d is not between 1 and %d", name, n, workload.MaxTokens)
	}
	return int(n), nil
}

// optional is tokens of what need not be there.
func optional(name string, n *int64) (int, error) {
	if n == nil {
		return 0, nil
	}
	return tokens(name, *n)
}

// nanoseconds is a time in units of so many ns.
func nanoseconds(name string, t, unit float64) (int64, error) {
	const most = 9.2e18 // what an int64 holds, with room for rounding
	if ns := math.Round(t * unit); math.Abs(ns) < most {
		return int64(ns), nil
	}
	return 0, fmt.Errorf("%s %g is no time", name, t)
}

const (
	millisecond = 1e6
	second      = 1e9
)

// when reads timestamp and delay, both of which may be missing.
func when(e *workload.Entry, timestamp, delay *float64) error {
	var err error
	if timestamp != nil {
		if e.At, err = nanoseconds("timestamp", *timestamp, millisecond); err != nil {
			return err
		}
		e.Timed = true
	}
	if delay != nil {
		if *delay < 0 {
			return fmt.Errorf("delay %g is negative", *delay)
		}
		e.Think, err = nanoseconds("delay", *delay, millisecond)
	}
	return err
}

// one is the list of a single entry.
func one(e workload.Entry) []item { return []item{{Entry: e}} }
