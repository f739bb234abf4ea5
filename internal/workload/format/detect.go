package format

// What kind of file it is, told by what is in it.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A probe is what a file begins with.
type probe struct {
	header  []string // of CSV
	members map[string]json.RawMessage
	layout  layout
}

// probed is how many elements are looked at, should the first be unusable.
const probed = 20

// look finds out how the elements of a file stand, and what the first is.
func look(t *text) (probe, error) {
	var p probe
	err := t.begin(func(b *bufio.Reader, offset int64) error {
		first, err := firstByte(b)
		switch {
		case err == io.EOF:
			return errors.New("it is empty")
		case err != nil:
			return err
		case first == '[':
			p.layout = inArray
		case first == '{' && isData(b):
			p.layout = inData
		}
		n := 0
		for e, err := range elements(b, p.layout, offset, 1) {
			if n++; err != nil {
				return err
			}
			if first != '[' && first != '{' {
				p.header = csvFields(string(e.data))
				return nil
			}
			if json.Unmarshal(e.data, &p.members) == nil && p.members != nil || n == probed {
				return nil
			}
		}
		return nil
	})
	return p, err
}

// firstByte is the first that is no white space; nothing is consumed but that.
func firstByte(b *bufio.Reader) (byte, error) {
	for {
		c, err := b.ReadByte()
		if err != nil {
			return 0, err
		}
		if !strings.ContainsRune(" \t\r\n", rune(c)) {
			return c, b.UnreadByte()
		}
	}
}

// isData tells whether the object that begins here has a list called data in
// front, as inputs.json has.
func isData(b *bufio.Reader) bool {
	head, _ := b.Peek(256)
	d := json.NewDecoder(bytes.NewReader(head))
	for _, want := range []json.Token{json.Delim('{'), "data", json.Delim('[')} {
		if t, err := d.Token(); err != nil || t != want {
			return false
		}
	}
	return true
}

// detect finds the format of a file and says why.
func detect(p probe) (kind, string, error) {
	for _, k := range table() {
		if (k.columns == nil) != (p.header == nil) {
			continue
		}
		if why := k.matches(p); why != "" {
			return k, why, nil
		}
	}
	switch {
	case p.header != nil:
		return kind{}, "", fmt.Errorf("its first line is the header of no format that is known: %q", shorten(strings.Join(p.header, ",")))
	case p.members == nil:
		return kind{}, "", errors.New("it begins with no JSON object")
	}
	return kind{}, "", fmt.Errorf("an object with %s is of no format that is known", shorten(strings.Join(names(p.members), ", ")))
}

func shorten(s string) string {
	const most = 120
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

func names(members map[string]json.RawMessage) []string {
	var all []string
	for name := range members {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// has tells whether all of the members are there.
func (p probe) has(all ...string) bool {
	for _, name := range all {
		if _, ok := p.members[name]; !ok {
			return false
		}
	}
	return true
}

// any tells whether one of the members is there, and which.
func (p probe) any(of ...string) string {
	for _, name := range of {
		if p.has(name) {
			return name
		}
	}
	return ""
}

// keysOf matches objects with all of these members.
func keysOf(all ...string) func(probe) string {
	return func(p probe) string {
		if !p.has(all...) {
			return ""
		}
		return "an object has " + strings.Join(all, " and ")
	}
}

// header matches CSV with all of these columns.
func header(columns []string) func(probe) string {
	return func(p probe) string {
		for _, c := range columns {
			if column(p.header, c) < 0 {
				return ""
			}
		}
		return "its header has " + strings.Join(columns, ", ")
	}
}
