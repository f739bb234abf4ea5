//go:build unix

package rundir

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/observation"
	"assay/internal/record"
)

// dead is the folder of a run that died: its records in the journal, two
// lines of observations, and nobody who holds it.
func dead(t *testing.T, all []record.Record) string { return deadAfter(t, all, "two") }

func deadAfter(t *testing.T, all []record.Record, last string) string {
	t.Helper()
	d := create(t)
	for i := range all {
		if err := d.AppendRecord(record.Append(nil, &all[i])); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{"one", last} {
		if err := d.AppendObservation(note(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(d.WriteFile(ContractFile, []byte("version: 1\n")), d.Release()); err != nil {
		t.Fatal(err)
	}
	return d.Path()
}

// cut takes n bytes off a file's end.
func cut(t *testing.T, path, name string, n int) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path, name))
	if err == nil {
		err = os.WriteFile(filepath.Join(path, name), data[:len(data)-n], 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// codes are the notes of the folder, in order.
func codes(t *testing.T, path string) []string {
	t.Helper()
	obs, err := open(t, path).Observations()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, o := range obs {
		all = append(all, o.Note.Code)
	}
	return all
}

var ended = []string{ContractFile, LogFile, ObservationsFile, RecordsFile}

func TestADeadRunIsMadeWholeAndMarked(t *testing.T) {
	want := some(20)
	last := strings.Repeat("two ", 500) // longer than the notes that take its place
	path := deadAfter(t, want, last)
	lastRecord := record.FrameSize(len(record.Append(nil, &want[19])))
	lastLine, err := observation.Encode(ptr(note(last)))
	if err != nil {
		t.Fatal(err)
	}
	cut(t, path, JournalFile, 5)
	cut(t, path, ObservationsFile, 3)
	got, err := Recover(path)
	if err != nil {
		t.Fatal(err)
	}
	wantDone := Recovery{Records: 19, LostRecords: int64(lastRecord - 5), LostObservations: int64(len(lastLine) + 1 - 3)}
	if got != wantDone {
		t.Errorf("Recover = %+v, want %+v", got, wantDone)
	}
	if files := names(t, path); !slices.Equal(files, ended) {
		t.Errorf("files = %v, want %v", files, ended)
	}
	if diff := cmp.Diff(want[:19], read(t, open(t, path)), same); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got, want := codes(t, path), []string{"x", observation.NoteTornTail, observation.NoteRecovered}; !slices.Equal(got, want) {
		t.Errorf("notes = %v, want %v", got, want)
	}
	obs, err := open(t, path).Observations()
	says := fmt.Sprintf("dropped: %d bytes of records, %d bytes of observations", wantDone.LostRecords, wantDone.LostObservations)
	if err != nil || obs[1].Note.Text != says || obs[2].T != 5 {
		t.Errorf("torn tail says %q, recovered at %d, %v; want %q at the last stamp, 5", obs[1].Note.Text, obs[2].T, err, says)
	}
}

func ptr[T any](v T) *T { return &v }

func TestEveryTornTailOfTheObservationsIsReplacedByTheNotes(t *testing.T) {
	last, err := observation.Encode(ptr(note("two")))
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(last) + 2 { // from nothing to the whole last line
		path := dead(t, some(2))
		cut(t, path, ObservationsFile, n)
		if _, err := mark(path, 0); err != nil {
			t.Fatalf("%d bytes cut: %v", n, err)
		}
		want := []string{"x", "x", observation.NoteRecovered}
		switch {
		case n == len(last)+1:
			want = []string{"x", observation.NoteRecovered}
		case n > 1: // without its newline alone the line is whole
			want = []string{"x", observation.NoteTornTail, observation.NoteRecovered}
		}
		if got := codes(t, path); !slices.Equal(got, want) {
			t.Errorf("%d bytes cut: notes = %v, want %v", n, got, want)
		}
	}
}

func TestRecoveringAgainChangesNothing(t *testing.T) {
	path := dead(t, some(4))
	if _, err := Recover(path); err != nil {
		t.Fatal(err)
	}
	before := content(t, path)
	got, err := Recover(path)
	if err != nil || got != (Recovery{Complete: true}) {
		t.Errorf("Recover = %+v, %v, want complete", got, err)
	}
	if diff := cmp.Diff(before, content(t, path)); diff != "" {
		t.Errorf("(-before +after)\n%s", diff)
	}
}

func content(t *testing.T, path string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range names(t, path) {
		data, err := os.ReadFile(filepath.Join(path, name))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(data)
	}
	return all
}

func TestARecoveryThatWasItselfKilledIsTakenUpAgain(t *testing.T) {
	want := some(6)
	for name, after := range map[string]func(path string){
		"after the mark": func(path string) {
			if _, err := mark(path, 0); err != nil {
				t.Fatal(err)
			}
		},
		"with half a file": func(path string) {
			os.WriteFile(filepath.Join(path, "."+RecordsFile+".tmp"), []byte("PAR1"), 0o644)
		},
		"before the journal was removed": func(path string) {
			journal, err := os.ReadFile(filepath.Join(path, JournalFile))
			if _, e := Recover(path); err != nil || e != nil {
				t.Fatal(err, e)
			}
			os.WriteFile(filepath.Join(path, JournalFile), journal, 0o644)
		},
	} {
		path := dead(t, want)
		after(path)
		if _, err := Recover(path); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if files := names(t, path); !slices.Equal(files, ended) {
			t.Errorf("%s: files = %v, want %v", name, files, ended)
		}
		if got, want := codes(t, path), []string{"x", "x", observation.NoteRecovered}; !slices.Equal(got, want) {
			t.Errorf("%s: notes = %v, want %v", name, got, want)
		}
		if got := len(read(t, open(t, path))); got != len(want) {
			t.Errorf("%s: %d records, want %d", name, got, len(want))
		}
	}
}

func TestARunThatEndedBetweenItsLastTwoStepsIsNotMarked(t *testing.T) {
	d := create(t)
	if err := errors.Join(d.WriteFile(ContractFile, nil), d.AppendObservation(note("one")), d.Finish(), d.Release()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(d.Path(), JournalFile), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := Recover(d.Path())
	if err != nil || !got.Complete {
		t.Errorf("Recover = %+v, %v, want complete", got, err)
	}
	if files := names(t, d.Path()); !slices.Equal(files, ended) {
		t.Errorf("files = %v, want %v", files, ended)
	}
	if got := codes(t, d.Path()); !slices.Equal(got, []string{"x"}) {
		t.Errorf("notes = %v, want the run's own", got)
	}
}

func TestAFolderWhoseRunIsGoingIsLeftAlone(t *testing.T) {
	d := create(t)
	if err := d.WriteFile(ContractFile, nil); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil { // also between the journal's end and the result
		t.Fatal(err)
	}
	before := content(t, d.Path())
	if _, err := Recover(d.Path()); !errors.Is(err, ErrRunning) || !Running(d.Path()) {
		t.Errorf("Recover = %v, running %v, want ErrRunning", err, Running(d.Path()))
	}
	if diff := cmp.Diff(before, content(t, d.Path())); diff != "" {
		t.Errorf("(-before +after)\n%s", diff)
	}
	if err := d.Release(); err != nil {
		t.Fatal(err)
	}
	if _, err := Recover(d.Path()); err != nil || Running(d.Path()) {
		t.Errorf("released: Recover = %v, running %v", err, Running(d.Path()))
	}
}

func TestWhereNothingWasMeasuredNothingIsRecovered(t *testing.T) {
	path := t.TempDir()
	if _, err := Recover(path); err == nil || !strings.Contains(err.Error(), "is no run's folder") {
		t.Errorf("an empty folder: %v", err)
	}
	if err := os.WriteFile(filepath.Join(path, JournalFile), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Recover(path); !errors.Is(err, ErrNothing) {
		t.Errorf("only a journal: %v, want ErrNothing", err)
	}
	if err := os.WriteFile(filepath.Join(path, ObservationsFile), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Recover(path); !errors.Is(err, ErrNothing) {
		t.Errorf("without a contract: %v, want ErrNothing", err)
	}
}

func TestAFolderOfARunThatDidNotBeginIsTakenBack(t *testing.T) {
	d := create(t)
	if err := errors.Join(d.WriteFile(ContractFile, nil), d.AppendObservation(note("one")), d.Discard()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(d.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func TestAFullDiskAtTheEndKeepsTheJournalAndRoomMakesItWhole(t *testing.T) {
	if !alone(t) {
		return
	}
	d := create(t)
	want := some(200)
	appendShuffled(t, d, want)
	if err := errors.Join(d.WriteFile(ContractFile, nil), d.Close()); err != nil {
		t.Fatal(err)
	}
	journal, err := os.ReadFile(filepath.Join(d.Path(), JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	withoutRoom(t, 100, func() {
		if err := d.Finish(); !IsFull(err) {
			t.Errorf("Finish = %v, want a full disk", err)
		}
		if err := d.Release(); err != nil {
			t.Fatal(err)
		}
		if _, err := Recover(d.Path()); !IsFull(err) {
			t.Errorf("Recover without room = %v, want a full disk", err)
		}
	})
	kept, err := os.ReadFile(filepath.Join(d.Path(), JournalFile))
	if err != nil || !bytes.Equal(kept, journal) {
		t.Errorf("the journal changed, %v", err)
	}
	if _, err := Recover(d.Path()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, read(t, open(t, d.Path())), same); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got, want := codes(t, d.Path()), []string{observation.NoteRecovered}; !slices.Equal(got[max(0, len(got)-1):], want) {
		t.Errorf("notes = %v, want %v at the end", got, want)
	}
}
