package dispatch

// Exchanges run in goroutines that take up another when they have ended one: a
// new goroutine would grow its stack anew for each, by copying, which costs as
// much as sending the request.

import (
	"sync"
	"sync/atomic"
)

// keptHands is how many goroutines may wait for something to do. More than
// these have served a burst, and leave.
const keptHands = 128

// An errand is one exchange; freed, if any, is called at the request's end,
// before the connection is cleared for reuse.
type errand struct {
	f     *flight
	freed func(ended int64)
}

// A crew is the goroutines of a dispatcher.
type crew struct {
	errands chan errand // to one that waits
	waiting atomic.Int64
	hands   sync.WaitGroup
}

// launch starts the exchange of f.
func (d *Dispatcher) launch(f *flight, freed func(ended int64)) {
	d.counts.Released.Add(1)
	d.counts.InFlight.Add(1)
	d.flights.Add(1)
	if f.talk != nil && f.turn == 0 {
		f.talk.begin(d, f, freed)
		freed = nil
	}
	e := errand{f, freed}
	select {
	case d.crew.errands <- e:
	default:
		d.crew.hands.Go(func() { d.hand(e) })
	}
}

// hand carries out one errand after another.
func (d *Dispatcher) hand(e errand) {
	for ok := true; ok; e, ok = d.crew.next() {
		d.carry(e.f, e.freed)
		d.flights.Done()
	}
}

// next waits for an errand, if not too many wait already.
func (c *crew) next() (e errand, ok bool) {
	defer c.waiting.Add(-1)
	if c.waiting.Add(1) > keptHands {
		return e, false
	}
	e, ok = <-c.errands
	return e, ok
}

// dismiss ends those that wait, when nothing is launched any more.
func (c *crew) dismiss() {
	close(c.errands)
	c.hands.Wait()
}
