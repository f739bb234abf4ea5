package run

// A run whose coordinator died is finished from what it left.

import (
	"errors"

	"assay/internal/result"
	"assay/internal/rundir"
)

// Recover makes a result of what a dead run left, marks it as what it is, and
// tells what it found. A folder that is complete stays as it is; a result
// that is missing there is written.
func Recover(path string) (*result.Result, rundir.Recovery, error) {
	found, err := rundir.Recover(path)
	switch {
	case errors.Is(err, rundir.ErrRunning):
		return nil, found, cannot(err, "wait for its end, or interrupt it: Ctrl-C once keeps what was measured")
	case errors.Is(err, rundir.ErrNothing):
		return nil, found, cannot(err, "remove the folder")
	case rundir.IsFull(err):
		return nil, found, cannot(err, "make room, and once more")
	case err != nil:
		return nil, found, usage(err, "recover wants the folder of a run that died")
	}
	r, encoded, err := remake(path)
	if err != nil {
		return nil, found, cannot(err, "")
	}
	if found.Complete && hasResult(path) {
		return r, found, nil // `judge` tells whether it is what its files give
	}
	if err := rundir.WriteFile(path, rundir.ResultFile, encoded); err != nil {
		return nil, found, cannot(err, "make room, and once more")
	}
	return r, found, nil
}

func hasResult(path string) bool {
	dir, err := rundir.Open(path)
	if err != nil {
		return false
	}
	defer dir.Close()
	_, err = dir.Result()
	return err == nil
}

// Unfinished says of a folder whose run has not come to its end what to do
// with it; "" of any other.
func Unfinished(path string) string {
	dir, err := rundir.Open(path)
	if err != nil {
		return ""
	}
	defer dir.Close()
	switch {
	case rundir.Running(path):
		return "its run is still going: this is what it has measured so far"
	case !dir.Complete():
		return "its run did not come to its end: `assay recover " + path + "` makes it whole and marks it"
	}
	return ""
}
