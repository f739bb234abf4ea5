// The journal read back: an index of it by one pass, then records in the
// order of (stream, seq), each read where it lies. Memory is some dozens of
// bytes a record, whatever its events.
package rundir

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"assay/internal/columnar"
	"assay/internal/record"
)

// An entry is where one record lies.
type entry struct {
	stream int32 // rank of its name
	length uint32
	seq    uint64
	offset int64 // of the payload
}

// An index is what a journal holds.
type index struct {
	entries []entry
	lost    int64 // bytes at the end that are no whole frame
}

// readIndex reads a journal up to its end or to the first frame that is torn
// or corrupt: after that nothing says where a frame begins.
func readIndex(f io.Reader, size int64) (*index, error) {
	x := &index{}
	ranks := map[string]int32{}
	var names []string
	r := bufio.NewReaderSize(f, 1<<20)
	var buf []byte
	var at int64
	for {
		typ, payload, err := record.ReadFrame(r, buf)
		switch {
		case errors.Is(err, io.EOF):
			x.sort(names)
			return x, nil
		case errors.Is(err, record.ErrTorn), errors.Is(err, record.ErrCorrupt):
			x.lost = size - at
			x.sort(names)
			return x, nil
		case err != nil:
			return nil, err
		}
		next := at + int64(record.FrameSize(len(payload)))
		if typ == record.FrameRecord {
			stream, seq, err := record.Key(payload)
			if err != nil {
				return nil, err
			}
			rank, ok := ranks[stream]
			if !ok {
				rank = int32(len(names))
				ranks[stream] = rank
				names = append(names, stream)
			}
			x.entries = append(x.entries, entry{stream: rank, seq: seq, offset: next - int64(len(payload)), length: uint32(len(payload))})
		}
		at, buf = next, payload
	}
}

// sort puts the entries in the order of (stream, seq), and then of the journal.
func (x *index) sort(names []string) {
	order := make([]int32, len(names)) // name's place among the sorted
	sorted := slices.Sorted(slices.Values(names))
	for i, name := range names {
		at, _ := slices.BinarySearch(sorted, name)
		order[i] = int32(at)
	}
	slices.SortFunc(x.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(order[a.stream], order[b.stream]), cmp.Compare(a.seq, b.seq), cmp.Compare(a.offset, b.offset))
	})
}

// records yields the records of a journal in the order of the index; each is
// good until the next.
func (x *index) records(f io.ReaderAt) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		var r record.Record
		var buf []byte
		for _, e := range x.entries {
			buf = slices.Grow(buf[:0], int(e.length))[:e.length]
			if _, err := f.ReadAt(buf, e.offset); err != nil {
				yield(nil, fmt.Errorf("read journal: %w", err))
				return
			}
			if err := record.Decode(buf, &r); err != nil {
				yield(nil, fmt.Errorf("read journal at %d: %w", e.offset, err))
				return
			}
			if !yield(&r, nil) {
				return
			}
		}
	}
}

// openJournal opens the journal of the folder and indexes it.
func openJournal(path string) (*os.File, *index, error) {
	f, err := os.Open(filepath.Join(path, JournalFile))
	if err != nil {
		return nil, nil, fmt.Errorf("read journal: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("read journal: %w", err), f.Close())
	}
	x, err := readIndex(f, info.Size())
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("read journal: %w", err), f.Close())
	}
	return f, x, nil
}

// settle makes records.parquet of the journal of a run that came to its end.
func settle(path string) error {
	f, x, err := openJournal(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if x.lost > 0 {
		return fmt.Errorf("read journal: %d bytes at its end are no whole record", x.lost)
	}
	return place(path, f, x)
}

// place puts records.parquet in the place of the journal, which it closes.
func place(path string, journal *os.File, x *index) error {
	if err := replace(path, RecordsFile, func(w io.Writer) error { return columnar.Write(w, x.records(journal)) }); err != nil {
		return err
	}
	journal.Close() // some systems remove no open file
	return dropJournal(path)
}
