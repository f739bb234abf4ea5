// Package rundir is the folder of one run: what is appended while it runs,
// what is there at its end, and how both are read again. It refuses a folder
// that exists. It promises that every file but those that grow is whole or
// absent, that what was appended is out of this process within a second, that
// records are read in the order of (stream, seq) whichever file they are in,
// and that a folder whose run died at any moment can be recovered, once the
// run is known to be gone. It judges nothing.
package rundir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"assay/internal/observation"
)

// Files of a run's folder.
const (
	ContractFile     = "contract.yaml"
	RecordsFile      = "records.parquet"
	JournalFile      = "records.journal" // until RecordsFile is complete
	ObservationsFile = "observations.jsonl"
	ResultFile       = "result.json"
	LogFile          = "log.jsonl" // what the coordinator had to say
)

// ErrExists is Create's answer where there is something already.
var ErrExists = errors.New("exists already: a run's folder is never overwritten")

// A Dir is the folder of a run under way. Its methods may be called from
// anywhere, at the same time.
type Dir struct {
	path         string
	lock         *os.File
	records      *appender
	observations *appender
	log          *appender
}

// Create makes the folder, and those above it where they are missing. The
// folder is locked until Release or the end of this process.
func Create(path string) (*Dir, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("create run folder: %w", err)
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("%s %w", path, ErrExists)
		}
		return nil, fmt.Errorf("create run folder: %w", err)
	}
	return start(path)
}

// start makes the files that grow, and locks the folder.
func start(path string) (*Dir, error) {
	records, err := openAppender(filepath.Join(path, JournalFile))
	if err != nil {
		return nil, err
	}
	observations, err := openAppender(filepath.Join(path, ObservationsFile))
	if err != nil {
		return nil, errors.Join(err, records.close())
	}
	log, err := openAppender(filepath.Join(path, LogFile))
	if err != nil {
		return nil, errors.Join(err, records.close(), observations.close())
	}
	lock, err := lockFolder(path)
	if err != nil && !errors.Is(err, errNoLocks) { // without locks there is no recovery here, and runs all the same
		return nil, errors.Join(err, records.close(), observations.close(), log.close())
	}
	return &Dir{path: path, lock: lock, records: records, observations: observations, log: log}, nil
}

// Path is the folder.
func (d *Dir) Path() string { return d.path }

// AppendRecord appends one encoded record (record.Append) to the journal. The
// error may be that of an earlier append: files are written behind.
func (d *Dir) AppendRecord(encoded []byte) error { return d.records.appendFrame(encoded) }

// AppendObservation appends one line to observations.jsonl.
func (d *Dir) AppendObservation(o observation.Observation) error {
	line, err := observation.Encode(&o)
	if err != nil {
		return err
	}
	return d.observations.appendLine(line)
}

// Log appends one line to log.jsonl. No number is made of it.
func (d *Dir) Log(at time.Time, text string) error {
	line, err := json.Marshal(struct {
		Time string `json:"time"`
		Text string `json:"text"`
	}{at.UTC().Format(time.RFC3339Nano), text})
	if err != nil {
		return fmt.Errorf("log: %w", err)
	}
	return d.log.appendLine(line)
}

// WriteFile writes a whole file, or leaves the one that was there.
func (d *Dir) WriteFile(name string, data []byte) error { return WriteFile(d.path, name, data) }

// Finish closes both files, makes records.parquet of the journal and removes
// the journal. After an error the journal is still there.
func (d *Dir) Finish() error {
	if err := d.Close(); err != nil {
		return err
	}
	return settle(d.path)
}

// Close writes out what was appended and leaves the journal as it is. A
// second Close does nothing.
func (d *Dir) Close() error {
	return errors.Join(d.records.close(), d.observations.close(), d.log.close())
}

// Release closes the files that are still open and frees the folder.
func (d *Dir) Release() error {
	err := d.Close()
	if d.lock != nil {
		err = errors.Join(err, d.lock.Close())
		d.lock = nil
	}
	return err
}

// Discard takes back what Create made, for a run that did not begin.
func (d *Dir) Discard() error {
	all := []error{d.Release()} // some systems remove no open file
	for _, name := range []string{JournalFile, ObservationsFile, LogFile, ContractFile} {
		if err := os.Remove(filepath.Join(d.path, name)); !errors.Is(err, fs.ErrNotExist) {
			all = append(all, err)
		}
	}
	return errors.Join(append(all, os.Remove(d.path))...)
}
