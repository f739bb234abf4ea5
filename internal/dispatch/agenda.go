package dispatch

// An agenda is which slots of a closed loop send next, and when.

import (
	"cmp"
	"container/heap"
	"context"
	"sync"
)

// An agenda holds seats by the instants at which they go. One goroutine walks
// it, whatever the number of seats: a timer each would cost a descriptor each.
type agenda struct {
	mu   sync.Mutex
	line seats
	over bool
	wake context.CancelFunc // of the walker, while it sleeps
}

// add enters a seat at its instant.
func (a *agenda) add(s *seat) {
	a.mu.Lock()
	defer a.mu.Unlock()
	heap.Push(&a.line, s)
	if a.line[0] == s && a.wake != nil {
		a.wake()
	}
}

// close ends the walk: nothing more will be released.
func (a *agenda) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	if a.wake != nil {
		a.wake()
	}
}

// take removes the first seat if its instant has come; else it says when that
// will be, at most end. Not ok: the agenda is closed.
func (a *agenda) take(now, end int64) (s *seat, until int64, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.over:
		return nil, 0, false
	case len(a.line) == 0:
		return nil, end, true
	case a.line[0].at > now:
		return nil, min(a.line[0].at, end), true
	}
	return heap.Pop(&a.line).(*seat), 0, true
}

// sleep waits until the instant, or until there is something earlier to do.
func (a *agenda) sleep(ctx context.Context, sleep Sleep, until int64) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a.mu.Lock()
	if a.over || len(a.line) > 0 && a.line[0].at < until { // since take
		a.mu.Unlock()
		return
	}
	a.wake = cancel
	a.mu.Unlock()
	_ = sleep(ctx, until) // an error is to be woken: the caller looks again
	a.mu.Lock()
	a.wake = nil
	a.mu.Unlock()
}

// seats is a heap by instant, then by number, so that equals keep their order.
type seats []*seat

func (s seats) Len() int { return len(s) }
func (s seats) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(s[i].at, s[j].at), cmp.Compare(s[i].number, s[j].number)) < 0
}
func (s seats) Swap(i, j int) { s[i], s[j] = s[j], s[i] }
func (s *seats) Push(x any)   { *s = append(*s, x.(*seat)) }
func (s *seats) Pop() any {
	old := *s
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*s = old[:len(old)-1]
	return last
}
