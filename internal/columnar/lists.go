// Columns that hold a list: one element an event.
package columnar

import (
	"fmt"

	"github.com/parquet-go/parquet-go"

	"assay/internal/record"
)

// events is a list column over the content-bearing events.
func events(name string, node parquet.Node, value func(record.Event) parquet.Value, keep func(*scanner, []parquet.Value) error) column {
	return column{
		name: name, node: node, list: true,
		put: func(b *builder, r *record.Record) {
			for i, e := range r.Events {
				b.element(i, value(e))
			}
			b.endList(len(r.Events))
		},
		take: func(s *scanner, _ *record.Record, v []parquet.Value) error { return keep(s, v) },
	}
}

func arrivals(name string) column {
	return events(name, int64Node(),
		func(e record.Event) parquet.Value { return parquet.Int64Value(e.Arrived) },
		func(s *scanner, v []parquet.Value) error { return integers(v, &s.arrived) })
}

func reads(name string) column {
	return events(name, int64Node(),
		func(e record.Event) parquet.Value { return parquet.Int64Value(e.Read()) },
		func(s *scanner, v []parquet.Value) error { return integers(v, &s.read) })
}

func tokens(name string) column {
	return events(name, int64Node(),
		func(e record.Event) parquet.Value { return parquet.Int64Value(int64(e.Tokens())) },
		func(s *scanner, v []parquet.Value) error { return integers(v, &s.tokens) })
}

func kinds(name string) column {
	names := kindValues()
	return events(name, wordNode(),
		func(e record.Event) parquet.Value { return names[e.Kind()] },
		func(s *scanner, v []parquet.Value) error { return parseKinds(name, v, &s.kinds) })
}

func stamped(name string) column {
	return events(name, parquet.Leaf(parquet.BooleanType),
		func(e record.Event) parquet.Value { return parquet.BooleanValue(e.Stamped()) },
		func(s *scanner, v []parquet.Value) error {
			s.stamped = s.stamped[:0]
			for _, e := range elements(v) {
				s.stamped = append(s.stamped, e.Boolean())
			}
			return nil
		})
}

func otherTimes(name string) column {
	return column{
		name: name, node: int64Node(), list: true,
		put: func(b *builder, r *record.Record) {
			for i, m := range r.Marks {
				b.element(i, parquet.Int64Value(m.T))
			}
			b.endList(len(r.Marks))
		},
		take: func(s *scanner, _ *record.Record, v []parquet.Value) error { return integers(v, &s.otherTimes) },
	}
}

func otherKinds(name string) column {
	names := kindValues()
	return column{
		name: name, node: wordNode(), list: true,
		put: func(b *builder, r *record.Record) {
			for i, m := range r.Marks {
				b.element(i, names[m.Kind])
			}
			b.endList(len(r.Marks))
		},
		take: func(s *scanner, _ *record.Record, v []parquet.Value) error { return parseKinds(name, v, &s.otherKinds) },
	}
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

// elements are the values of a list; an empty list is one null.
func elements(v []parquet.Value) []parquet.Value {
	if len(v) == 1 && v[0].IsNull() {
		return nil
	}
	return v
}

func integers(v []parquet.Value, into *[]int64) error {
	*into = (*into)[:0]
	for _, e := range elements(v) {
		*into = append(*into, e.Int64())
	}
	return nil
}

func parseKinds(name string, v []parquet.Value, into *[]record.Kind) error {
	*into = (*into)[:0]
	last, lastName := record.Kind(0), ""
	for _, e := range elements(v) {
		// Neighbours are mostly of one kind.
		if b := e.ByteArray(); string(b) != lastName {
			if err := parse(name, b, &last); err != nil {
				return err
			}
			lastName = last.String()
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
