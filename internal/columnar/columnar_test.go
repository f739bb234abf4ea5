package columnar

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"assay/internal/record"
	"assay/internal/record/recordtest"
)

var same = cmp.Options{cmp.AllowUnexported(record.Event{}), cmpopts.EquateEmpty()}

func of(all []record.Record) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		for i := range all {
			if !yield(&all[i], nil) {
				return
			}
		}
	}
}

func copies(t interface{ Fatal(...any) }, from iter.Seq2[*record.Record, error]) []record.Record {
	var all []record.Record
	for r, err := range from {
		if err != nil {
			t.Fatal(err)
		}
		c := *r
		c.Events, c.Marks = slices.Clone(r.Events), slices.Clone(r.Marks)
		all = append(all, c)
	}
	return all
}

func TestRecordsSurviveTheFileUnchanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(recordtest.Any(), 0, 40).Draw(t, "records")
		var file bytes.Buffer
		if err := Write(&file, of(want)); err != nil {
			t.Fatal(err)
		}
		got := copies(t, Read(bytes.NewReader(file.Bytes()), int64(file.Len())))
		if diff := cmp.Diff(want, got, same); diff != "" {
			t.Fatalf("(-want +got)\n%s", diff)
		}
	})
}

func TestTheColumnsAreReadableByNameWithAnyReader(t *testing.T) {
	// The library's own mapping to a struct, which knows nothing of our table.
	type row struct {
		Seq      uint64   `parquet:"seq"`
		Stream   string   `parquet:"stream"`
		Session  *string  `parquet:"session,optional"`
		Status   string   `parquet:"status"`
		Due      *int64   `parquet:"due_ns,optional"`
		DNS      *int64   `parquet:"dns_ns,optional"`
		Arrivals []int64  `parquet:"arrivals_ns,list"`
		Kinds    []string `parquet:"kinds,list"`
		Other    []string `parquet:"other_kinds,list"`
	}
	r := recordtest.Sample()
	r.Events = r.Events[:2]
	empty := record.New("main", 42)
	var file bytes.Buffer
	if err := Write(&file, of([]record.Record{r, empty})); err != nil {
		t.Fatal(err)
	}
	got, err := parquet.Read[row](bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	due := int64(1_000_000_000)
	want := []row{
		{
			Seq: 41, Stream: "main", Status: "ok", Due: &due, Arrivals: []int64{1_250_000_000, 1_260_000_000},
			Kinds: []string{"text", "text"}, Other: []string{"role", "finish", "end"},
		},
		{Seq: 42, Stream: "main", Status: "censored"},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestColumnsKeepTheOrderOfTheTable(t *testing.T) {
	var names []string
	for _, path := range schema().Columns() {
		names = append(names, path[0])
	}
	if names[0] != "seq" || names[1] != "stream" || names[len(names)-1] != "dropped" || len(names) != len(columns()) {
		t.Errorf("columns = %v", names)
	}
}

func TestAnErrorOfTheSourceEndsTheFile(t *testing.T) {
	broken := errors.New("journal ends")
	err := Write(io.Discard, func(yield func(*record.Record, error) bool) { yield(nil, broken) })
	if !errors.Is(err, broken) {
		t.Errorf("Write = %v", err)
	}
}

func TestWhatIsNotOurFileIsRefused(t *testing.T) {
	var foreign bytes.Buffer
	if err := parquet.Write(&foreign, []struct{ A int }{{1}}); err != nil {
		t.Fatal(err)
	}
	var ours bytes.Buffer
	if err := Write(&ours, of([]record.Record{recordtest.Sample()})); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"empty": nil, "text": []byte("not a file of this kind at all"), "foreign": foreign.Bytes(), "cut": ours.Bytes()[:ours.Len()-10],
	} {
		failed := false
		for r, err := range Read(bytes.NewReader(data), int64(len(data))) {
			failed = err != nil && r == nil
		}
		if !failed {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestReadingStopsWhenTheReaderHasEnough(t *testing.T) {
	all := make([]record.Record, 100)
	for i := range all {
		all[i] = record.New("main", uint64(i))
	}
	var file bytes.Buffer
	if err := Write(&file, of(all)); err != nil {
		t.Fatal(err)
	}
	n := 0
	for range Read(bytes.NewReader(file.Bytes()), int64(file.Len())) {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("read %d", n)
	}
}

// live is the heap that is in use.
func live() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

func TestMemoryDoesNotGrowWithTheFile(t *testing.T) {
	// 60,000 records of 100 events are 96 MB as they lie in memory, and five
	// row groups of the file.
	const n, perRecord, bound = 60_000, 100, 64 << 20
	before, peak := live(), 0
	var file bytes.Buffer
	err := Write(&file, func(yield func(*record.Record, error) bool) {
		r := recordtest.Sample()
		for i := range uint64(n) {
			r.Seq, r.Events = i, r.Events[:0]
			at := int64(i) * 12_345_677
			for j := range int64(perRecord) {
				at += 9_000_000 + (at^j)%1_999_993
				r.Events = append(r.Events, record.NewEvent(at, at+at%40_000, record.Text, 1, true))
			}
			if i%5000 == 4999 {
				peak = max(peak, live()-file.Cap())
			}
			if !yield(&r, nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("file %d bytes: %.2f bytes an event; writing took at most %d bytes", file.Len(), float64(file.Len())/(n*perRecord), peak-before)
	if got := peak - before; got > bound {
		t.Errorf("writing took %d bytes at its peak, want at most %d", got, bound)
	}
	read, count := 0, 0
	for r, err := range Read(bytes.NewReader(file.Bytes()), int64(file.Len())) {
		if err != nil {
			t.Fatal(err)
		}
		if count++; r.Seq%5000 == 4999 {
			read = max(read, live()-file.Cap())
		}
	}
	if count != n {
		t.Errorf("%d records came back, want %d", count, n)
	}
	t.Logf("reading took at most %d bytes", read-before)
	if got := read - before; got > bound {
		t.Errorf("reading took %d bytes at its peak, want at most %d", got, bound)
	}
}
