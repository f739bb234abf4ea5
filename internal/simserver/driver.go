package simserver

import (
	"sync"

	"assay/internal/sim"
)

// A driver runs the engine in real time: one loop for all streams sleeps until
// the engine's next instant and hands what is due to the streams, which write
// it. The loop itself never waits for a client.
type driver struct {
	clock clock
	alarm *alarm

	mu      sync.Mutex
	engine  sim.Engine
	streams map[uint64]*outlet
	last    uint64
	armed   int64 // what the alarm is set to
	vigil   vigil
	closed  bool
}

func newDriver(c clock, engine sim.Engine) (*driver, error) {
	a, err := newAlarm(c)
	if err != nil {
		return nil, err
	}
	return &driver{clock: c, alarm: a, engine: engine, streams: map[uint64]*outlet{}, armed: sim.Never, vigil: newVigil(c.now())}, nil
}

// run drives until close.
func (d *driver) run() {
	for {
		if d.alarm.wait(d.arm) != nil {
			return
		}
		woke := d.clock.now()
		for now := woke; d.advance(now); now = d.clock.now() {
		}
		d.vigil.spent(d.clock.now() - woke)
	}
}

// advance emits what is due, and tells whether the next instant is so near
// that it is not worth sleeping: the alarm was early by intention.
func (d *driver) advance(now int64) (near bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return false
	}
	next := d.engine.Next()
	if next > now {
		return d.armed < next && next-now <= early
	}
	d.engine.Advance(now, d.hand)
	return false
}

// arm sets the alarm to the engine's next instant.
func (d *driver) arm() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return
	}
	d.armed = d.engine.Next()
	if d.armed != sim.Never {
		d.armed -= d.vigil.lead(d.clock.now())
	}
	d.alarm.set(d.armed)
}

// hand gives an emission to its stream. d.mu is held.
func (d *driver) hand(e sim.Emission) {
	o := d.streams[e.ID]
	if o == nil {
		return
	}
	if e.Last {
		delete(d.streams, e.ID)
	}
	o.push(e)
}

// admit starts a reply whose request was accepted at the instant given.
func (d *driver) admit(accepted int64, input, output int, o *outlet) (id uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last++
	id = d.last
	if d.closed {
		o.abort()
		return id
	}
	d.streams[id] = o
	d.engine.Admit(accepted, sim.Request{ID: id, Input: input, Output: output}, d.hand)
	if next := d.engine.Next(); next < d.armed {
		d.armed = next
		d.alarm.set(next)
	}
	return id
}

// cancel forgets a reply whose client has gone.
func (d *driver) cancel(id uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.streams[id] != nil {
		delete(d.streams, id)
		d.engine.Cancel(d.clock.now(), id)
	}
}

// close ends run and every reply.
func (d *driver) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	for _, o := range d.streams {
		o.abort()
	}
	clear(d.streams)
	d.alarm.close()
}

// An outlet is the receiving end of one reply: it queues what is due until the
// stream's goroutine takes it. It serves one reply after another.
type outlet struct {
	mu      sync.Mutex
	queue   []sim.Emission
	aborted bool
	wake    chan struct{}
}

func newOutlet() *outlet { return &outlet{wake: make(chan struct{}, 1)} }

func (o *outlet) push(e sim.Emission) {
	o.mu.Lock()
	o.queue = append(o.queue, e)
	o.mu.Unlock()
	o.signal()
}

func (o *outlet) abort() {
	o.mu.Lock()
	o.aborted = true
	o.mu.Unlock()
	o.signal()
}

func (o *outlet) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// take waits for what is due and appends it to into, which must be empty;
// false when the server ends.
func (o *outlet) take(into []sim.Emission) ([]sim.Emission, bool) {
	for {
		<-o.wake
		o.mu.Lock()
		taken, aborted := append(into, o.queue...), o.aborted
		o.queue = o.queue[:0]
		o.mu.Unlock()
		if aborted {
			return nil, false
		}
		if len(taken) > 0 {
			return taken, true
		}
	}
}
