// This file asks about the connections' paths, seldom: a request has the
// round trip of its connection without a system call of its own.

package wire

import (
	"sync"
	"time"

	"assay/internal/record"
)

// askEvery is how old an answer about a connection may be.
const askEvery = int64(time.Second)

// A teller can say what TCP knows of its way to the peer.
type teller interface{ Path() (Path, bool) }

// A Way is what a connection told last. The exchange on it asks, and whoever
// looks at the pool.
type Way struct {
	mu    sync.Mutex
	known bool // it was asked
	asked int64
	path  Path
	told  bool
}

// Path is what c tells of its way, at most a second ago.
func (w *Way) Path(c Conn, now int64) (Path, bool) {
	t, ok := c.(teller)
	if !ok {
		return Path{}, false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.known || now-w.asked >= askEvery {
		w.known, w.asked = true, now
		w.path, w.told = t.Path()
	}
	return w.path, w.told
}

// A beginner can say when the kernel had taken the first bytes of a write.
type beginner interface{ Begun() int64 }

// Handover is how long this process took, from sent on, to hand the first bytes
// of a request to the kernel; the rest of a long one waits for the network.
// None: not told. What was written before sent does not count.
func Handover(c Conn, sent int64) int64 {
	b, ok := c.(beginner)
	if !ok {
		return record.None
	}
	at := b.Begun()
	if at < sent { // or None, the least of all
		return record.None
	}
	return at - sent
}

// Forget begins a request: what was written on c before is not part of it.
func Forget(c Conn) {
	if b, ok := c.(beginner); ok {
		b.Begun()
	}
}
