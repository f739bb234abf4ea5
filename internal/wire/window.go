// This file holds the bytes of a body that were read and not yet understood,
// and knows where in the connection's stream they lay. The framings of events
// (sse, jsonlines) are built on it.

package wire

// An Event is one message of a streamed reply. Name and Data lie in the
// scanner's buffer: they are valid until it is asked for its Buffer again.
type Event struct {
	Name []byte // "" in framings without names
	Data []byte
	// End is the connection's offset just past the event's last byte; what
	// ArrivedAt answers for it is the event's arrival.
	End uint64
}

const (
	// MaxEvent bounds one event: what is larger is an error, not memory.
	MaxEvent = 1 << 20

	firstSize = 4 << 10
	keepSize  = 32 << 10 // a buffer that grew beyond is not kept for the next reply
	leastFree = 1 << 10
)

// A Window is that stretch of bytes. Its zero value is empty and ready.
type Window struct {
	buf  []byte
	from int // first byte not consumed
	to   int // end of the bytes held
	end  uint64
}

// Reset empties the window for another reply.
func (w *Window) Reset() {
	if cap(w.buf) > keepSize {
		w.buf = nil
	}
	w.from, w.to, w.end = 0, 0, 0
}

// Buffer is free space to read into, never empty. It may move the bytes held.
func (w *Window) Buffer() []byte {
	switch {
	case w.buf == nil:
		w.buf = make([]byte, firstSize)
	case w.from == w.to:
		w.from, w.to = 0, 0
	case len(w.buf)-w.to < leastFree:
		w.room()
	}
	return w.buf[w.to:]
}

func (w *Window) room() {
	held := w.buf[w.from:w.to]
	if len(w.buf)-len(held) < max(leastFree, len(w.buf)/4) {
		w.buf = make([]byte, 2*len(w.buf))
	}
	copy(w.buf, held)
	w.from, w.to = 0, len(held)
}

// Size is the memory that the window has, in bytes.
func (w *Window) Size() int { return len(w.buf) }

// Advance says what was read into Buffer.
func (w *Window) Advance(p Piece) {
	w.to += p.N
	w.end = p.End
}

// Held are the bytes not consumed. They may be rewritten in place.
func (w *Window) Held() []byte { return w.buf[w.from:w.to] }

// Consume drops the first n bytes held. They stay readable until Buffer.
func (w *Window) Consume(n int) { w.from += n }

// OffsetOf is the connection's offset of the i-th byte held. It is right for
// bytes of the last piece; an event always ends there, provided that every
// event was taken before the next piece was read.
func (w *Window) OffsetOf(i int) uint64 { return w.end - uint64(w.to-w.from-i) }
