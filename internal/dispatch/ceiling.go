package dispatch

// Ceilings of an open loop. A request that finds no place waits, and its
// record says from when on it could have gone: a ceiling changes the load, and
// what it does must be seen.

import (
	"context"
	"sync"

	"assay/internal/arrival"
	"assay/internal/record"
)

// A Ceiling bounds what a stream has under way, over all workers; 0 is no
// bound. Each worker keeps its share, so that the sum is never exceeded. The
// price: one may hold a request back while another has a place to spare.
type Ceiling struct {
	InFlight int // requests
	Prefill  int // of them, those that have no first token yet
}

// places is what requests are dealt to: the tighter bound.
func (c Ceiling) places() int {
	switch {
	case c.InFlight == 0:
		return c.Prefill
	case c.Prefill == 0:
		return c.InFlight
	}
	return min(c.InFlight, c.Prefill)
}

// owns tells whether an open-loop request is this worker's. Under a ceiling
// requests are dealt to its places, as those of a closed loop to slots: a
// worker with twice the places has twice the requests, and one without has
// none.
func (d *Dispatcher) owns(s *Stream, seq uint64) bool {
	if n := s.Ceiling.places(); n > 0 {
		return arrival.OwnsSlot(seq, n, d.Worker, d.Workers)
	}
	return arrival.Stripe(seq, d.Worker, d.Workers)
}

// A gate is one worker's share of a ceiling. Each channel holds the places
// that are free, the longest free first, as the instants at which they became
// so; nil is no bound.
type gate struct{ inFlight, prefill chan int64 }

// gate is nil where the stream has no ceiling.
func (d *Dispatcher) gate(s *Stream) *gate {
	n := s.Ceiling.places()
	if n == 0 {
		return nil
	}
	share := func(of int) chan int64 {
		if of == 0 {
			return nil
		}
		free := make(chan int64, len(arrival.Slots(of, d.Worker, min(d.Workers, n))))
		for range cap(free) {
			free <- record.None
		}
		return free
	}
	return &gate{inFlight: share(s.Ceiling.InFlight), prefill: share(s.Ceiling.Prefill)}
}

// places are those that one request holds.
type places struct{ inFlight, prefill chan int64 }

// enter takes a place under each bound and returns since when both were free;
// not ok: the sending, or the run, ended before.
func (g *gate) enter(ctx context.Context, censored <-chan struct{}) (p places, since int64, ok bool) {
	since = record.None
	for _, free := range []chan int64{g.prefill, g.inFlight} {
		if free == nil {
			continue
		}
		select {
		case at := <-free:
			since = max(since, at)
		case <-ctx.Done():
			return p, 0, false
		case <-censored:
			return p, 0, false
		}
	}
	return places{g.inFlight, g.prefill}, since, true
}

// begun is the first token of the reply, at its instant.
func (p *places) begun(at int64) {
	if p.prefill != nil {
		p.prefill <- at
		p.prefill = nil
	}
}

// leave is the end of the request.
func (p *places) leave(at int64) {
	p.begun(at)
	if p.inFlight != nil {
		p.inFlight <- at
		p.inFlight = nil
	}
}

// admit waits until a ceiling lets a request that is due go; false: it never does.
func (d *Dispatcher) admit(ctx context.Context, g *gate, f *flight) bool {
	if g == nil {
		return true
	}
	if d.draining.Load() {
		return false
	}
	var since int64
	var ok bool
	if f.places, since, ok = g.enter(ctx, d.censored); ok && since > f.Due {
		f.Free, f.Release = since, record.Ceiling
	}
	return ok
}

// forgo hands over the record of a request that was due and that a ceiling
// held back until the drain limit: it was never released.
func (d *Dispatcher) forgo(f *flight) {
	f.URL = f.target().URL
	f.Free, f.Release, f.Status = record.None, record.Ceiling, record.Censored
	d.counts.Done.Add(1)
	d.handOver(f)
}

// ceilingEnd is where the window of streams with a ceiling ends; 0 without
// one, or when only the requests end it.
func ceilingEnd(streams []Stream) int64 {
	end := int64(0)
	for i := range streams {
		if streams[i].Ceiling.places() > 0 {
			end = max(end, streams[i].WindowEnd)
		}
	}
	return end
}

// unblock keeps walkers from waiting for a place beyond the drain limit. The
// returned function ends it.
func (d *Dispatcher) unblock(ctx context.Context, streams []Stream, limit int64) (stop func()) {
	end := ceilingEnd(streams)
	if end == 0 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var watch sync.WaitGroup
	watch.Go(func() {
		if d.Sleep(ctx, end+limit) == nil {
			d.Censor(streams)
		}
	})
	return func() { cancel(); watch.Wait() }
}
