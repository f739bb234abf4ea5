package dispatch

// Closed loop: a fixed number of slots, each sending its next request when the
// one before has ended.

import (
	"context"
	"sync"

	"assay/internal/arrival"
	"assay/internal/record"
)

// closedLoop opens this worker's slots and returns when nothing more will be
// released: the window has ended, the measured requests are used up, or ctx
// ended. What the slots still carry is the drain's.
func (d *Dispatcher) closedLoop(ctx context.Context, s *Stream) error {
	slots := arrival.Slots(s.Concurrency, d.Worker, d.Workers)
	if len(slots) == 0 {
		return nil // fewer slots than workers: this one stays idle
	}
	if s.Pace.isSet() {
		return d.pacedLoop(ctx, s, slots)
	}
	if err := d.Sleep(ctx, 0); err != nil { // the epoch
		return nil
	}
	aheadCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	over := make(chan struct{})
	l := d.newLoop(s, func() { close(over) })
	l.rows = d.ahead(aheadCtx, s, d.dealt(s))
	for _, slot := range slots {
		l.open(slot)
	}
	if s.Requests == 0 {
		_ = d.Sleep(ctx, s.WindowEnd) // an error is the end of ctx: the same
	} else {
		select {
		case <-over:
		case <-ctx.Done():
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// newLoop is a loop without a source of requests; over is called once, when
// nothing more will be released.
func (d *Dispatcher) newLoop(s *Stream, over func()) *loop {
	l := &loop{d: d, s: s, left: -1, over: over}
	if s.Requests > 0 {
		l.left = d.quota(s)
	}
	return l
}

// dealt is the endless sequence of this worker's request numbers: they are
// dealt to slots, so a worker with twice the slots has twice the requests.
func (d *Dispatcher) dealt(s *Stream) func(yield func(arrival.Due) bool) {
	return func(yield func(arrival.Due) bool) {
		for seq := uint64(0); ; seq++ {
			if arrival.OwnsSlot(seq, s.Concurrency, d.Worker, d.Workers) && !yield(arrival.Due{Seq: seq}) {
				return
			}
		}
	}
}

// quota is this worker's share of the measured requests.
func (d *Dispatcher) quota(s *Stream) int {
	n := 0
	for seq := range uint64(s.Requests) {
		if arrival.OwnsSlot(seq, s.Concurrency, d.Worker, d.Workers) {
			n++
		}
	}
	return n
}

// loop is the state that the slots of one stream share.
type loop struct {
	d    *Dispatcher
	s    *Stream
	rows <-chan []planned // of slots that share their requests
	over func()

	mu     sync.Mutex
	closed bool      // over was called
	row    []planned // what is left of the one in hand
	left   int       // measured requests not yet released; -1 without a count
	err    error
}

// open has a slot send, from the epoch on, its next request whenever the one
// before has ended. A slot with nothing to send closes.
func (l *loop) open(slot int) {
	var step func(free int64)
	step = func(free int64) {
		f := l.take(nil)
		if f == nil {
			return
		}
		f.Free, f.Due = free, free
		f.sits(slot)
		l.d.counts.Due.Add(1)
		l.d.launch(f, step)
	}
	step(0)
}

// sits says in which slot a request is sent. One of a session is its session's.
func (f *flight) sits(slot int) {
	if f.talk == nil {
		f.holder = uint64(slot) + 1
	}
}

// take decides under the lock whether one more request may go, stamps its
// release, and says which phase it belongs to. The seat is that of a slot
// with a pace.
func (l *loop) take(at *seat) *flight {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.pick(at)
	if f == nil || l.left == 0 {
		l.close()
	}
	return f
}

// close is the end of the releases, under the lock.
func (l *loop) close() {
	if !l.closed {
		l.closed = true
		l.over()
	}
}

// fail ends the loop: a request could not be built.
func (l *loop) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = err
	l.close()
}

// pick is take's decision.
func (l *loop) pick(at *seat) *flight {
	if l.err != nil || l.left == 0 || l.d.stopping.Load() {
		return nil
	}
	if l.s.Requests == 0 && l.d.Now() >= l.s.WindowEnd {
		return nil
	}
	f := l.next(at)
	if f == nil {
		return nil
	}
	f.Release = record.Slot
	f.Released = l.d.Now()
	if f.Released >= l.s.WindowStart {
		f.Phase = record.Measured
		if l.left > 0 {
			l.left--
		}
	}
	return f
}

// next is the request that goes: the seat's own, or the next that all share.
func (l *loop) next(at *seat) *flight {
	if at != nil && l.s.Pace.Own {
		return l.own(at)
	}
	if len(l.row) == 0 {
		if l.row = <-l.rows; l.row == nil {
			return nil
		}
	}
	next := l.row[0]
	l.row = l.row[1:]
	if next.err != nil {
		l.err = next.err
	}
	return next.f
}
