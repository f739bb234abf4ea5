// This file asks about the connections' paths, seldom: a request has the
// round trip of its connection without a system call of its own.

package http1

import (
	"sync"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
)

// askEvery is how old an answer about a connection may be.
const askEvery = time.Second

// A teller can say what TCP knows of its way to the peer.
type teller interface{ Path() (wire.Path, bool) }

// A way is what a connection told last. The exchange on it asks, and whoever
// looks at the pool.
type way struct {
	mu    sync.Mutex
	asked int64 // when; record.None: never
	path  wire.Path
	told  bool
}

// path is what the connection tells of its way, at most askEvery ago.
func (c *conn) path(now int64) (wire.Path, bool) {
	t, ok := c.link.Conn.(teller) // below TLS, if there is any
	if !ok {
		return wire.Path{}, false
	}
	w := &c.way
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.asked == record.None || now-w.asked >= int64(askEvery) {
		w.asked = now
		w.path, w.told = t.Path()
	}
	return w.path, w.told
}

// roundTrip is the connection's smallest, or record.None.
func (c *conn) roundTrip() int64 {
	// The head was just read: the time is known.
	if p, ok := c.path(c.link.last); ok {
		return p.RTT
	}
	return record.None
}

// Paths appends what TCP says of at most n open connections to into, and tells
// how many are open. Which ones is left to chance.
func (p *Pool) Paths(into []wire.Path, n int) (paths []wire.Path, connections int) {
	chosen := make([]*conn, 0, n)
	p.mu.Lock()
	connections = len(p.all)
	for c := range p.all { // begins anywhere
		if len(chosen) == n {
			break
		}
		chosen = append(chosen, c)
	}
	p.mu.Unlock() // requests do not wait for the answers
	now := p.cfg.Now()
	for _, c := range chosen {
		if path, ok := c.path(now); ok {
			into = append(into, path)
		}
	}
	return into, connections
}
