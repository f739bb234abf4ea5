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
	slots := len(arrival.Slots(s.Concurrency, d.Worker, d.Workers))
	if slots == 0 {
		return nil // fewer slots than workers: this one stays idle
	}
	if err := d.Sleep(ctx, 0); err != nil { // the epoch
		return nil
	}
	aheadCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	l := &loop{d: d, s: s, rows: d.ahead(aheadCtx, s, d.dealt(s)), left: -1, over: make(chan struct{})}
	if s.Requests > 0 {
		l.left = d.quota(s)
	}
	for range slots {
		l.step(0)
	}
	if s.Requests == 0 {
		_ = d.Sleep(ctx, s.WindowEnd) // an error is the end of ctx: the same
	} else {
		select {
		case <-l.over:
		case <-ctx.Done():
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
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
	rows <-chan []planned
	over chan struct{} // closed when nothing more will be released

	mu     sync.Mutex
	closed bool      // over is closed
	row    []planned // what is left of the one in hand
	left   int       // measured requests not yet released; -1 without a count
	err    error
}

// step releases the slot's next request; free is when the slot was freed. A
// slot with nothing to send closes.
func (l *loop) step(free int64) {
	f := l.take()
	if f == nil {
		return
	}
	f.Free, f.Due = free, free
	l.d.counts.Due.Add(1)
	l.d.launch(f, l.step)
}

// take decides under the lock whether one more request may go, stamps its
// release, and says which phase it belongs to.
func (l *loop) take() *flight {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.pick()
	if (f == nil || l.left == 0) && !l.closed {
		l.closed = true
		close(l.over)
	}
	return f
}

// pick is take's decision, under its lock.
func (l *loop) pick() *flight {
	if l.err != nil || l.left == 0 || l.d.stopping.Load() {
		return nil
	}
	if l.s.Requests == 0 && l.d.Now() >= l.s.WindowEnd {
		return nil
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
		return nil
	}
	f := next.f
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
