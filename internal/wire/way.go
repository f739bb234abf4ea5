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

// A filler can say when what it was given no longer fitted into the kernel.
type filler interface{ Full() int64 }

// Handover is how long this process took to hand the kernel what that had room
// for: the rest of a long request waits for the network. None: not told.
func Handover(c Conn, sent, written int64) int64 {
	f, ok := c.(filler)
	if !ok {
		return record.None
	}
	if full := f.Full(); full != record.None {
		return max(0, full-sent)
	}
	return written - sent
}
