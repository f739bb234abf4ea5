package simserver

import (
	"bufio"
	"encoding/json"
	"io"
	"sync"
	"time"
)

// A Truth is what the server knows of one request: one JSON line of
// /assay/truth. Times are CLOCK_MONOTONIC in ns.
type Truth struct {
	RequestID    string  `json:"request_id"` // the X-Request-ID that came with it
	Endpoint     string  `json:"endpoint"`
	Accepted     int64   `json:"accepted_ns"`          // its last byte had been read
	Arrived      int64   `json:"arrived_ns,omitempty"` // and had arrived, by the kernel's stamp; 0: not told
	ID           uint64  `json:"id"`                   // the engine's; 0: it got none
	Admitted     int64   `json:"admitted_ns"`          // from when the engine counts it
	Limit        int     `json:"limit"`                // most tokens of the reply that the engine was told; 0: as the preset says
	Ended        *int64  `json:"ended_ns"`             // null while in flight
	Cut          bool    `json:"cut"`                  // ended before the reply was complete
	InputTokens  int     `json:"input_tokens"`
	OutputTokens int     `json:"output_tokens"`
	Items        int     `json:"items,omitempty"` // vectors, scores and the like, in an answer that is no text
	Events       []Wrote `json:"events"`
}

// A Wrote is one event: the clock just before and just after its write.
type Wrote struct {
	Kind   string `json:"kind"`             // head, role, text, usage, end; body for a reply that is no stream; raw in a case
	Due    int64  `json:"due_ns,omitempty"` // when the engine meant it to leave; of text and body
	Before int64  `json:"before_ns"`
	After  int64  `json:"after_ns"`
}

// A truthLog keeps the newest requests, bounded by the events they hold.
type truthLog struct {
	mu      sync.Mutex
	limit   int // events
	held    int
	dropped int
	open    int
	entries []*truthEntry // oldest first
	first   int           // of entries
}

// A truthEntry is written by its stream and read by whoever asks.
type truthEntry struct {
	mu    sync.Mutex
	truth Truth
}

func (l *truthLog) begin(t Truth) *truthEntry {
	e := &truthEntry{truth: t}
	if l.limit <= 0 {
		return e
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, e)
	l.open++
	return e
}

// wrote notes an event. The log may be off: then it costs the note and no more.
func (e *truthEntry) wrote(kind string, due, before, after int64) {
	e.mu.Lock()
	e.truth.Events = append(e.truth.Events, Wrote{kind, due, before, after})
	e.mu.Unlock()
}

// admitted notes that the engine has the request.
func (e *truthEntry) admitted(id uint64, at int64, limit int) {
	e.mu.Lock()
	e.truth.ID, e.truth.Admitted, e.truth.Limit = id, at, limit
	e.mu.Unlock()
}

// weight is what the entry costs: its events, and one for itself.
func (e *truthEntry) weight() (weight int, ended bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return 1 + len(e.truth.Events), e.truth.Ended != nil
}

// end closes the entry and lets the oldest go that no longer fit.
func (l *truthLog) end(e *truthEntry, at int64, output int, cut bool) {
	e.mu.Lock()
	e.truth.Ended, e.truth.OutputTokens, e.truth.Cut = &at, output, cut
	e.mu.Unlock()
	weight, _ := e.weight()
	if l.limit <= 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open--
	l.held += weight
	for l.held > l.limit && l.first < len(l.entries) {
		weight, ended := l.entries[l.first].weight()
		if !ended {
			break // still being written: the log is over its limit until it ends
		}
		l.held -= weight
		l.entries[l.first] = nil
		l.first++
		l.dropped++
	}
	if l.first > len(l.entries)/2 {
		l.entries = append([]*truthEntry(nil), l.entries[l.first:]...)
		l.first = 0
	}
}

// settle waits a second at most for requests in flight, so that who asks right
// after his last reply is told all of it.
func (l *truthLog) settle() {
	for range 100 {
		l.mu.Lock()
		open := l.open
		l.mu.Unlock()
		if open == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// snapshot returns what is kept, and how many requests no longer are.
func (l *truthLog) snapshot() (entries []*truthEntry, dropped int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append(entries, l.entries[l.first:]...), l.dropped
}

func writeTruth(w io.Writer, entries []*truthEntry) error {
	out := bufio.NewWriter(w)
	encode := json.NewEncoder(out)
	for _, e := range entries {
		e.mu.Lock()
		t := e.truth
		t.Events = append([]Wrote{}, t.Events...)
		e.mu.Unlock()
		if err := encode.Encode(t); err != nil {
			return err
		}
	}
	return out.Flush()
}
