// One record as a row of leaf values, and back.
package columnar

import (
	"fmt"

	"github.com/parquet-go/parquet-go"

	"assay/internal/record"
)

// A builder makes rows by the table of columns.
type builder struct {
	columns []column
	row     parquet.Row
	column  int
}

// build returns the row of r, good until the next build.
func (b *builder) build(r *record.Record) parquet.Row {
	if b.columns == nil {
		b.columns = columns()
	}
	b.row = b.row[:0]
	for i := range b.columns {
		b.column = i
		b.columns[i].put(b, r)
	}
	return b.row
}

func (b *builder) add(v parquet.Value, repetition, definition int) {
	b.row = append(b.row, v.Level(repetition, definition, b.column))
}

func (b *builder) required(v parquet.Value) { b.add(v, 0, 0) }

func (b *builder) optional(v parquet.Value, known bool) {
	if known {
		b.add(v, 0, 1)
	} else {
		b.add(parquet.NullValue(), 0, 0)
	}
}

// element adds element i of a list.
func (b *builder) element(i int, v parquet.Value) { b.add(v, min(i, 1), 1) }

// endList marks a list of no elements.
func (b *builder) endList(n int) {
	if n == 0 {
		b.add(parquet.NullValue(), 0, 0)
	}
}

// A scanner makes records of rows. The lists of events come column by column
// and are put together at the end of a row.
type scanner struct {
	columns []*column // by the file's leaves; nil: not known to this program
	r       record.Record
	words   map[string]string

	arrived, read, tokens, otherTimes []int64 // of the row in progress
	kinds, otherKinds                 []record.Kind
	stamped                           []bool
}

func newScanner(file *parquet.Schema) (*scanner, error) {
	s := &scanner{columns: make([]*column, len(file.Columns())), words: map[string]string{}}
	for _, c := range columns() {
		leaf, ok := file.Lookup(c.path()...)
		if !ok && c.absent != nil {
			c.absent(&s.r) // and nothing sets it again
			continue
		}
		if !ok {
			return nil, fmt.Errorf("column %s is missing", c.name)
		}
		// Another type under a known name would be read as garbage.
		if leaf.Node.Type().Kind() != c.node.Type().Kind() {
			return nil, fmt.Errorf("column %s has type %s, want %s", c.name, leaf.Node.Type(), c.node.Type())
		}
		s.columns[leaf.ColumnIndex] = &c
	}
	return s, nil
}

// maxWords bounds the texts that are kept to be shared.
const maxWords = 1024

// word returns b as a string, the same one for the same bytes while there are few.
func (s *scanner) word(b []byte) string {
	if w, ok := s.words[string(b)]; ok {
		return w
	}
	w := string(b)
	if len(s.words) < maxWords {
		s.words[w] = w
	}
	return w
}
