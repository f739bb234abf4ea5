// A folder read again: after its run, after a crash, a year later.
package rundir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"assay/internal/columnar"
	"assay/internal/observation"
	"assay/internal/record"
)

// A Reader reads a run's folder. Close it after use.
type Reader struct {
	path    string
	records *os.File
	size    int64
	journal *index // nil when records are the columnar file
}

// Open opens the folder. Where the run did not come to its end, the journal
// stands for the records.
func Open(path string) (*Reader, error) {
	r := &Reader{path: path}
	f, err := os.Open(filepath.Join(path, RecordsFile))
	isJournal := errors.Is(err, fs.ErrNotExist)
	if isJournal {
		f, err = os.Open(filepath.Join(path, JournalFile))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, noRun(path)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open run: %w", err)
	}
	r.records = f
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open run: %w", err), f.Close())
	}
	r.size = info.Size()
	if isJournal {
		if r.journal, err = readIndex(f, r.size); err != nil {
			return nil, errors.Join(fmt.Errorf("read journal: %w", err), f.Close())
		}
	}
	return r, nil
}

func noRun(path string) error {
	return fmt.Errorf("%s is no run's folder: neither %s nor %s is there", path, RecordsFile, JournalFile)
}

// anyOf tells whether one of these files is in the folder.
func anyOf(path string, names ...string) bool {
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(path, name)); err == nil {
			return true
		}
	}
	return false
}

// Path is the folder.
func (r *Reader) Path() string { return r.path }

// Complete tells whether the run came to its end: else the records are what
// the journal kept.
func (r *Reader) Complete() bool { return r.journal == nil }

// Lost is how many bytes at the end of the journal were no whole record and
// were dropped.
func (r *Reader) Lost() int64 {
	if r.journal == nil {
		return 0
	}
	return r.journal.lost
}

// Records returns a source of all records in the order of (stream, seq). Each
// is good until the next one. Every call of the source begins anew.
func (r *Reader) Records() func() iter.Seq2[*record.Record, error] {
	return func() iter.Seq2[*record.Record, error] {
		if r.journal != nil {
			return r.journal.records(r.records)
		}
		return columnar.Read(r.records, r.size)
	}
}

// Observations are all lines of observations.jsonl. What a verdict must know
// of the files themselves is added as notes: that the run did not come to its
// end, and what was dropped of it.
func (r *Reader) Observations() ([]observation.Observation, error) {
	f, err := os.Open(filepath.Join(r.path, ObservationsFile))
	if err != nil {
		return nil, fmt.Errorf("read observations: %w", err)
	}
	defer f.Close()
	all, torn, err := observation.Read(f)
	if err != nil {
		return nil, err
	}
	return append(all, epilogue(all, !r.Complete(), r.Lost(), int64(torn))...), nil
}

// ContractYAML is the contract as it was run.
func (r *Reader) ContractYAML() ([]byte, error) { return r.file(ContractFile) }

// Result is result.json as it was written.
func (r *Reader) Result() ([]byte, error) { return r.file(ResultFile) }

func (r *Reader) file(name string) ([]byte, error) {
	f, err := os.Open(filepath.Join(r.path, name))
	if err != nil {
		return nil, fmt.Errorf("read run: %w", err)
	}
	defer f.Close()
	return io.ReadAll(f)
}

// Close closes the files.
func (r *Reader) Close() error { return r.records.Close() }
