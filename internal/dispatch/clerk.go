package dispatch

// Later turns that wait for their instant. One goroutine releases them, since
// a timer for each user who thinks would cost a descriptor each.

import (
	"cmp"
	"container/heap"
	"context"
	"sync"
)

// A pending is a turn that waits: to be encoded, then to be sent.
type pending struct {
	at   int64 // when it is looked at next
	t    *talk
	k    int
	free int64
	f    *flight // once it is encoded
}

// A clerk holds turns by their instants.
type clerk struct {
	mu    sync.Mutex
	line  queue
	woken chan struct{}      // something was added
	wake  context.CancelFunc // ends the sleep under way
}

// add enters a turn. The clerk that sleeps for a later one is woken.
func (c *clerk) add(p *pending) {
	c.mu.Lock()
	defer c.mu.Unlock()
	heap.Push(&c.line, p)
	if c.line[0] != p {
		return
	}
	if c.wake != nil {
		c.wake()
	}
	select {
	case c.woken <- struct{}{}:
	default:
	}
}

// first is the next turn if its instant has come, or if all are to be
// cleared; otherwise the instant until which ctx is to be slept in.
func (c *clerk) first(ctx context.Context, now int64, all bool) (p *pending, nap context.Context, until int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case len(c.line) == 0:
		return nil, nil, 0
	case all || c.line[0].at <= now:
		return heap.Pop(&c.line).(*pending), nil, 0
	}
	nap, c.wake = context.WithCancel(ctx)
	return nil, nap, c.line[0].at
}

// rest ends a nap.
func (c *clerk) rest() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wake()
	c.wake = nil
}

// releaseTurns sends what the clerk holds, each at its instant, until over is
// closed. From the end of ctx on, or when nothing more is released, it gives
// up what is left.
func (d *Dispatcher) releaseTurns(ctx context.Context, over <-chan struct{}) {
	c := &d.clerk
	for {
		all := ctx.Err() != nil || d.stopping.Load()
		p, nap, until := c.first(ctx, d.Now(), all)
		switch {
		case p != nil && p.f == nil && !all:
			go d.encode(p) // the drain waits for it: it counts as a flight
		case p != nil:
			d.send(p)
		case nap != nil:
			_ = d.Sleep(nap, until) // an error is to be woken: it looks again
			c.rest()
		default:
			select {
			case <-c.woken:
			case <-over:
				return
			}
		}
	}
}

// queue is a heap by instant, then by number, so that equals keep an order.
type queue []*pending

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[i].at, q[j].at), cmp.Compare(q[i].t.number, q[j].t.number), cmp.Compare(q[i].k, q[j].k)) < 0
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(*pending)) }
func (q *queue) Pop() any {
	old := *q
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	return last
}
