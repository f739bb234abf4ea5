// This file makes connections: for a request that found none, and ahead of
// need, so that this is rare.

package http2

import (
	"context"
	"errors"
	"sync"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
)

const (
	atOnce = 32          // connections being made at the same time
	sweep  = time.Second // how often places are counted again
)

// connect makes a connection with so many places taken.
func (p *Pool) connect(ctx context.Context, until int64, holder uint64, active int) (*conn, error) {
	ctx, cancel := p.bounded(ctx, until)
	defer cancel()
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, errClosed
	}
	p.dials[&cancel] = struct{}{}
	p.mu.Unlock()

	c, err := p.shake(ctx)

	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.dials, &cancel)
	switch {
	case err != nil && until != record.None && p.cfg.Now() >= until && !errors.Is(err, wire.ErrAborted):
		return nil, &wire.Error{Kind: record.ErrTimeout, Err: errors.New("the request's time limit passed before there was a connection")}
	case err != nil:
		return nil, err
	case p.closed:
		c.close()
		return nil, errClosed
	}
	p.all[c] = struct{}{}
	c.active, c.holder = active, holder
	switch {
	case p.cfg.Policy == wire.Sticky:
		p.held[holder] = append(p.held[holder], c)
	case p.cfg.Policy == wire.Pooled && active < p.places(c):
		p.list(c)
	}
	return c, nil
}

func (p *Pool) bounded(ctx context.Context, until int64) (context.Context, context.CancelFunc) {
	limit := time.Duration(-1)
	if p.cfg.ConnectLimit > 0 {
		limit = p.cfg.ConnectLimit
	}
	if until != record.None {
		if left := time.Duration(until - p.cfg.Now()); limit < 0 || left < limit {
			limit = max(left, 0)
		}
	}
	if limit < 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}

func (p *Pool) shake(ctx context.Context) (*conn, error) {
	raw, times, err := p.cfg.Dial(ctx, "tcp", p.addr)
	if err != nil {
		return nil, wire.DialError(err)
	}
	c := newConn(raw, p.cfg.Now)
	c.dns = times.DNS
	if p.tls != nil {
		err = c.handshake(ctx, p.tls)
	}
	if err == nil {
		err = c.begin(ctx)
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// Warm opens connections until n places are unused, where requests share them.
// It returns the first error.
func (p *Pool) Warm(ctx context.Context, n int) error {
	if p.cfg.Policy != wire.Pooled {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	var once sync.Once
	var first error
	turns := make(chan struct{}, atOnce)
	for range (n - p.unused() + p.cfg.Streams - 1) / p.cfg.Streams {
		turns <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		wg.Go(func() {
			defer func() { <-turns }()
			if _, err := p.connect(ctx, record.None, 0, 0); err != nil {
				once.Do(func() { first = err; cancel() })
			}
		})
	}
	wg.Wait()
	if first == nil {
		return ctx.Err()
	}
	return first
}

// Keep holds spare unused places until ctx ends: it replaces those that are
// taken and those that the server closed. An error of opening one is left to
// the request that will need it.
func (p *Pool) Keep(ctx context.Context, spare int) {
	if p.cfg.Policy != wire.Pooled {
		return
	}
	p.mu.Lock()
	p.spare = spare
	p.mu.Unlock()
	tick := time.NewTicker(sweep)
	defer tick.Stop()
	for {
		low := p.low
		if p.Warm(ctx, spare) != nil {
			low = nil // the next try is at the next tick
		}
		select {
		case <-ctx.Done():
			return
		case <-low:
		case <-tick.C:
		}
	}
}

// wakeKeeper tells Keep that there are too few places; under the lock.
func (p *Pool) wakeKeeper() {
	if p.spare == 0 || len(p.ready) >= p.spare {
		return
	}
	select {
	case p.low <- struct{}{}:
	default:
	}
}

// unused counts the places that are free, and drops connections that ended.
func (p *Pool) unused() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for i := len(p.ready) - 1; i >= 0; i-- {
		if c := p.ready[i]; c.usable() {
			n += p.places(c) - c.active
		} else {
			p.unlist(c)
			p.shut(c)
		}
	}
	return n
}

// Unused is how many connections wait for an exchange.
func (p *Pool) Unused() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for c := range p.all {
		if c.active == 0 && c.usable() {
			n++
		}
	}
	return n
}
