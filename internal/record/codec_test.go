package record_test

import (
	"math"
	"os"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"assay/internal/record"
	"assay/internal/record/recordtest"
)

var same = cmp.Options{cmp.AllowUnexported(record.Event{}), cmpopts.EquateEmpty()}

func TestARecordSurvivesTheCodecUnchanged(t *testing.T) {
	var got record.Record // reused, so that nothing may be left over
	rapid.Check(t, func(t *rapid.T) {
		want := recordtest.Any().Draw(t, "record")
		data := record.Append(nil, &want)
		if err := record.Decode(data, &got); err != nil {
			t.Fatal(err)
		}
		if stream, seq, err := record.Key(data); err != nil || stream != want.Stream || seq != want.Seq {
			t.Fatalf("Key = %q, %d, %v", stream, seq, err)
		}
		if diff := cmp.Diff(want, got, same); diff != "" {
			t.Fatalf("(-want +got)\n%s", diff)
		}
	})
}

func TestTheGeneratorKnowsEveryField(t *testing.T) {
	// Else a field that the codecs forget would not be missed.
	last := record.Record{}
	seen := make([]bool, reflect.TypeFor[record.Record]().NumField())
	for i := range 300 {
		last = recordtest.Any().Example(i)
		for f := range seen {
			seen[f] = seen[f] || !reflect.ValueOf(last).Field(f).IsZero()
		}
	}
	for f, ok := range seen {
		if !ok {
			t.Errorf("%s is never drawn", reflect.TypeFor[record.Record]().Field(f).Name)
		}
	}
}

func TestEveryCutOfARecordIsAnError(t *testing.T) {
	r := recordtest.Sample()
	data := record.Append(nil, &r)
	for n := range data {
		var got record.Record
		if err := record.Decode(data[:n], &got); err == nil {
			t.Errorf("cut after %d of %d bytes was read", n, len(data))
		}
	}
	var got record.Record
	if err := record.Decode(append(data, 0), &got); err == nil {
		t.Error("a byte too many was read")
	}
}

func TestARecordOfAnotherVersionIsRefused(t *testing.T) {
	r := recordtest.Sample()
	data := record.Append(nil, &r)
	for _, v := range []byte{0, 8, 99} {
		data[0] = v
		if err := record.Decode(data, &r); err == nil {
			t.Errorf("version %d was read", v)
		}
		if _, _, err := record.Key(data); err == nil {
			t.Errorf("the key of version %d was read", v)
		}
	}
}

func TestARecordOfAnEarlierVersionIsStillRead(t *testing.T) {
	first, second, third, later := recordtest.Sample(), recordtest.Sample(), recordtest.Sample(), recordtest.Sample()
	first.RTT = record.None
	for _, r := range []*record.Record{&first, &second, &third} {
		r.Handover = record.None
	}
	for file, want := range map[string]record.Record{
		"version1.bin": first,  // by the program that knew no round trip
		"version2.bin": second, // by the one that knew no sessions
		"version3.bin": third,  // by the one that knew no handing over
		"version4.bin": later,  // by the one that knew no media
		"version5.bin": later,  // by the one that knew no Retry-After
		"version6.bin": later,  // and by the one that knew no items
	} {
		data, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		got := record.Record{RTT: 5, Turns: 5, Handover: 5, Images: 5, AudioMS: 5, MediaBytes: 5, RetryAfter: 5, Items: 5} // of an earlier record
		if err := record.Decode(data, &got); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if diff := cmp.Diff(want, got, same); diff != "" {
			t.Errorf("%s (-want +got)\n%s", file, diff)
		}
		if stream, seq, err := record.Key(data); err != nil || stream != "main" || seq != 41 {
			t.Errorf("%s: Key = %q, %d, %v", file, stream, seq, err)
		}
	}
}

func TestAMissingStampTakesOneByte(t *testing.T) {
	none, zero := record.New("s", 0), record.New("s", 0)
	zero.Due = math.MaxInt64
	a, b := len(record.Append(nil, &none)), len(record.Append(nil, &zero))
	if b-a != 9 { // the largest varint is ten bytes
		t.Errorf("a missing stamp takes %d bytes less than the longest, want 9", b-a)
	}
}

func TestEncodingAndDecodingAllocateNothingPerEvent(t *testing.T) {
	r := recordtest.Sample()
	var buf []byte
	var back record.Record
	buf = record.Append(buf[:0], &r)
	if err := record.Decode(buf, &back); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { buf = record.Append(buf[:0], &r) }); n != 0 {
		t.Errorf("Append allocates %v times", n)
	}
	// One for each string that is not empty.
	if n := testing.AllocsPerRun(100, func() { record.Decode(buf, &back) }); n > 9 {
		t.Errorf("Decode allocates %v times", n)
	}
}

func FuzzDecode(f *testing.F) {
	r := recordtest.Sample()
	f.Add(record.Append(nil, &r))
	n := record.New("", 0)
	f.Add(record.Append(nil, &n))
	if old, err := os.ReadFile("testdata/version1.bin"); err == nil {
		f.Add(old)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var first, second record.Record
		if record.Decode(data, &first) != nil {
			return
		}
		if err := record.Decode(record.Append(nil, &first), &second); err != nil {
			t.Fatalf("what was decoded can't be encoded: %v", err)
		}
		if diff := cmp.Diff(first, second, same); diff != "" {
			t.Fatalf("(-first +second)\n%s", diff)
		}
	})
}
