// Package sse takes a body of server-sent events apart as its bytes come. It
// understands the framing and nothing of the data; it refuses events beyond
// wire.MaxEvent. It promises that an event is out as soon as its blank line is
// in, and that an ordinary event costs no allocation.
package sse

import (
	"bytes"
	"fmt"

	"assay/internal/record"
	"assay/internal/wire"
)

// A Scanner splits one body into events. Use: read into Buffer, Advance, then
// Next until it has no more, and again; Flush at the body's end. Its zero
// value is ready.
type Scanner struct {
	win wire.Window
	at  int // first byte of the line in progress, among those held
	// sought is how far the line in progress was searched for its end.
	sought int

	name, data, note span // of the event in progress, among the bytes held
	named, filled    bool // an event line, a data line was seen
	noted            bool // a comment was seen

	begun  bool // the first line is behind us: no byte order mark any more
	skipLF bool // the line ended in a CR that was the last byte held
	err    error
}

// A span is bytes among those held.
type span struct{ from, to int }

// Reset makes the scanner ready for another body.
func (s *Scanner) Reset() {
	win := s.win
	win.Reset()
	*s = Scanner{win: win}
}

// Buffer is free space to read into, never empty. Events handed out before
// lose their bytes.
func (s *Scanner) Buffer() []byte { return s.win.Buffer() }

// Size is the memory that the scanner has, in bytes.
func (s *Scanner) Size() int { return s.win.Size() }

// Advance says what was read into Buffer.
func (s *Scanner) Advance(p wire.Piece) { s.win.Advance(p) }

// Err is a wire.Error when an event was beyond wire.MaxEvent; nothing comes
// after it.
func (s *Scanner) Err() error { return s.err }

// Next returns the next complete event.
func (s *Scanner) Next() (wire.Event, bool) {
	for s.err == nil {
		line, next, ok := s.line()
		if !ok {
			if len(s.win.Held()) > wire.MaxEvent {
				s.err = &wire.Error{Kind: record.ErrEventTooLarge, Err: fmt.Errorf("an event is larger than %d bytes", wire.MaxEvent)}
			}
			break
		}
		s.at, s.sought = next, next
		if line.from < line.to {
			s.field(line)
			continue
		}
		if ev, ok := s.event(); ok {
			return ev, true
		}
	}
	return wire.Event{}, false
}

// Flush returns the event that the body's end left without its blank line, or
// even without the end of its last line.
func (s *Scanner) Flush() (wire.Event, bool) {
	if s.err != nil {
		return wire.Event{}, false
	}
	if line := s.mark(span{s.at, len(s.win.Held())}); line.from < line.to {
		s.field(line)
	}
	s.at = len(s.win.Held())
	s.sought = s.at
	return s.event()
}

// line finds the end of the line in progress: LF, CR, or CR LF.
func (s *Scanner) line() (line span, next int, ok bool) {
	held := s.win.Held()
	if s.skipLF && s.at < len(held) {
		s.skipLF = false
		if held[s.at] == '\n' {
			s.at++
			s.sought = s.at
		}
	}
	rest := held[s.sought:]
	lf := bytes.IndexByte(rest, '\n')
	if lf >= 0 {
		rest = rest[:lf]
	}
	end := s.sought + lf
	next = end + 1
	if cr := bytes.IndexByte(rest, '\r'); cr >= 0 {
		end = s.sought + cr
		next = end + 1
		switch {
		case next == len(held):
			s.skipLF = true
		case held[next] == '\n':
			next++
		}
	} else if lf < 0 {
		s.sought = len(held)
		return span{}, 0, false
	}
	return s.mark(span{s.at, end}), next, true
}

// mark cuts a byte order mark off the body's first line.
func (s *Scanner) mark(line span) span {
	if !s.begun {
		s.begun = true
		if bytes.HasPrefix(s.win.Held()[line.from:line.to], []byte("\xef\xbb\xbf")) {
			line.from += 3
		}
	}
	return line
}

// field understands one line that is not blank.
func (s *Scanner) field(line span) {
	held := s.win.Held()
	name, value := line, span{line.to, line.to}
	if i := bytes.IndexByte(held[line.from:line.to], ':'); i >= 0 {
		name.to = line.from + i
		value.from = name.to + 1
		if value.from < value.to && held[value.from] == ' ' {
			value.from++
		}
	}
	switch string(held[name.from:name.to]) {
	case "data":
		s.append(value)
	case "event":
		s.name, s.named = value, true
	case "":
		s.note, s.noted = value, true
	}
	s.forget(line)
}

// append joins a further data line to those before, in place: the bytes
// between them hold at least the line end and the field's name.
func (s *Scanner) append(value span) {
	if !s.filled {
		s.data, s.filled = value, true
		return
	}
	held := s.win.Held()
	held[s.data.to] = '\n'
	s.data.to += 1 + copy(held[s.data.to+1:], held[value.from:value.to])
}

// forget lets go of lines that no event needs, so that comments without end
// take no memory. Only the last comment is kept, and nothing else before it.
func (s *Scanner) forget(line span) {
	if s.filled || s.named {
		return
	}
	drop := s.at
	if s.noted && s.note.from >= line.from {
		drop = line.from
	} else if s.noted {
		return
	}
	s.consume(drop)
}

// consume drops bytes held; what remains has other places then.
func (s *Scanner) consume(n int) {
	s.win.Consume(n)
	s.at -= n
	s.sought -= n
	s.note.from -= n
	s.note.to -= n
}

// event ends the event in progress. Without a data line there is none, as the
// specification says, but for one named error: some servers put its text in a
// comment beside.
func (s *Scanner) event() (wire.Event, bool) {
	held := s.win.Held()
	ev := wire.Event{End: s.win.OffsetOf(s.at)}
	if s.named {
		ev.Name = held[s.name.from:s.name.to]
	}
	ok := s.filled
	switch {
	case s.filled:
		ev.Data = held[s.data.from:s.data.to]
	case string(ev.Name) == "error":
		ok = true
		if s.noted {
			ev.Data = held[s.note.from:s.note.to]
		}
	}
	s.consume(s.at)
	s.named, s.filled, s.noted = false, false, false
	return ev, ok
}
