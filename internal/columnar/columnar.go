// Package columnar keeps records in a Parquet file that other tools open too.
// It is the only importer of a Parquet library. It promises that a record
// comes back as it was written, and that memory does not grow with the file:
// rows go through one at a time. It neither sorts nor filters.
package columnar

import (
	"fmt"
	"io"
	"iter"

	"github.com/parquet-go/parquet-go"

	"assay/internal/record"
)

// Schema is the version of the file, kept in its metadata under SchemaKey.
const (
	Schema    = "assay/records/v1"
	SchemaKey = "assay.schema"
)

// A group is where a row group ends, whichever comes first: the writer holds
// one in memory.
type group struct{ rows, events int }

// Write writes the records as one file. It stops at the first error that
// they yield.
func Write(w io.Writer, records iter.Seq2[*record.Record, error]) error {
	return write(w, records, group{rows: 50_000, events: 1 << 20})
}

func write(w io.Writer, records iter.Seq2[*record.Record, error], limit group) error {
	out := parquet.NewGenericWriter[any](w, schema(),
		parquet.Compression(&parquet.Zstd),
		parquet.KeyValueMetadata(SchemaKey, Schema),
		parquet.CreatedBy("assay", "", ""))
	row := builder{}
	var now group
	for r, err := range records {
		if err != nil {
			return err
		}
		if _, err := out.WriteRows([]parquet.Row{row.build(r)}); err != nil {
			return fmt.Errorf("write record %s/%d: %w", r.Stream, r.Seq, err)
		}
		now.rows++
		now.events += len(r.Events)
		if now.rows >= limit.rows || now.events >= limit.events {
			if err := out.Flush(); err != nil {
				return fmt.Errorf("write records: %w", err)
			}
			now = group{}
		}
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("write records: %w", err)
	}
	return nil
}

// Read yields the records of a file in their order. Each is good until the
// next one: whoever keeps it makes a copy, events included. Columns of a
// later version are left aside; those that came later than the file are missing
// in its records.
func Read(r io.ReaderAt, size int64) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		if err := read(r, size, func(r *record.Record) bool { return yield(r, nil) }); err != nil {
			yield(nil, fmt.Errorf("read records: %w", err))
		}
	}
}

func read(r io.ReaderAt, size int64, yield func(*record.Record) bool) error {
	f, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	if v, ok := f.Lookup(SchemaKey); !ok || v != Schema {
		return fmt.Errorf("schema %q: this program reads %q", v, Schema)
	}
	s, err := newScanner(f.Schema())
	if err != nil {
		return err
	}
	for _, g := range f.RowGroups() {
		if more, err := readGroup(g, s, yield); err != nil || !more {
			return err
		}
	}
	return nil
}

// readGroup tells whether the reader wants more.
func readGroup(g parquet.RowGroup, s *scanner, yield func(*record.Record) bool) (more bool, err error) {
	var feeds []feed
	defer func() {
		for _, f := range feeds {
			f.close()
		}
	}()
	for i, chunk := range g.ColumnChunks() {
		if c := s.columns[i]; c != nil {
			feeds = append(feeds, newFeed(c, chunk))
		}
	}
	for range g.NumRows() {
		for _, f := range feeds {
			if err := f.next(s); err != nil {
				return false, err
			}
		}
		if err := s.assemble(&s.r); err != nil {
			return false, err
		}
		if !yield(&s.r) {
			return false, nil
		}
	}
	return true, nil
}
