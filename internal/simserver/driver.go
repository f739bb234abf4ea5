package simserver

import (
	"sync"

	"assay/internal/sim"
)

// A driver runs the engine in real time: one loop for all replies sleeps until
// the engine's next instant and writes what is due, without ever waiting for a
// client. One thread that writes costs half of what waking a goroutine for
// each event does.
type driver struct {
	clock clock
	alarm *alarm

	mu      sync.Mutex
	engine  sim.Engine
	streams map[uint64]*reply
	touched []*reply // those that the engine has emitted to and nobody has pumped yet
	spare   []*reply
	last    uint64
	armed   int64 // what the alarm is set to
	woke    int64 // when it last went off
	vigil   vigil
	metrics metrics
	closed  bool
}

func newDriver(c clock, engine sim.Engine) (*driver, error) {
	a, err := newAlarm(c)
	if err != nil {
		return nil, err
	}
	return &driver{
		clock: c, alarm: a, engine: engine, streams: map[uint64]*reply{},
		armed: sim.Never, vigil: newVigil(c.now()), metrics: newMetrics(),
	}, nil
}

// run drives until close.
func (d *driver) run() {
	for d.alarm.wait(d.arm) == nil {
		woke := d.clock.now()
		now := woke
		for d.near(now) {
			now = d.clock.now()
		}
		d.advance(now, now-woke)
	}
}

// near tells whether the next instant is still to come, and so soon that it is
// not worth sleeping: the alarm was early by intention.
func (d *driver) near(now int64) bool {
	d.mu.Lock()
	next, near := d.engine.Next(), !d.closed
	near = near && now < next && d.armed < next && next-now <= early
	d.mu.Unlock()
	return near
}

// advance has the engine emit what is due, and writes it.
func (d *driver) advance(now, watched int64) {
	d.mu.Lock()
	d.vigil.spent(watched)
	d.woke = now
	if d.closed {
		d.mu.Unlock()
		return
	}
	d.engine.Advance(now, d.hand)
	touched := d.touched
	d.touched, d.spare = d.spare[:0], nil
	d.mu.Unlock()
	pump(touched)
	d.mu.Lock()
	d.spare = touched
	d.mu.Unlock()
}

func pump(touched []*reply) {
	for i, r := range touched {
		touched[i] = nil
		r.pump()
	}
}

// rest is the least time from one waking to the next. A timer costs more than
// a write, above all in a virtual machine, so events that are closer together
// leave together, late by no more than this. One that is alone is not late.
const rest = 100_000

// arm sets the alarm to the engine's next instant.
func (d *driver) arm() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return
	}
	d.armed = d.engine.Next()
	if d.armed != sim.Never {
		lead := d.vigil.lead(d.clock.now())
		if d.armed-d.woke < 2*early {
			lead = 0 // no core has gone to sleep since
		}
		d.armed = max(d.armed-lead, d.woke+rest)
	}
	d.alarm.set(d.armed)
}

// hand gives an emission to its reply. d.mu is held, so that the emissions of
// a reply are queued in their order, whoever made the engine emit them.
func (d *driver) hand(e sim.Emission) {
	r := d.streams[e.ID]
	if r == nil {
		return
	}
	d.metrics.emitted(&r.account, e)
	if e.Last {
		delete(d.streams, e.ID)
		d.metrics.finished(&r.account, e.At, r.reason(r.account.output))
	}
	r.push(e)
	d.touched = append(d.touched, r)
}

// admit starts a reply whose request was accepted at the instant given, and
// returns the instant from which the engine counts it; false when the server
// has ended.
func (d *driver) admit(accepted int64, q sim.Request, r *reply) (at int64, ok bool) {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return accepted, false
	}
	d.last++
	q.ID, r.id = d.last, d.last
	r.account = account{input: q.Input, admitted: accepted}
	d.streams[q.ID] = r
	at = d.engine.Admit(accepted, q, d.hand)
	if next := max(d.engine.Next(), d.woke+rest); next < d.armed {
		d.armed = next
		d.alarm.set(next)
	}
	touched := d.touched
	d.touched = nil
	d.mu.Unlock()
	pump(touched)
	return at, true
}

// cancel forgets a reply whose client has gone.
func (d *driver) cancel(r *reply) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.streams[r.id] == r {
		delete(d.streams, r.id)
		now := d.clock.now()
		d.engine.Cancel(now, r.id)
		d.metrics.finished(&r.account, now, "abort")
	}
}

// close ends run and admits nothing more. Replies under way end with their
// connections.
func (d *driver) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	clear(d.streams)
	d.alarm.close()
}
