package dispatch

// Slots with a pace: they open at instants of their own and pause between
// their requests. A user is such a slot whose requests are his alone.

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
)

// A Pace says when slots send. The zero Pace is that of machines: all at the
// epoch, then each as soon as its last request has ended.
type Pace struct {
	Opens func(slot int) int64 // ns since the epoch of a slot's first request; nil: 0
	// Pause is the time between the end of a slot's request and its next. The
	// pause before the request k (from 1) of a slot has the number
	// k × slots + slot, so that it does not depend on the worker. nil: none.
	Pause func(n uint64) int64
	// Own deals each slot requests of its own: user u of n sends u, u+n, u+2n, …
	// whenever he comes to it. Otherwise slots share theirs, in order.
	Own bool
}

func (p Pace) isSet() bool { return p.Opens != nil || p.Pause != nil || p.Own }

// A seat is one slot of this worker.
type seat struct {
	number int
	at     int64  // when it sends next
	k      uint64 // of its next request, from 0
	next   *flight
	freed  func(ended int64)
}

// seq is what its next request is numbered where seats have their own.
func (s *seat) seq(slots int) uint64 { return s.k*uint64(slots) + uint64(s.number) }

// A paced is the part of a loop whose slots have a pace.
type paced struct {
	*loop
	agenda   agenda
	thinking chan *seat // their next request is to be prepared; of users
}

// pacedLoop is the closed loop of slots with a pace.
func (d *Dispatcher) pacedLoop(ctx context.Context, s *Stream, slots []int) error {
	ctx, cancel := context.WithCancel(ctx)
	p := &paced{thinking: make(chan *seat, len(slots))}
	p.loop = d.newLoop(s, p.agenda.close)
	var helper sync.WaitGroup
	defer helper.Wait()
	defer cancel()
	for _, s := range p.seats(slots) {
		p.queue(s)
	}
	if s.Pace.Own {
		helper.Go(func() { p.prepare(ctx) })
	}
	if d.Sleep(ctx, 0) != nil { // the epoch
		return nil
	}
	if !s.Pace.Own {
		p.rows = d.ahead(ctx, s, d.dealt(s))
	}
	p.walk(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// seats are the slots in the order in which they open.
func (p *paced) seats(slots []int) []*seat {
	list := make([]*seat, len(slots))
	for i, n := range slots {
		s := &seat{number: n}
		if p.s.Pace.Opens != nil {
			s.at = p.s.Pace.Opens(n)
		}
		s.freed = func(ended int64) { p.think(s, ended) }
		list[i] = s
	}
	slices.SortStableFunc(list, func(a, b *seat) int { return cmp.Compare(a.at, b.at) })
	return list
}

// think is what a slot does at the end of its request. Without a pause the
// next goes at once, from here.
func (p *paced) think(s *seat, ended int64) {
	s.k++
	s.at = ended
	if p.s.Pace.Pause != nil {
		s.at += p.s.Pace.Pause(s.seq(p.s.Concurrency))
	}
	if s.at == ended && !p.s.Pace.Own {
		p.send(s)
		return
	}
	p.queue(s)
}

// queue enters the slot in the agenda, that of a user by way of prepare.
func (p *paced) queue(s *seat) {
	if p.s.Pace.Own {
		p.thinking <- s
		return
	}
	p.agenda.add(s)
}

// prepare builds each user's next request while he thinks. It holds no more
// than one of each.
func (p *paced) prepare(ctx context.Context) {
	for {
		select {
		case s := <-p.thinking:
			next, err := p.d.opening(p.s, s.seq(p.s.Concurrency))
			if err != nil {
				p.fail(err)
				return
			}
			s.next = next
			p.agenda.add(s)
		case <-ctx.Done():
			return
		}
	}
}

// walk sends what the agenda says until nothing more may go.
func (p *paced) walk(ctx context.Context) {
	end := int64(math.MaxInt64)
	if p.s.Requests == 0 {
		end = p.s.WindowEnd
	}
	for ctx.Err() == nil && p.d.Now() < end {
		s, until, ok := p.agenda.take(p.d.Now(), end)
		switch {
		case !ok:
			return
		case s != nil:
			p.send(s)
		default:
			p.agenda.sleep(ctx, p.d.Sleep, until)
		}
	}
}

// send releases the slot's next request.
func (p *paced) send(s *seat) {
	f := p.take(s)
	if f == nil {
		return
	}
	f.Free, f.Due = s.at, s.at
	f.sits(s.number)
	p.d.counts.Due.Add(1)
	p.d.launch(f, s.freed)
}

// own is the request that a user's pause was used to build.
func (l *loop) own(s *seat) *flight {
	f := s.next
	s.next = nil
	return f
}
