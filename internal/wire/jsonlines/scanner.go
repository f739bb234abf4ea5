// Package jsonlines takes a body of one JSON value a line apart as its bytes
// come. It understands the framing and nothing of the values; it refuses lines
// beyond wire.MaxEvent. It promises that a line is out as soon as its end is
// in, and that an ordinary line costs no allocation.
package jsonlines

import (
	"bytes"
	"fmt"

	"assay/internal/record"
	"assay/internal/wire"
)

// A Scanner splits one body into lines. Use it like sse.Scanner. Its zero
// value is ready.
type Scanner struct {
	win    wire.Window
	sought int // how far the bytes held were searched for a line's end
	err    error
}

// Reset makes the scanner ready for another body.
func (s *Scanner) Reset() {
	s.win.Reset()
	s.sought, s.err = 0, nil
}

// Buffer is free space to read into, never empty. Events handed out before
// lose their bytes.
func (s *Scanner) Buffer() []byte { return s.win.Buffer() }

// Size is the memory that the scanner has, in bytes.
func (s *Scanner) Size() int { return s.win.Size() }

// Advance says what was read into Buffer.
func (s *Scanner) Advance(p wire.Piece) { s.win.Advance(p) }

// Err is a wire.Error when a line was beyond wire.MaxEvent; nothing comes
// after it.
func (s *Scanner) Err() error { return s.err }

// Next returns the next complete line that is not blank.
func (s *Scanner) Next() (wire.Event, bool) {
	for s.err == nil {
		held := s.win.Held()
		i := bytes.IndexByte(held[s.sought:], '\n')
		if i < 0 {
			s.sought = len(held)
			if len(held) > wire.MaxEvent {
				s.err = &wire.Error{Kind: record.ErrEventTooLarge, Err: fmt.Errorf("a line is larger than %d bytes", wire.MaxEvent)}
			}
			break
		}
		if ev, ok := s.take(s.sought+i, s.sought+i+1); ok {
			return ev, true
		}
	}
	return wire.Event{}, false
}

// Flush returns the last line if the body ended without its end.
func (s *Scanner) Flush() (wire.Event, bool) {
	if s.err != nil {
		return wire.Event{}, false
	}
	n := len(s.win.Held())
	return s.take(n, n)
}

// take ends the line of n bytes, which with its end takes all bytes.
func (s *Scanner) take(n, all int) (wire.Event, bool) {
	data := bytes.TrimSpace(s.win.Held()[:n])
	ev := wire.Event{Data: data, End: s.win.OffsetOf(all)}
	s.win.Consume(all)
	s.sought = 0
	return ev, len(data) > 0
}
