package dispatch

// What a reply may make this client hold. A server that is broken or hostile
// costs the request that met it, never the client: each reply is bounded, and
// so is what all of them hold together.

import (
	"strconv"

	"assay/internal/record"
	"assay/internal/wire"
)

// Bounds are those limits; a field that is 0 has the usual value.
type Bounds struct {
	Events int   // content-bearing events of one streamed reply
	Stream int64 // bytes of one streamed reply, its framing included
	Body   int   // bytes of one reply that is not streamed
	// Memory is what all replies under way may hold together: events, bytes
	// read and not understood, whole bodies. 0: any. A reply that needs more
	// is given up, and this client is to blame.
	Memory int64
}

const (
	maxEvents = 1 << 20 // 16 MiB: ten thousand seconds of a hundred events each
	maxStream = 1 << 30
	maxBody   = 64 << 20

	// firstEvents is the room of a reply whose length nobody knows.
	firstEvents = 64
	// fastEvents is up to where room is doubled; then it grows by a quarter,
	// so that an event costs 20 bytes and not 32.
	fastEvents = 256
	// keptEvents is the room that is kept for a later reply; what grew beyond
	// belongs to one reply only.
	keptEvents = 1 << 14
	eventSize  = 16
)

// usual fills in what is not set.
func (b Bounds) usual() Bounds {
	if b.Events == 0 {
		b.Events = maxEvents
	}
	if b.Stream == 0 {
		b.Stream = maxStream
	}
	if b.Body == 0 {
		b.Body = maxBody
	}
	return b
}

// hold counts n more bytes held for a flight and tells whether there is room
// for them; where there is none the reply is this client's fault.
func (d *Dispatcher) hold(f *flight, n int64) bool {
	f.held += n
	if d.held.Add(n) <= d.bounds.Memory || d.bounds.Memory == 0 {
		return true
	}
	f.Status = record.Local
	d.blame(f, record.ErrLocal, "the replies under way hold all the memory that this worker may use ("+
		strconv.FormatInt(d.bounds.Memory, 10)+" bytes)")
	return false
}

// release is the end of what a flight holds; memory that grew beyond the usual
// is not kept.
func (d *Dispatcher) release(f *flight) {
	d.held.Add(-f.held)
	f.held = 0
	if cap(f.Events) > keptEvents {
		f.Events = nil
	}
}

// begin counts what a flight holds from the start: the memory of an earlier one.
func (d *Dispatcher) begin(f *flight) {
	f.window = f.scanner.Size()
	f.held = int64(cap(f.Events)*eventSize + f.window)
	d.held.Add(f.held)
}

// room makes room for one more event, or ends the reply.
func (d *Dispatcher) room(f *flight) bool {
	n := len(f.Events)
	if n >= d.bounds.Events {
		d.fault(f, record.ErrBodyTooLarge, "the reply has more than "+strconv.Itoa(d.bounds.Events)+" events")
		return false
	}
	size := min(max(firstEvents, n+n/4, min(2*n, n+fastEvents)), d.bounds.Events)
	if !d.hold(f, int64(size-cap(f.Events))*eventSize) {
		return false
	}
	f.Events = append(make([]record.Event, 0, size), f.Events...)
	return true
}

// fits tells whether what has been read of a streamed reply is within bounds,
// or ends the reply.
func (d *Dispatcher) fits(f *flight, p wire.Piece) bool {
	if f.from == 0 {
		f.from = p.End - uint64(p.N)
	}
	if p.End-f.from > uint64(d.bounds.Stream) {
		d.fault(f, record.ErrBodyTooLarge, "the reply is larger than "+strconv.FormatInt(d.bounds.Stream, 10)+" bytes")
		return false
	}
	grown := max(0, f.scanner.Size()-f.window)
	f.window += grown
	if f.talk != nil {
		kept := len(f.decoder.Kept())
		grown += kept - f.kept
		f.kept = kept
	}
	return grown == 0 || d.hold(f, int64(grown))
}
