// This file is one stream: what the connection's reader has brought of its
// answer, and the caller who takes it.

package http2

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	h2 "golang.org/x/net/http2"

	"assay/internal/record"
	"assay/internal/wire"
)

const (
	// linger is how long Finish waits for the end of an answer whose last event
	// was read: servers send the end of the body in a frame of its own.
	linger = time.Second
	// leftover is how much Finish reads and throws away instead of a reset.
	leftover = 64 << 10
	// maxMarks is how many pieces back ArrivedAt can look.
	maxMarks = 8
)

// A mark says when the body's bytes up to an offset had arrived.
type mark struct {
	end   uint64
	stamp wire.Stamp
}

// An Exchange is a wire.Exchange on a stream of its own.
type Exchange struct {
	pool  *Pool
	conn  *conn
	terms wire.Terms
	times wire.Times
	id    uint32
	wake  chan struct{} // something came; holds one
	timer *time.Timer   // when somebody waits for longer than a limit allows
	over  bool          // its place on the connection is free
	whole atomic.Bool   // the request is sent
	done  atomic.Bool   // Finish or Abort

	window int64 // what may be sent; under the connection's lock

	marks [maxMarks]mark // of what was taken
	newer int
	taken uint64 // body bytes
	owed  uint32 // of them, not yet told to the server

	mu    sync.Mutex
	head  *wire.Head
	begun int64  // when the head had arrived
	data  []byte // body bytes that came and were not taken
	at    int    // of data: the first
	queue []mark // of data, by reads; end is the body's offset
	first int    // of queue
	came  uint64 // body bytes, padding not among them
	last  int64  // when something was read last
	err   error  // the end: io.EOF where it is the proper one
}

// Times are the exchange's stamps so far.
func (x *Exchange) Times() wire.Times { return x.times }

// signal wakes the caller if he waits.
func (x *Exchange) signal() {
	select {
	case x.wake <- struct{}{}:
	default:
	}
}

// fail ends the answer; what came before is still read. The first end counts.
func (x *Exchange) fail(err error) {
	x.mu.Lock()
	if x.err == nil {
		x.err = err
	}
	x.mu.Unlock()
	x.signal()
}

// headers takes a head, an interim one, or trailers.
func (x *Exchange) headers(f *h2.MetaHeadersFrame, stamp wire.Stamp) {
	x.mu.Lock()
	defer x.mu.Unlock()
	defer x.signal()
	x.last = stamp.Read
	status, err := strconv.Atoi(f.PseudoValue("status"))
	switch {
	case x.err != nil:
		return
	case x.head != nil: // trailers
		if !f.StreamEnded() {
			x.err = protocolError("a second head that does not end the answer")
			return
		}
	case f.Truncated:
		x.err = protocolError("the answer's head is longer than %d bytes", maxHead)
		return
	case err != nil || status < 100 || status > 999:
		x.err = protocolError("the answer's head has the status %q", f.PseudoValue("status"))
		return
	case status < 200:
		if f.StreamEnded() {
			x.err = protocolError("the answer ends with the interim status %d", status)
		}
		return
	default:
		x.head = headOf(status, f)
		x.begun = stamp.Arrived
	}
	if f.StreamEnded() {
		x.end()
	}
}

func headOf(status int, f *h2.MetaHeadersFrame) *wire.Head {
	h := &wire.Head{Status: status, Header: http.Header{}, Length: -1}
	for _, field := range f.RegularFields() {
		h.Header.Add(field.Name, field.Value)
	}
	h.ContentType = h.Header.Get("Content-Type")
	if n, err := strconv.ParseInt(h.Header.Get("Content-Length"), 10, 64); err == nil && n >= 0 {
		h.Length = n
	}
	return h
}

// end is the proper end, if all that was told has come; the lock is held.
func (x *Exchange) end() {
	x.err = io.EOF
	if s := x.head.Status; s == http.StatusNoContent || s == http.StatusNotModified {
		return // their length is that of a body that is not sent
	}
	if x.head.Length >= 0 && uint64(x.head.Length) != x.came {
		x.err = protocolError("the body has %d bytes and its head says %d", x.came, x.head.Length)
	}
}

// took takes a frame of the body. Its error ends the connection.
func (x *Exchange) took(f *h2.DataFrame, stamp wire.Stamp) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	defer x.signal()
	x.last = stamp.Read
	if x.err != nil {
		return nil
	}
	if x.head == nil {
		x.err = protocolError("the body comes before the head")
		return nil
	}
	if n := len(f.Data()); n > 0 {
		if len(x.data)-x.at+n > 2*streamWindow {
			return protocolError("the server sends more than it was allowed to")
		}
		if x.at > 0 && len(x.data)+n > cap(x.data) { // what was taken makes room
			x.data, x.at = x.data[:copy(x.data, x.data[x.at:])], 0
		}
		x.data = append(x.data, f.Data()...)
		x.came += uint64(n)
		if k := len(x.queue) - 1; k >= x.first && x.queue[k].stamp == stamp {
			x.queue[k].end = x.came
		} else {
			x.queue = append(x.queue, mark{x.came, stamp})
		}
	}
	x.owed += f.Length - uint32(len(f.Data())) // padding is read by nobody
	if f.StreamEnded() {
		x.end()
	}
	return nil
}

// ArrivedAt is when the byte before offset off of the body had arrived: the
// stamp of the frame that brought it.
func (x *Exchange) ArrivedAt(off uint64) wire.Stamp {
	found := x.newer
	for i := 1; i < maxMarks; i++ {
		at := (x.newer - i + maxMarks) % maxMarks
		if m := &x.marks[at]; m.end < off || m.end == 0 {
			break
		}
		found = at
	}
	return x.marks[found].stamp
}

// Head waits for the answer's head. Interim heads (1xx) are passed over.
func (x *Exchange) Head() (*wire.Head, error) {
	for {
		x.mu.Lock()
		head, begun, err := x.head, x.begun, x.err
		x.mu.Unlock()
		switch {
		case head != nil:
			x.times.FirstByte = begun
			if p, ok := x.conn.way.Path(x.conn.raw, x.conn.now()); ok {
				x.times.RTT = p.RTT
			}
			return head, nil
		case err != nil:
			return nil, where(err, "before the answer")
		}
		if err := x.wait(false); err != nil {
			return nil, err
		}
	}
}

// where adds to an end that came too early how far the answer was.
func where(err error, place string) error {
	var wired *wire.Error
	if errors.As(err, &wired) && wired.Kind == record.ErrReset {
		return &wire.Error{Kind: wired.Kind, Err: fmt.Errorf("%w %s", wired.Err, place)}
	}
	return err
}

// Read reads body bytes that came with one read of the connection.
func (x *Exchange) Read(p []byte) (wire.Piece, error) {
	for {
		n, err := x.copy(p)
		switch {
		case n > 0:
			x.give(n)
			return wire.Piece{N: n, End: x.taken}, nil
		case err != nil:
			if !errors.Is(err, io.EOF) {
				err = where(err, "before the end of the body")
			}
			return wire.Piece{}, err
		case len(p) == 0:
			return wire.Piece{}, nil
		}
		if err := x.wait(true); err != nil {
			return wire.Piece{}, err
		}
	}
}

// copy takes what is there of the oldest read.
func (x *Exchange) copy(p []byte) (int, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.first == len(x.queue) {
		return 0, x.err
	}
	m := &x.queue[x.first]
	n := copy(p, x.data[x.at:][:m.end-x.taken])
	x.at += n
	x.taken += uint64(n)
	if x.marks[x.newer].stamp != m.stamp {
		x.newer = (x.newer + 1) % maxMarks
	}
	x.marks[x.newer] = mark{x.taken, m.stamp}
	if x.taken == m.end {
		if x.first++; x.first == len(x.queue) {
			x.queue, x.first = x.queue[:0], 0
		}
	}
	return n, nil
}

// give tells the server, now and then, that it may send more.
func (x *Exchange) give(n int) {
	x.mu.Lock()
	x.owed += uint32(n)
	owed := x.owed
	if owed < streamWindow/2 || x.err != nil {
		x.mu.Unlock()
		return
	}
	x.owed = 0
	x.mu.Unlock()
	x.conn.word(h2.FrameWindowUpdate, 0, x.id, word(owed)...)
}
