// Columns that hold a list: one element an event.
package columnar

import (
	"fmt"

	"github.com/parquet-go/parquet-go"

	"assay/internal/record"
)

// events is a list column over the content-bearing events.
func events(name string, node parquet.Node, value func(record.Event) parquet.Value) column {
	return column{
		name: name, node: node, list: true,
		put: func(b *builder, r *record.Record) {
			for i, e := range r.Events {
				b.element(i, value(e))
			}
			b.endList(len(r.Events))
		},
	}
}

// marks is a list column over the other events.
func marks(name string, node parquet.Node, value func(record.Mark) parquet.Value) column {
	return column{
		name: name, node: node, list: true,
		put: func(b *builder, r *record.Record) {
			for i, m := range r.Marks {
				b.element(i, value(m))
			}
			b.endList(len(r.Marks))
		},
	}
}

// integers has a list column of integers read into a field of the scanner.
func (c column) integers(into func(*scanner) *[]int64) column {
	c.begin = func(s *scanner) { *into(s) = (*into(s))[:0] }
	c.more = func(s *scanner, l *lists, from, to int) error {
		*into(s) = append(*into(s), l.integers(from, to)...)
		return nil
	}
	return c
}

// kinds has a list column of kinds read into a field of the scanner.
func (c column) kinds(into func(*scanner) *[]record.Kind) column {
	c.begin = func(s *scanner) { *into(s) = (*into(s))[:0] }
	c.more = func(s *scanner, l *lists, from, to int) error { return parseKinds(c.name, l, from, to, into(s)) }
	return c
}

func arrivals(name string) column {
	return events(name, int64Node(), func(e record.Event) parquet.Value { return parquet.Int64Value(e.Arrived) }).
		integers(func(s *scanner) *[]int64 { return &s.arrived })
}

func reads(name string) column {
	return events(name, int64Node(), func(e record.Event) parquet.Value { return parquet.Int64Value(e.Read()) }).
		integers(func(s *scanner) *[]int64 { return &s.read })
}

func tokens(name string) column {
	return events(name, int64Node(), func(e record.Event) parquet.Value { return parquet.Int64Value(int64(e.Tokens())) }).
		integers(func(s *scanner) *[]int64 { return &s.tokens })
}

func kinds(name string) column {
	names := kindValues()
	return events(name, wordNode(), func(e record.Event) parquet.Value { return names[e.Kind()] }).
		kinds(func(s *scanner) *[]record.Kind { return &s.kinds })
}

func stamped(name string) column {
	c := events(name, parquet.Leaf(parquet.BooleanType), func(e record.Event) parquet.Value { return parquet.BooleanValue(e.Stamped()) })
	c.begin = func(s *scanner) { s.stamped = s.stamped[:0] }
	c.more = func(s *scanner, l *lists, from, to int) error {
		bits := l.data.Boolean()
		for i := from; i < to; i++ {
			s.stamped = append(s.stamped, bits[i/8]>>(i%8)&1 != 0)
		}
		return nil
	}
	return c
}

func otherTimes(name string) column {
	return marks(name, int64Node(), func(m record.Mark) parquet.Value { return parquet.Int64Value(m.T) }).
		integers(func(s *scanner) *[]int64 { return &s.otherTimes })
}

func otherKinds(name string) column {
	names := kindValues()
	return marks(name, wordNode(), func(m record.Mark) parquet.Value { return names[m.Kind] }).
		kinds(func(s *scanner) *[]record.Kind { return &s.otherKinds })
}

// kindValues are the names of the kinds, made once: there is one for each
// event of the file.
func kindValues() []parquet.Value {
	names := make([]parquet.Value, maxEnum)
	for k := range names {
		names[k] = parquet.ByteArrayValue([]byte(record.Kind(k).String()))
	}
	return names
}

// parseKinds appends the kinds that values from up to to are the names of.
func parseKinds(column string, l *lists, from, to int, into *[]record.Kind) error {
	last, lastIndex := record.Kind(0), int32(-1)
	dictionary := l.page.Dictionary()
	for i := from; i < to; i++ {
		if dictionary == nil {
			text, offsets := l.data.ByteArray()
			if err := parse(column, text[offsets[i]:offsets[i+1]], &last); err != nil {
				return err
			}
		} else if index := l.data.Int32()[i]; index != lastIndex { // neighbours are mostly of one kind
			if err := parse(column, dictionary.Index(index).ByteArray(), &last); err != nil {
				return err
			}
			lastIndex = index
		}
		*into = append(*into, last)
	}
	return nil
}

// assemble makes the events of r from the lists of a row.
func (s *scanner) assemble(r *record.Record) error {
	n := len(s.arrived)
	if len(s.read) != n || len(s.tokens) != n || len(s.kinds) != n || len(s.stamped) != n || len(s.otherTimes) != len(s.otherKinds) {
		return fmt.Errorf("record %s/%d: lists of different lengths", r.Stream, r.Seq)
	}
	r.Events, r.Marks = r.Events[:0], r.Marks[:0]
	for i, at := range s.arrived {
		r.Events = append(r.Events, record.NewEvent(at, s.read[i], s.kinds[i], int(s.tokens[i]), s.stamped[i]))
	}
	for i, at := range s.otherTimes {
		r.Marks = append(r.Marks, record.Mark{Kind: s.otherKinds[i], T: at})
	}
	return nil
}
