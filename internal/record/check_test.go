package record_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"assay/internal/record"
	"assay/internal/record/recordtest"
)

func TestAPlausibleRecordPassesTheCheck(t *testing.T) {
	r := recordtest.Sample()
	if err := r.Check(); err != nil {
		t.Error(err)
	}
	early := record.New("main", 7) // nothing but its time had come
	early.Due, early.Free = 5, 5
	if err := early.Check(); err != nil {
		t.Error(err)
	}
}

func TestEachBrokenInvariantIsFound(t *testing.T) {
	for name, breakIt := range map[string]func(*record.Record){
		"sent before released":     func(r *record.Record) { r.Sent = r.Released - 1 },
		"ended before sent":        func(r *record.Record) { r.Ended = r.Sent - 1 },
		"free is not due":          func(r *record.Record) { r.Free++ },
		"negative round trip":      func(r *record.Record) { r.RTT = -1 },
		"negative handing over":    func(r *record.Record) { r.Handover = -1 },
		"negative retry after":     func(r *record.Record) { r.RetryAfter = -1 },
		"negative duration":        func(r *record.Record) { r.DNS = -1 },
		"unknown status":           func(r *record.Record) { r.Status = 77 },
		"ok with an error":         func(r *record.Record) { r.ErrorKind = record.ErrIdle },
		"ok without content":       func(r *record.Record) { r.Events = nil },
		"failed without a kind":    func(r *record.Record) { r.Status = record.Failed },
		"first is not an event's":  func(r *record.Record) { r.First++ },
		"last is not an event's":   func(r *record.Record) { r.Last-- },
		"event without content":    func(r *record.Record) { r.Events[3] = record.NewEvent(r.Events[3].Arrived, 0, record.Role, 1, true) },
		"mark with content":        func(r *record.Record) { r.Marks[0].Kind = record.Text },
		"too many marks":           func(r *record.Record) { r.Marks = make([]record.Mark, record.MaxMarks+1) },
		"pictures below none":      func(r *record.Record) { r.Images = -1 },
		"turn 0":                   func(r *record.Record) { r.Turn = 0 },
		"output without a source":  func(r *record.Record) { r.TokenSource = record.NoSource },
		"source without an output": func(r *record.Record) { r.Output = record.NoCount },
		"count below NoCount":      func(r *record.Record) { r.Cached = -2 },
		"bytes that are no text":   func(r *record.Record) { r.FinishReason = "\xff" },
		"a message without bound":  func(r *record.Record) { r.ErrorMessage = strings.Repeat("x", 1<<20) },
	} {
		r := recordtest.Sample()
		breakIt(&r)
		if r.Check() == nil {
			t.Errorf("%s: passes the check", name)
		}
	}
}

func TestAnyTextBecomesAMessageThatFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := string(rapid.SliceOfN(rapid.Byte(), 0, 3*record.MaxMessage).Draw(t, "bytes"))
		got := record.Message(in)
		if len(got) > record.MaxMessage || !utf8.ValidString(got) {
			t.Fatalf("Message(%d bytes) = %d bytes, valid %v", len(in), len(got), utf8.ValidString(got))
		}
		if len(in) <= record.MaxMessage && utf8.ValidString(in) && got != in {
			t.Fatalf("a fitting text was changed")
		}
		if record.Message(got) != got {
			t.Fatalf("Message is not idempotent")
		}
	})
}
