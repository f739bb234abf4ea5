// Package dialecttest is the suite that every dialect passes, and what tests
// of dialects share. It has a splitter of server-sent events of its own, so
// that it stands on no transport.
package dialecttest

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"assay/internal/dialect"
	"assay/internal/record"
)

// An Event is a server-sent event as a decoder gets it.
type Event struct{ Name, Data []byte }

// Capture reads a recorded stream. It knows the plain form that recordings
// have: lines end in LF and comments stand alone.
func Capture(t *testing.T, path string) []Event {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var events []Event
	for block := range bytes.SplitSeq(raw, []byte("\n\n")) {
		var e Event
		for line := range bytes.SplitSeq(block, []byte("\n")) {
			if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
				e.Data = append(e.Data, data...)
			} else if name, ok := bytes.CutPrefix(line, []byte("event: ")); ok {
				e.Name = name
			}
		}
		if e.Data != nil {
			events = append(events, e)
		}
	}
	if len(events) == 0 {
		t.Fatalf("%s holds no event", path)
	}
	return events
}

// Events are nameless events with this data.
func Events(data ...string) []Event {
	var events []Event
	for _, d := range data {
		events = append(events, Event{Data: []byte(d)})
	}
	return events
}

// Decode feeds events to a new decoder and returns what each brought and what
// they add up to.
func Decode(d dialect.Dialect, events []Event) ([]dialect.Delta, dialect.Reply) {
	decoder := d.NewDecoder()
	var deltas []dialect.Delta
	for _, e := range events {
		deltas = append(deltas, decoder.Event(e.Name, e.Data))
	}
	return deltas, decoder.Reply()
}

// Kinds are the kinds of deltas in one line: "role text text end".
func Kinds(deltas []dialect.Delta) string {
	var kinds []string
	for _, d := range deltas {
		kinds = append(kinds, d.Kind.String())
	}
	return strings.Join(kinds, " ")
}

// Unknown is the reply of which nothing is known.
var Unknown = dialect.Reply{
	InputTokens: record.NoCount, OutputTokens: record.NoCount,
	Cached: record.NoCount, Reasoning: record.NoCount,
}
