// This file opens connections ahead of need, so that requests rarely wait for
// one.

package http1

import (
	"context"
	"slices"
	"sync"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
)

const (
	atOnce = 32          // connections being made at the same time
	sweep  = time.Second // how often unused ones are looked at
)

// Warm opens connections until n are unused, where requests share them. It
// returns the first error.
func (p *Pool) Warm(ctx context.Context, n int) error {
	if p.cfg.Policy != wire.Pooled {
		return nil
	}
	missing := n - p.Unused()
	if missing <= 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	var once sync.Once
	var first error
	turns := make(chan struct{}, atOnce)
	for range missing {
		turns <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		wg.Go(func() {
			defer func() { <-turns }()
			c, err := p.connect(ctx, record.None)
			if err != nil {
				once.Do(func() { first = err; cancel() })
				return
			}
			p.put(c, 0)
		})
	}
	wg.Wait()
	if first == nil {
		return ctx.Err()
	}
	return first
}

// Keep holds spare unused connections until ctx ends: it replaces those that
// are taken and those that the server closed. It returns when ctx ends; an
// error of opening one is left to the request that will need it.
func (p *Pool) Keep(ctx context.Context, spare int) {
	if p.cfg.Policy != wire.Pooled {
		return
	}
	if p.cfg.MaxIdle > 0 {
		spare = min(spare, p.cfg.MaxIdle)
	}
	p.mu.Lock()
	p.spare = spare
	p.mu.Unlock()
	tick := time.NewTicker(sweep)
	defer tick.Stop()
	for {
		failed := p.Warm(ctx, spare) != nil
		low := p.low
		if failed {
			low = nil // the next try is at the next tick
		}
		select {
		case <-ctx.Done():
			return
		case <-low:
		case <-tick.C:
			p.prune()
		}
	}
}

// prune drops the unused connections that the server closed. It looks at one
// at a time, so that the others stay in reach.
func (p *Pool) prune() {
	for i := 0; ; {
		c := p.lift(i)
		if c == nil {
			return
		}
		if !c.alive() {
			p.drop(c)
			continue
		}
		p.lay(i, c)
		i++
	}
}

// lift takes the i-th unused connection away, or returns nil.
func (p *Pool) lift(i int) *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i >= len(p.idle) {
		return nil
	}
	c := p.idle[i]
	p.idle = slices.Delete(p.idle, i, i+1)
	return c
}

// lay puts a connection back where it was: those on top were used later.
func (p *Pool) lay(i int, c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		c.close()
		delete(p.all, c)
		return
	}
	p.idle = slices.Insert(p.idle, min(i, len(p.idle)), c)
}

// Unused is how many connections wait for an exchange.
func (p *Pool) Unused() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.idle)
	for _, s := range p.held {
		n += len(s.idle)
	}
	return n
}

// signal tells Keep that a connection was taken and there are too few. It is
// not told of the others: it would wake for every request.
func (p *Pool) signal(low bool) {
	if !low {
		return
	}
	select {
	case p.low <- struct{}{}:
	default:
	}
}
