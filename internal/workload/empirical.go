// Lengths as they were counted somewhere: a CSV with a line for each request.

package workload

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

const lengthColumns = "want a first line with input_tokens, output_tokens and, if wanted, weight"

// readTable reads a file of lengths. Columns are found by name and others are
// let be, for such a file is often an extract of a log. A line that can't be
// used is an error: the lengths of the rest would be another law.
func readTable(fsys fs.FS, name string) (*table, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	buffered := bufio.NewReaderSize(f, 1<<16)
	if mark, err := buffered.Peek(3); err == nil && string(mark) == "\ufeff" {
		_, _ = buffered.Discard(3) // some spreadsheets put one; it was just peeked
	}
	r := csv.NewReader(buffered)
	r.ReuseRecord, r.TrimLeadingSpace = true, true
	head, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, emptyFile(err))
	}
	for i := range head {
		head[i] = strings.TrimSpace(head[i])
	}
	columns := [3]int{}
	for i, key := range []string{"input_tokens", "output_tokens", "weight"} {
		columns[i] = slices.Index(head, key)
	}
	if columns[0] < 0 || columns[1] < 0 {
		return nil, fmt.Errorf("%s: no column input_tokens or no column output_tokens: %s", name, lengthColumns)
	}
	t := &table{}
	for {
		fields, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err) // it tells the line
		}
		p, err := pairOf(fields, columns)
		if err != nil {
			line, _ := r.FieldPos(0)
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		t.add(p)
	}
	if len(t.in) == 0 {
		return nil, fmt.Errorf("%s: %w", name, emptyFile(io.EOF))
	}
	return t, nil
}

func emptyFile(err error) error {
	if err == io.EOF {
		return errors.New("there are no lengths: " + lengthColumns)
	}
	return err
}

func pairOf(fields []string, columns [3]int) (Pair, error) {
	p := Pair{Weight: 1}
	for i, into := range []*int{&p.Input, &p.Output} {
		word := strings.TrimSpace(fields[columns[i]])
		n, err := strconv.Atoi(word)
		if err != nil {
			return p, fmt.Errorf("%q is not a whole number of tokens", word)
		}
		*into = n
	}
	if columns[2] >= 0 {
		word := strings.TrimSpace(fields[columns[2]])
		w, err := strconv.ParseFloat(word, 64)
		if err != nil || !(w > 0) {
			return p, fmt.Errorf("%q is not a weight above 0", word)
		}
		p.Weight = w
	}
	return p, p.check()
}
