package calibrate

import (
	"iter"
	"strings"
	"testing"

	"assay/internal/record"
	"assay/internal/run"

	"github.com/google/go-cmp/cmp"
)

const ms = int64(1e6)

// streamed is a measured reply whose events have these stamps and were read
// these many ns later.
func streamed(id string, clock record.Clock, stamps [][2]int64) *record.Record {
	r := record.New("main", 0)
	r.RequestID, r.Phase, r.Status, r.Streamed, r.Clock, r.Sent = id, record.Measured, record.OK, true, clock, 0
	for _, s := range stamps {
		r.Events = append(r.Events, record.NewEvent(s[0], s[0]+s[1], record.Text, 1, true))
	}
	return &r
}

func sequence(all ...*record.Record) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		for _, r := range all {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func TestErrorsAreDistancesFromTheServersLooksAtItsClock(t *testing.T) {
	const epoch = 1000 * ms
	// The server accepted at 2 ms, wrote at 10–11, 20–21 and 30–31 ms. The
	// kernel's stamps are inside, 0.5 ms late, and 1 ms early; user space
	// reads them 3, 0 and 6 ms after.
	r := streamed("a", record.Kernel, [][2]int64{{10*ms + ms/2, 3 * ms}, {21*ms + ms/2, 0}, {29 * ms, 6 * ms}})
	known := map[string]Truth{"a": {Accepted: epoch + 2*ms, Writes: []Write{
		{epoch + 10*ms, epoch + 11*ms}, {epoch + 20*ms, epoch + 21*ms}, {epoch + 30*ms, epoch + 31*ms}}}}
	a, err := Compare(sequence(r), epoch, known)
	if err != nil {
		t.Fatal(err)
	}
	same := func(v float64) *run.ErrorSpread { return &run.ErrorSpread{P50: v, P99: v, Max: v} }
	want := run.CalibratedAccuracy{
		// By hand: user 13.5 − 11. Gaps that could be true: 9 to 11 ms, both
		// times. Kernel 11 and 7.5 → 0 and 1.5; user 8 and 13.5 → 1 and 2.5.
		TTFT:    run.ClockErrors{Kernel: same(0), User: same(2.5)},
		ITL:     run.ClockErrors{Kernel: &run.ErrorSpread{P50: 0, P99: 1.5, Max: 1.5}, User: &run.ErrorSpread{P50: 1, P99: 2.5, Max: 2.5}},
		Sending: same(2), Looks: same(1), Count: 3, Requests: 1, Compared: 1,
	}
	if diff := cmp.Diff(want, a.Accuracy()); diff != "" {
		t.Errorf("Accuracy() (-want +got):\n%s", diff)
	}
}

func TestWhatTheServerNoLongerKnowsIsCountedAndNotGuessed(t *testing.T) {
	one := func(id string) *record.Record { return streamed(id, record.Kernel, [][2]int64{{5, 0}}) }
	warm, failed := one("known"), one("known")
	warm.Phase, failed.Status = record.Warmup, record.Failed
	known := map[string]Truth{"known": {Writes: []Write{{5, 5}}}, "other": {Writes: []Write{{5, 5}, {6, 6}}}}
	a, err := Compare(sequence(one("known"), one("dropped"), one("other"), warm, failed), 0, known)
	if err != nil {
		t.Fatal(err)
	}
	if got := a.Accuracy(); got.Requests != 3 || got.Compared != 1 || got.Count != 1 {
		t.Errorf("%d requests, %d compared, %d events, want 3, 1 and 1", got.Requests, got.Compared, got.Count)
	}
}

func TestAClockThatStampedNothingHasNoErrors(t *testing.T) {
	r := streamed("a", record.User, [][2]int64{{5, 0}})
	a, err := Compare(sequence(r), 0, map[string]Truth{"a": {Writes: []Write{{5, 5}}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := a.Accuracy(); got.TTFT.Kernel != nil || got.TTFT.User == nil || got.ITL.User != nil {
		t.Errorf("Accuracy() = %+v, want errors of user space's TTFT alone", got)
	}
}

func TestTheTruthIsReadByRequestAndOfContentOnly(t *testing.T) {
	known, err := readTruths(strings.NewReader(
		`{"request_id":"a","accepted_ns":7,"events":[{"kind":"head","before_ns":8,"after_ns":9},{"kind":"text","before_ns":10,"after_ns":12}]}` + "\n" +
			`{"request_id":"b","accepted_ns":8,"events":[]}` + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Truth{"a": {Accepted: 7, Writes: []Write{{10, 12}}}, "b": {Accepted: 8}}
	if diff := cmp.Diff(want, known); diff != "" {
		t.Errorf("readTruths (-want +got):\n%s", diff)
	}
	if _, err := readTruths(strings.NewReader(`{"request_id":"a","accep`)); err == nil {
		t.Error("a torn line is read without an error")
	}
}
