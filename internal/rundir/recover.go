// What a run leaves that died: its folder is brought to the state of one that
// ended, marked as what it is.
package rundir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"assay/internal/observation"
)

var (
	// ErrRunning is the answer where the folder's run is still going.
	ErrRunning = errors.New("its run is still going")
	// ErrNothing is the answer where a run died before its load began.
	ErrNothing = errors.New("its run died before the load began: nothing was measured")

	errNoLocks = errors.New("its file system has no locks, so nothing tells whether its run is still going")
)

// A Recovery is what Recover did.
type Recovery struct {
	Complete         bool // nothing: the records were those of a run that came to its end
	Records          int  // found in the journal
	LostRecords      int64
	LostObservations int64 // bytes that were no whole record, no whole line, and were dropped
}

// Recover makes records.parquet of the journal that a dead run left, notes in
// observations.jsonl that it did and what was dropped, and then removes the
// journal. It may be killed and called again at any moment: the note is
// written before the records are in place, so that no recovered run can pass
// for one that came to its end.
func Recover(path string) (Recovery, error) {
	if !anyOf(path, RecordsFile, JournalFile) {
		return Recovery{}, noRun(path)
	}
	lock, err := lockFolder(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Recovery{}, fmt.Errorf("recover %s: %w", path, ErrNothing) // it died while it made its files
	}
	if err != nil {
		return Recovery{}, fmt.Errorf("recover %s: %w", path, err)
	}
	defer lock.Close()
	if !anyOf(path, ContractFile) {
		return Recovery{}, fmt.Errorf("recover %s: %w", path, ErrNothing)
	}
	if anyOf(path, RecordsFile) {
		return Recovery{Complete: true}, dropJournal(path)
	}
	return revive(path)
}

// revive is Recover's work on a folder that only has a journal.
func revive(path string) (Recovery, error) {
	f, x, err := openJournal(path)
	if err != nil {
		return Recovery{}, fmt.Errorf("recover %s: %w", path, err)
	}
	defer f.Close()
	r := Recovery{Records: len(x.entries), LostRecords: x.lost}
	if r.LostObservations, err = mark(path, x.lost); err != nil {
		return r, fmt.Errorf("recover %s: %w", path, err)
	}
	if err := place(path, f, x); err != nil {
		return r, fmt.Errorf("recover %s: %w", path, err)
	}
	return r, nil
}

// mark puts the notes of a recovery in the place of the line that a dying
// writer cut short, and returns how many bytes that was. Notes that an
// earlier recovery left stand.
func mark(path string, lost int64) (torn int64, err error) {
	f, err := os.OpenFile(filepath.Join(path, ObservationsFile), os.O_RDWR, 0)
	if err != nil {
		return 0, fmt.Errorf("read observations: %w", err)
	}
	defer f.Close()
	all, cut, err := observation.Read(f)
	if err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, fmt.Errorf("read observations: %w", err)
	}
	torn = int64(cut)
	at := info.Size() - torn
	var lines []byte
	if at > 0 {
		var last [1]byte
		if _, err := f.ReadAt(last[:], at-1); err != nil {
			return 0, fmt.Errorf("read observations: %w", err)
		}
		if last[0] != '\n' {
			lines = append(lines, '\n') // all but the line's end was written
		}
	}
	for _, o := range epilogue(all, true, lost, torn) {
		line, err := observation.Encode(&o)
		if err != nil {
			return 0, err
		}
		lines = append(append(lines, line...), '\n')
	}
	// Over the torn line first, then the cut: whatever comes between, what is
	// left of the old line is a torn line again.
	if _, err := f.WriteAt(lines, at); err != nil {
		return 0, fmt.Errorf("mark observations: %w", err)
	}
	if err := errors.Join(f.Truncate(at+int64(len(lines))), f.Sync()); err != nil {
		return 0, fmt.Errorf("mark observations: %w", err)
	}
	return torn, nil
}

// epilogue is what a verdict must know of the files of a run: that it did not
// come to its end, and what was dropped of it.
func epilogue(all []observation.Observation, died bool, lost, torn int64) []observation.Observation {
	var end int64
	if n := len(all); n > 0 {
		end = all[n-1].T
	}
	var notes []observation.Observation
	note := func(code, text string) {
		notes = append(notes, observation.Observation{T: end, Kind: observation.KindNote, Note: &observation.Note{Code: code, Text: text}})
	}
	known := slices.ContainsFunc(all, func(o observation.Observation) bool {
		return o.Kind == observation.KindNote && o.Note.Code == observation.NoteRecovered
	})
	if torn > 0 || lost > 0 && !known {
		note(observation.NoteTornTail, fmt.Sprintf("dropped: %d bytes of records, %d bytes of observations", lost, torn))
	}
	// Last: where it stands, the other one does.
	if died && !known {
		note(observation.NoteRecovered, "the run did not come to its end: its records are those of the journal")
	}
	return notes
}

// dropJournal removes the journal that is left where the end came between the
// records' last step and this one.
func dropJournal(path string) error {
	err := os.Remove(filepath.Join(path, JournalFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("remove journal: %w", err)
	}
	return syncFolder(path)
}

// Running tells whether the folder's run is still going.
func Running(path string) bool {
	lock, err := lockFolder(path)
	if err == nil {
		lock.Close()
	}
	return errors.Is(err, ErrRunning)
}

// lockFolder takes the folder for this process: the lock is on the
// observations, which are there from the first moment to the last.
func lockFolder(path string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(path, ObservationsFile), os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	if err := takeLock(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
