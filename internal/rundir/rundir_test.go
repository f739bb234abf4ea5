package rundir

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"assay/internal/observation"
	"assay/internal/record"
	"assay/internal/record/recordtest"
)

var same = cmp.Options{cmp.AllowUnexported(record.Event{}), cmpopts.EquateEmpty()}

func create(t *testing.T) *Dir {
	t.Helper()
	d, err := Create(filepath.Join(t.TempDir(), "runs", "one"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Release() })
	return d
}

func open(t *testing.T, path string) *Reader {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// some are n records of two streams, in their order.
func some(n int) []record.Record {
	var all []record.Record
	for _, stream := range []string{"agents", "main"} {
		for i := range n / 2 {
			r := recordtest.Sample()
			r.Stream, r.Seq, r.Events = stream, uint64(i), r.Events[:i%20]
			all = append(all, r)
		}
	}
	return all
}

// appendShuffled appends records as workers would: in no order, the last
// stream first.
func appendShuffled(t *testing.T, d *Dir, all []record.Record) {
	t.Helper()
	order := rand.New(rand.NewPCG(1, 2)).Perm(len(all))
	last := slices.Index(order, len(all)-1)
	order[0], order[last] = order[last], order[0]
	if err := d.AppendRecord(record.Append(nil, &all[order[0]])); err != nil {
		t.Fatal(err)
	}
	order = order[1:]
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := w; i < len(order); i += 4 {
				if err := d.AppendRecord(record.Append(nil, &all[order[i]])); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func read(t *testing.T, r *Reader) []record.Record {
	t.Helper()
	var all []record.Record
	for rec, err := range r.Records()() {
		if err != nil {
			t.Fatal(err)
		}
		c := *rec
		c.Events, c.Marks = slices.Clone(rec.Events), slices.Clone(rec.Marks)
		all = append(all, c)
	}
	return all
}

func names(t *testing.T, path string) []string {
	t.Helper()
	entries, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func note(text string) observation.Observation {
	return observation.Observation{T: 5, Kind: observation.KindNote, Note: &observation.Note{Code: "x", Text: text}}
}

func TestARunReadsBackSortedAndItsJournalIsGone(t *testing.T) {
	d := create(t)
	want := some(200)
	appendShuffled(t, d, want)
	if err := d.AppendObservation(note("hello")); err != nil {
		t.Fatal(err)
	}
	if err := d.WriteFile(ContractFile, []byte("version: 1\n")); err != nil {
		t.Fatal(err)
	}
	if err := d.Finish(); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, d.Path()), []string{ContractFile, LogFile, ObservationsFile, RecordsFile}; !slices.Equal(got, want) {
		t.Errorf("files = %v, want %v", got, want)
	}
	r := open(t, d.Path())
	for range 2 { // a source begins anew each time
		if diff := cmp.Diff(want, read(t, r), same); diff != "" {
			t.Fatalf("(-want +got)\n%s", diff)
		}
	}
	obs, err := r.Observations()
	if err != nil || len(obs) != 1 || obs[0].Note.Text != "hello" || !r.Complete() || r.Lost() != 0 {
		t.Errorf("observations = %v, %v; complete %v, lost %d", obs, err, r.Complete(), r.Lost())
	}
	if text, err := r.ContractYAML(); string(text) != "version: 1\n" || err != nil {
		t.Errorf("contract = %q, %v", text, err)
	}
}

func TestARunThatDidNotEndReadsFromItsJournal(t *testing.T) {
	d := create(t)
	want := some(60)
	appendShuffled(t, d, want)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	r := open(t, d.Path())
	if diff := cmp.Diff(want, read(t, r), same); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	obs, err := r.Observations()
	if err != nil || len(obs) != 1 || obs[0].Note.Code != observation.NoteRecovered || r.Complete() {
		t.Errorf("observations = %v, %v", obs, err)
	}
}

func TestATornTailOfTheJournalIsDroppedAndCounted(t *testing.T) {
	d := create(t)
	want := some(10)
	for i := range want {
		if err := d.AppendRecord(record.Append(nil, &want[i])); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(d.Path(), JournalFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	last := record.FrameSize(len(record.Append(nil, &want[9])))
	for name, damaged := range map[string][]byte{
		"cut in the payload": whole[:len(whole)-1],
		"cut in the header":  whole[:len(whole)-last+4],
		"a flipped bit":      append(slices.Clone(whole[:len(whole)-1]), whole[len(whole)-1]^1),
		"zeros after it":     append(slices.Clone(whole), make([]byte, 512)...),
	} {
		if err := os.WriteFile(path, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		r := open(t, d.Path())
		n, lost := 9, int64(len(damaged)-(len(whole)-last))
		if name == "zeros after it" {
			n, lost = 10, 512
		}
		if got := len(read(t, r)); got != n || r.Lost() != lost {
			t.Errorf("%s: %d records, %d bytes lost; want %d, %d", name, got, r.Lost(), n, lost)
		}
		obs, err := r.Observations()
		if err != nil || len(obs) != 2 || obs[0].Note.Code != observation.NoteTornTail || obs[1].Note.Code != observation.NoteRecovered {
			t.Errorf("%s: observations = %v, %v", name, obs, err)
		}
	}
}

func TestWhatIsAppendedLeavesTheProcessWithinASecond(t *testing.T) {
	d := create(t)
	synctest.Test(t, func(t *testing.T) {
		r := recordtest.Sample()
		encoded := record.Append(nil, &r)
		for range 2 {
			before := size(t, d)
			if err := d.AppendRecord(encoded); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			synctest.Wait()
			if got := size(t, d) - before; got != int64(record.FrameSize(len(encoded))) {
				t.Errorf("after a second the journal has %d bytes more, want %d", got, record.FrameSize(len(encoded)))
			}
		}
	})
}

func size(t *testing.T, d *Dir) int64 {
	t.Helper()
	info, err := os.Stat(filepath.Join(d.Path(), JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

func TestAFolderThatExistsIsNotTouched(t *testing.T) {
	path := t.TempDir()
	if _, err := Create(path); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), path) {
		t.Errorf("Create = %v, want ErrExists", err)
	}
	file := filepath.Join(path, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(file); !errors.Is(err, ErrExists) {
		t.Errorf("Create over a file = %v, want ErrExists", err)
	}
	if got := names(t, path); len(got) != 1 {
		t.Errorf("files = %v", got)
	}
}

func TestAFileIsWholeOrTheOneBefore(t *testing.T) {
	path := t.TempDir()
	if err := WriteFile(path, ResultFile, []byte("first")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(path, "."+ResultFile+".tmp"), 0o755); err != nil { // in the way
		t.Fatal(err)
	}
	if err := WriteFile(path, ResultFile, []byte("second")); err == nil {
		t.Error("no error")
	}
	got, err := os.ReadFile(filepath.Join(path, ResultFile))
	if string(got) != "first" || err != nil {
		t.Errorf("file = %q, %v", got, err)
	}
}

func TestWhatIsNoRunIsSaid(t *testing.T) {
	path := t.TempDir()
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "is no run's folder") {
		t.Errorf("Open = %v", err)
	}
}

func TestAppendingAfterTheEndIsAnError(t *testing.T) {
	d := create(t)
	if err := d.Finish(); err != nil {
		t.Fatal(err)
	}
	if err := d.AppendRecord([]byte{1}); !errors.Is(err, os.ErrClosed) {
		t.Errorf("AppendRecord = %v", err)
	}
	if err := d.Close(); err != nil {
		t.Errorf("a second Close = %v", err)
	}
	if got := len(read(t, open(t, d.Path()))); got != 0 {
		t.Errorf("%d records in an empty run", got)
	}
}

func TestIsFullSeesThroughOtherErrors(t *testing.T) {
	if IsFull(nil) || IsFull(errors.New("full")) || IsFull(fmt.Errorf("a: %w", os.ErrClosed)) {
		t.Error("IsFull of another error")
	}
}
