package simserver

import (
	"sync"

	"assay/internal/sim"
)

// An outlet is the way of a reply's emissions to its connection. Whoever
// brings one may write it, but one at a time: who finds the outlet taken leaves
// his in the queue, and who has it goes on until the queue is empty. So the
// driver's loop writes as a rule, and a goroutine of the reply's own takes over
// when a write would have to wait.
type outlet struct {
	mu    sync.Mutex
	queue []sim.Emission // from first on
	first int
	taken bool // somebody writes
	over  bool // nothing more is written
	gone  bool // the client left, or the server ends

	left chan struct{} // closed with gone
	done chan struct{} // closed with over
}

func (o *outlet) push(e sim.Emission) {
	o.mu.Lock()
	if !o.over {
		o.queue = append(o.queue, e)
	}
	o.mu.Unlock()
}

// take claims the outlet, if nobody has it and there is something to write.
func (o *outlet) take() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.taken || o.over || o.first == len(o.queue) {
		return false
	}
	o.taken = true
	return true
}

// next is the oldest emission; without one, or when the client has gone, the
// outlet is nobody's any more. Only who has it may ask.
func (o *outlet) next() (e sim.Emission, ok, gone bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.gone {
		return e, false, true
	}
	if o.first == len(o.queue) {
		o.queue, o.first = o.queue[:0], 0
		o.taken = false
		return e, false, false
	}
	e = o.queue[o.first]
	o.first++
	return e, true, false
}

// end closes the outlet, and reports whether it was open.
func (o *outlet) end() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over {
		return false
	}
	o.over = true
	return true
}

// leave says that nobody listens any more. It reports whether it falls to the
// caller to end the reply: otherwise who writes will.
func (o *outlet) leave() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.gone || o.over {
		return false
	}
	o.gone = true
	close(o.left)
	if o.taken {
		return false
	}
	o.taken = true
	return true
}
