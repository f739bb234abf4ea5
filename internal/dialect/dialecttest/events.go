// Package dialecttest is the suite that every dialect passes, and what tests
// of dialects share. It is handed its splitter of events, so that it stands on
// no transport.
package dialecttest

import (
	"strings"

	"assay/internal/dialect"
	"assay/internal/record"
)

// An Event is one of a stream as a decoder gets it.
type Event struct{ Name, Data []byte }

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
