package measure

// The one pass over the records.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"assay/internal/record"
)

// An Ask is a question that is known before the records are read.
type Ask struct {
	Metric string
	Filter Filter
}

// A Bound is what one request must keep to be good.
type Bound struct {
	Metric string
	Holds  func(value float64) bool
}

// A Stream is what the contract says of a stream and no record tells.
type Stream struct {
	Name      string
	Deadlines Deadlines
	Good      []Bound // per-request bounds; none: the stream knows no goodput
}

// A Query is all that is asked of a run's records.
type Query struct {
	Window  Window
	Streams []Stream
	Asks    []Ask
}

// A Summary answers what was asked, and what every report shows.
type Summary struct {
	Window   Window
	Tokens   Ledger
	Lengths  Lengths
	Errors   []ErrorCount
	Warmup   int64 // requests before the window
	Records  int64 // all of them
	Clamped  int64 // gaps that ran backwards (a step of the clock) and count as 0
	Flow     Flow
	Media    Media
	Throttle Throttle

	streams              map[string]Stream
	records              map[string]int64 // by stream, all phases
	later, laterMeasured map[string]int64 // of them, later turns of sessions
	sessions             map[sessionKey]*session
	cells                map[cellKey]*cell
	order                []*cell // of cells, by their keys
	rows                 []row
	input                cuts
	output               cuts
	position             cuts
}

// A row is one request of the population.
type row struct {
	cell   *cell
	stream string
	seq    uint64
	t      int64 // free: the order of time
	sent   int64 // None when nothing was sent
	left   int64 // None when it was never released
	status record.Status
	turn   int  // of a session, from 1; 0 without one
	held   bool // a ceiling held it back
	good   bool
	values [len(perRequest)]float64 // NaN where the request has none; of requests that succeeded
}

// Summarize reads the records once.
func Summarize(records Records, q Query) (*Summary, error) {
	s := &Summary{
		Window: q.Window, streams: map[string]Stream{}, records: map[string]int64{}, later: map[string]int64{}, laterMeasured: map[string]int64{},
		sessions: map[sessionKey]*session{}, cells: map[cellKey]*cell{},
		input:    newCuts("input", inputCuts, q.Asks),
		output:   newCuts("output", outputCuts, q.Asks),
		position: newCuts("pos", positionCuts, q.Asks),
	}
	for _, st := range q.Streams {
		s.streams[st.Name] = st
	}
	errors := errorTable{}
	for r, err := range records() {
		if err != nil {
			return nil, fmt.Errorf("read records: %w", err)
		}
		s.add(r)
		if r.Phase == record.Measured {
			errors.add(r)
		}
	}
	s.Errors = errors.list()
	s.sort()
	return s, nil
}

// sort brings rows and cells into an order that does not depend on the order
// in which the records were written.
func (s *Summary) sort() {
	slices.SortFunc(s.rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.t, b.t), cmp.Compare(a.stream, b.stream), cmp.Compare(a.seq, b.seq))
	})
	for _, c := range s.cells {
		s.order = append(s.order, c)
	}
	slices.SortFunc(s.order, func(a, b *cell) int {
		return cmp.Or(cmp.Compare(a.stream, b.stream), cmp.Compare(a.endpoint, b.endpoint), cmp.Compare(a.url, b.url),
			cmp.Compare(digit(a.later), digit(b.later)), cmp.Compare(a.input, b.input), cmp.Compare(a.output, b.output),
			cmp.Compare(digit(a.failed), digit(b.failed)))
	})
	for i, c := range s.order {
		c.id = i
	}
}

// StreamRecords is how many records a stream has, all phases.
func (s *Summary) StreamRecords(stream string) int64 { return s.records[stream] }

func digit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (s *Summary) add(r *record.Record) {
	s.Records++
	s.records[r.Stream]++
	s.addSession(r)
	s.Tokens.add(r)
	s.Flow.add(r, s.Window)
	s.Media.add(r, s.Window)
	c := s.cellOf(r)
	s.addRates(c, r)
	if r.Phase != record.Measured {
		s.Warmup++
		return
	}
	s.Lengths.add(r)
	s.Throttle.add(r)
	c.status[min(r.Status, record.Local)]++
	if r.Status == record.OK {
		c.sent += int64(r.Items)
	}
	s.addRow(c, r, s.streams[r.Stream])
	if r.Streamed {
		s.addGaps(c, r)
	}
}

func (s *Summary) cellOf(r *record.Record) *cell {
	in, out := r.Input, r.Output
	if in == record.NoCount {
		in = r.WantInput
	}
	if r.Status != record.OK || out == record.NoCount {
		out = r.WantOutput
	}
	k := cellKey{
		stream: r.Stream, endpoint: r.Endpoint, url: r.URL, later: r.Turn > 1,
		input: s.input.bucket(in), output: s.output.bucket(out), failed: bad(r.Status),
	}
	c := s.cells[k]
	if c == nil {
		c = &cell{cellKey: k, gaps: make([]gapStore, len(s.position)+1)}
		s.cells[k] = c
	}
	return c
}

// bad tells what a percentile objective holds against the server.
func bad(st record.Status) bool { return st == record.Failed || st == record.Censored }

// addRates counts what ended and what arrived inside the window, whatever the
// phase it was due in.
func (s *Summary) addRates(c *cell, r *record.Record) {
	if r.Status == record.OK && s.Window.holds(r.Ended) {
		j := s.Window.slice(r.Ended)
		c.completions[j]++
		c.inputTokens[j] += float64(max(0, prompt(r)))
		c.items[j] += float64(r.Items)
	}
	sum := delivered(r)
	scale := 1.0
	if n := Tokens(r); sum > 0 {
		scale = float64(n) / float64(sum) // a usage that says more than the events do
	} else if n > 0 && r.Last != record.None && s.Window.holds(r.Last) {
		c.outputTokens[s.Window.slice(r.Last)] += float64(n)
	}
	for _, e := range r.Events {
		if s.Window.holds(e.Arrived) {
			c.outputTokens[s.Window.slice(e.Arrived)] += float64(e.Tokens()) * scale
		}
	}
}

func (s *Summary) addRow(c *cell, r *record.Record, stream Stream) {
	w := row{cell: c, stream: r.Stream, seq: r.Seq, t: r.Free, sent: r.Sent, left: left(r), status: r.Status, held: r.Release == record.Ceiling}
	if r.Turns > 0 {
		w.turn = r.Turn
	}
	if w.t == record.None {
		w.t = r.Due
	}
	for i, m := range perRequest {
		w.values[i] = math.NaN()
		if r.Status != record.OK || m.Streamed && !r.Streamed {
			continue
		}
		if v, ok := valueOf(m, r, stream); ok {
			w.values[i] = v
		}
	}
	if w.good = good(&w, stream.Good); w.good {
		c.good++
	}
	s.rows = append(s.rows, w)
}

func valueOf(m Metric, r *record.Record, stream Stream) (float64, bool) {
	if m.of == nil {
		return fluidity(r, stream.Deadlines)
	}
	return m.of(r)
}

// good tells whether a request succeeded and kept every bound. A reply without
// a gap has no stall or pace that could break a bound; any other missing value
// (an answer that never left its reasoning) breaks it.
func good(w *row, bounds []Bound) bool {
	if w.status != record.OK {
		return false
	}
	for _, b := range bounds {
		i := column(b.Metric)
		if i < 0 {
			return false
		}
		v := w.values[i]
		if math.IsNaN(v) && !perRequest[i].Gaps || !math.IsNaN(v) && !b.Holds(v) {
			return false
		}
	}
	return true
}

func prompt(r *record.Record) int64 {
	if r.Input != record.NoCount {
		return int64(r.Input)
	}
	return int64(r.WantInput)
}
