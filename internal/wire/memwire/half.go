// This file is one direction of a connection: what was written, and when it
// arrives.

package memwire

import (
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
)

// A segment is what one Write sent. With an end it is the last one.
type segment struct {
	data []byte
	at   int64 // when it arrives, by the network's clock
	end  error // io.EOF, or a reset
}

// A half carries bytes one way. Its waiting is durable in a synctest bubble.
type half struct {
	now    wire.Clock
	delay  func(n int) time.Duration
	window int
	clock  record.Clock

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced at each change
	segments []segment
	held     int // bytes written and not read
	sealed   bool
	last     int64 // arrival of the newest segment: they don't overtake
	readEnd  deadline
	writeEnd deadline
	reader   bool // the reader's side closed
	writer   bool // the writer's side closed
}

type deadline struct {
	set bool
	at  int64
}

func newHalf(now wire.Clock, clock record.Clock, window int, delay func(int) time.Duration) *half {
	if delay == nil {
		delay = func(int) time.Duration { return 0 }
	}
	return &half{
		now: now, delay: delay, window: window, clock: clock,
		changed: make(chan struct{}), last: record.None,
	}
}

func (h *half) broadcast() {
	close(h.changed)
	h.changed = make(chan struct{})
}

// send queues a segment; the caller holds the lock.
func (h *half) send(data []byte, end error) {
	at := h.now() + int64(h.delay(len(data)))
	h.last = max(h.last, at)
	h.segments = append(h.segments, segment{data: data, at: h.last, end: end})
	h.held += len(data)
	h.sealed = h.sealed || end != nil
	h.broadcast()
}

func (h *half) write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for written := 0; ; {
		switch {
		case h.writer:
			return written, net.ErrClosed
		case h.reader:
			return written, syscall.EPIPE
		case h.sealed:
			return written, syscall.ECONNRESET
		case h.writeEnd.passed(h.now()):
			return written, os.ErrDeadlineExceeded
		case written == len(p):
			return written, nil
		}
		n := len(p) - written
		if h.window > 0 {
			n = min(n, h.window-h.held)
		}
		if n > 0 {
			h.send(append([]byte(nil), p[written:written+n]...), nil)
			written += n
			continue
		}
		h.wait(h.writeEnd)
	}
}

// read takes all that has arrived and fits, like a socket; the stamp is the
// last segment's, as the kernel's is.
func (h *half) read(p []byte, wait bool) (int, wire.Stamp, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for {
		now := h.now()
		switch {
		case h.reader:
			return 0, wire.Stamp{}, net.ErrClosed
		case wait && h.readEnd.passed(now):
			return 0, wire.Stamp{}, os.ErrDeadlineExceeded
		}
		if n, stamp := h.take(p, now); n > 0 {
			return n, stamp, nil
		}
		if len(h.segments) > 0 && h.segments[0].at <= now {
			if end := h.segments[0].end; end != nil {
				return 0, wire.Stamp{}, end
			}
			return 0, wire.Stamp{}, nil // p is empty
		}
		if !wait {
			return 0, wire.Stamp{}, wire.ErrWouldBlock
		}
		until := h.readEnd
		if len(h.segments) > 0 && (!until.set || h.segments[0].at < until.at) {
			until = deadline{true, h.segments[0].at}
		}
		h.wait(until)
	}
}

func (h *half) take(p []byte, now int64) (int, wire.Stamp) {
	stamp := wire.Stamp{Read: now, Clock: h.clock}
	n := 0
	for n < len(p) && len(h.segments) > 0 {
		s := &h.segments[0]
		if s.at > now || s.end != nil {
			break
		}
		k := copy(p[n:], s.data)
		n += k
		stamp.Arrived = s.at
		if s.data = s.data[k:]; len(s.data) == 0 {
			h.segments = h.segments[1:]
		}
	}
	if h.clock == record.User {
		stamp.Arrived = now
	}
	if n > 0 {
		h.held -= n
		h.broadcast()
	}
	return n, stamp
}

// wait gives the lock up until something changes or an instant has come.
func (h *half) wait(until deadline) {
	changed := h.changed
	h.mu.Unlock()
	defer h.mu.Lock()
	if !until.set {
		<-changed
		return
	}
	timer := time.NewTimer(time.Duration(until.at - h.now()))
	defer timer.Stop()
	select {
	case <-changed:
	case <-timer.C:
	}
}

func (d deadline) passed(now int64) bool { return d.set && now >= d.at }

func (h *half) setDeadline(d *deadline, t time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	*d = deadline{}
	if !t.IsZero() {
		*d = deadline{true, h.now() + int64(time.Until(t))}
	}
	h.broadcast()
}

// closeWriter ends the direction: what was written still arrives, then end.
func (h *half) closeWriter(end error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.writer = true
	if !h.sealed {
		h.send(nil, end)
	}
}

func (h *half) closeReader() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reader = true
	h.broadcast()
}
