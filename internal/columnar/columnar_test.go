package columnar

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"os"
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

func TestAFileWithoutALaterColumnIsStillRead(t *testing.T) {
	// Written by the program that knew no round trip: the sample, and a record
	// of which nothing is known.
	data, err := os.ReadFile("testdata/without-rtt.parquet")
	if err != nil {
		t.Fatal(err)
	}
	want := []record.Record{recordtest.Sample(), record.New("main", 42)}
	want[0].RTT, want[0].Handover = record.None, record.None
	got := copies(t, Read(bytes.NewReader(data), int64(len(data))))
	if diff := cmp.Diff(want, got, same); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
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
		RTT      *int64   `parquet:"rtt_ns,optional"`
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
	due, rtt := int64(1_000_000_000), int64(80_000)
	want := []row{
		{
			Seq: 41, Stream: "main", Status: "ok", Due: &due, RTT: &rtt, Arrivals: []int64{1_250_000_000, 1_260_000_000},
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
	if names[0] != "seq" || names[1] != "stream" || names[len(names)-1] != "items" || len(names) != len(columns()) {
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

// live is the heap that is in use. What lies in pools outlives one collection.
func live() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// long yields n records of 100 events, and tells the heap now and then.
func long(n uint64, look func()) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		r := recordtest.Sample()
		for i := range n {
			r.Seq, r.Events = i, r.Events[:0]
			at := int64(i) * 12_345_677
			for j := range int64(100) {
				at += 9_000_000 + (at^j)%1_999_993
				r.Events = append(r.Events, record.NewEvent(at, at+at%40_000, record.Text, 1, true))
			}
			if i%1000 == 999 {
				look()
			}
			if !yield(&r, nil) {
				return
			}
		}
	}
}

func TestMemoryDoesNotGrowWithTheFile(t *testing.T) {
	// Four times the records, in groups of one size: the same memory.
	small, large := group{rows: 1 << 30, events: 100_000}, uint64(8_000)
	peak := func(n uint64) (writing, reading int) {
		var file bytes.Buffer
		before := live()
		look := func(at *int) func() { return func() { *at = max(*at, live()-before-file.Cap()) } }
		if err := write(&file, long(n, look(&writing)), small); err != nil {
			t.Fatal(err)
		}
		count, see := uint64(0), look(&reading)
		for _, err := range Read(bytes.NewReader(file.Bytes()), int64(file.Len())) {
			if err != nil {
				t.Fatal(err)
			}
			if count++; count%1000 == 0 {
				see()
			}
		}
		if count != n {
			t.Errorf("%d records came back, want %d", count, n)
		}
		return writing, reading
	}
	w1, r1 := peak(large / 4)
	w4, r4 := peak(large)
	t.Logf("writing %d and %d bytes, reading %d and %d bytes", w1, w4, r1, r4)
	const slack = 3 << 20
	if w4 > w1+slack || r4 > r1+slack {
		t.Errorf("four times the records took %d instead of %d bytes to write, %d instead of %d to read", w4, w1, r4, r1)
	}
}

func BenchmarkWrite(b *testing.B) {
	for b.Loop() {
		if err := Write(io.Discard, long(1000, func() {})); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100_000, "ns/event")
}
