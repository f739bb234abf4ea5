// This file is which connection a request takes, and what becomes of it
// afterwards: the policies.

package http1

import (
	"slices"

	"assay/internal/wire"
)

// A seat is the connections of one holder.
type seat struct {
	idle   []*conn
	ending int // those whose answers are read to their ends: they come back at once, or never
}

// take returns an unused connection that stands, or nil.
func (p *Pool) take(holder uint64) *conn {
	for {
		c, low := p.pop(holder)
		p.signal(low)
		if c == nil || c.alive() {
			return c
		}
		p.drop(c)
	}
}

// pop takes a connection out of those that the request may use; low tells that
// too few are left.
func (p *Pool) pop(holder uint64) (c *conn, low bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed || p.cfg.Policy == wire.PerRequest:
		return nil, false
	case p.cfg.Policy == wire.Sticky:
		s := p.held[holder]
		if s == nil {
			p.held[holder] = &seat{} // it is known from here on
			return nil, false
		}
		for len(s.idle) == 0 && s.ending > 0 {
			p.back.Wait()
		}
		return last(&s.idle), false
	}
	low = len(p.idle) <= p.spare // this one taken, there will be too few
	return last(&p.idle), low
}

// last takes the last connection of a list, or none.
func last(list *[]*conn) *conn {
	n := len(*list)
	if n == 0 {
		return nil
	}
	c := (*list)[n-1]
	*list = slices.Delete(*list, n-1, n)
	return c
}

// put makes a connection available, or closes it if it can't be kept.
func (p *Pool) put(c *conn, holder uint64) {
	if !p.keep(c, holder) {
		p.drop(c)
	}
}

func (p *Pool) keep(c *conn, holder uint64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.all[c]; !known || p.closed {
		return false
	}
	switch p.cfg.Policy {
	case wire.PerRequest:
		return false
	case wire.Sticky:
		s := p.held[holder]
		if s != nil { // else it was forgotten while its last answer ended
			s.idle = append(s.idle, c)
		}
		return s != nil
	}
	if p.cfg.MaxIdle > 0 && len(p.idle) >= p.cfg.MaxIdle {
		return false
	}
	p.idle = append(p.idle, c)
	return true
}

// Forget closes what a holder keeps: it sends no more.
func (p *Pool) Forget(holder uint64) {
	p.mu.Lock()
	s := p.held[holder]
	delete(p.held, holder)
	p.mu.Unlock()
	if s == nil {
		return
	}
	for _, c := range s.idle {
		p.drop(c)
	}
}

// Over says that the answer is read to its end now, so that the holder's next
// request waits for this connection instead of making another one.
func (x *Exchange) Over() {
	if p := x.pool; p.cfg.Policy == wire.Sticky && !x.ending {
		x.ending = true
		p.mu.Lock()
		defer p.mu.Unlock()
		if x.seat = p.held[x.terms.Holder]; x.seat != nil {
			x.seat.ending++
		}
	}
}

// returned is the end of what Over began.
func (x *Exchange) returned() {
	if x.seat == nil {
		return
	}
	x.pool.mu.Lock()
	defer x.pool.mu.Unlock()
	x.seat.ending--
	x.pool.back.Broadcast()
}
