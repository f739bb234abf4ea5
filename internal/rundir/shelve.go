// A folder that holds several attempts: those before the last lie in
// attempts/N, each a run's folder of its own.
package rundir

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"assay/internal/observation"
)

// AttemptsFolder holds the attempts before the one that a folder reports.
const AttemptsFolder = "attempts"

// Attempt is the folder of attempt n, from 1, of the run at path.
func Attempt(path string, n int) string {
	return filepath.Join(path, AttemptsFolder, strconv.Itoa(n))
}

// finished are the files of a run that has its result, the result last: what
// a crash leaves behind in the middle of Shelve is not taken for a whole run.
func finished(path string) ([]string, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Name() != AttemptsFolder && e.Name() != ResultFile {
			names = append(names, e.Name())
		}
	}
	return append(names, ResultFile), nil
}

// Shelve moves the files of a finished run to attempts/N and leaves the
// folder empty but for its attempts.
func Shelve(path string, n int) error {
	to := Attempt(path, n)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return fmt.Errorf("shelve attempt %d: %w", n, err)
	}
	if err := os.Mkdir(to, 0o755); err != nil {
		return fmt.Errorf("shelve attempt %d: %w", n, err)
	}
	names, err := finished(path)
	if err != nil {
		return fmt.Errorf("shelve attempt %d: %w", n, err)
	}
	for _, name := range names {
		err := os.Rename(filepath.Join(path, name), filepath.Join(to, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("shelve attempt %d: %w", n, err)
		}
	}
	return syncFolder(to)
}

// Clear removes the files of a finished run that nobody will ask for again.
func Clear(path string) error {
	names, err := finished(path)
	if err != nil {
		return fmt.Errorf("clear run folder: %w", err)
	}
	for _, name := range names {
		if err := os.Remove(filepath.Join(path, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("clear run folder: %w", err)
		}
	}
	return nil
}

// Again opens for a further attempt a folder whose run was shelved or cleared.
// It refuses one that holds anything but attempts.
func Again(path string) (*Dir, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fmt.Errorf("open run folder: %w", err)
	}
	for _, e := range entries {
		if e.Name() != AttemptsFolder {
			return nil, fmt.Errorf("open run folder: %s %w", filepath.Join(path, e.Name()), ErrExists)
		}
	}
	return start(path)
}

// Amend adds one line to observations.jsonl of a finished run. After an error
// the file is as it was.
func Amend(path string, o observation.Observation) error {
	line, err := observation.Encode(&o)
	if err != nil {
		return err
	}
	old, err := os.ReadFile(filepath.Join(path, ObservationsFile))
	if err != nil {
		return fmt.Errorf("amend observations: %w", err)
	}
	if len(old) > 0 && !bytes.HasSuffix(old, []byte("\n")) {
		old = append(old, '\n')
	}
	return WriteFile(path, ObservationsFile, append(append(old, line...), '\n'))
}
