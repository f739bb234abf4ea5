// Attempts that are put aside, and the folder that is taken again.
package rundir

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"assay/internal/observation"
)

// finishedRun is the folder of a run with n requests and a result.
func finishedRun(t *testing.T, path string, begin func(string) (*Dir, error), n int) {
	t.Helper()
	d, err := begin(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := d.AppendObservation(observation.Observation{T: int64(i), Kind: observation.KindNote, Note: &observation.Note{Code: "x"}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{ContractFile, ResultFile} {
		if err := d.WriteFile(name, []byte("text")); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(d.Finish(), d.Release()); err != nil {
		t.Fatal(err)
	}
}

func observations(t *testing.T, path string) int {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	all, err := r.Observations()
	if err != nil || !r.Complete() {
		t.Fatalf("%s: complete %v, %v", path, r.Complete(), err)
	}
	return len(all)
}

func TestAShelvedAttemptIsARunsFolderAndItsPlaceIsFree(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	finishedRun(t, path, Create, 1)
	if _, err := Again(path); !errors.Is(err, ErrExists) {
		t.Errorf("a folder whose run was not put aside was taken: %v", err)
	}
	if err := os.WriteFile(filepath.Join(path, "trace.csv"), []byte("0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Shelve(path, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(Attempt(path, 1), "trace.csv")); err != nil {
		t.Errorf("what the run kept beside its own files was not put aside: %v", err)
	}
	finishedRun(t, path, Again, 2)
	if err := Shelve(path, 2); err != nil {
		t.Fatal(err)
	}
	finishedRun(t, path, Again, 3)
	for n, at := range map[int]string{1: Attempt(path, 1), 2: Attempt(path, 2), 3: path} {
		if got := observations(t, at); got != n {
			t.Errorf("%s has %d observations, want %d", at, got, n)
		}
	}
	if err := Shelve(path, 2); err == nil {
		t.Error("an attempt took the place of another")
	}
	if got := observations(t, path); got != 3 {
		t.Errorf("after a refusal the run has %d observations, want 3", got)
	}
}

func TestAClearedFolderIsFree(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	finishedRun(t, path, Create, 1)
	if err := Clear(path); err != nil {
		t.Fatal(err)
	}
	finishedRun(t, path, Again, 2)
	if got := observations(t, path); got != 2 {
		t.Errorf("%d observations, want those of the second run, 2", got)
	}
}

func TestALineIsAddedToAFinishedRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	finishedRun(t, path, Create, 2)
	file := filepath.Join(path, ObservationsFile)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	// Also behind a last line that lacks its end.
	if err := os.WriteFile(file, text[:len(text)-1], 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Amend(path, observation.Observation{Kind: observation.KindProof, Proof: &observation.Proof{N: 1}}); err != nil {
		t.Fatal(err)
	}
	if got := observations(t, path); got != 3 {
		t.Errorf("%d observations, want 3", got)
	}
	if err := Amend(path, observation.Observation{Kind: observation.KindProof}); err == nil {
		t.Error("a line that is no observation was added")
	}
}
