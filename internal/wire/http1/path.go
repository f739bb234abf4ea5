// This file tells of the connections' paths.

package http1

import (
	"assay/internal/record"
	"assay/internal/wire"
)

// path is what the connection, below TLS if there is any, tells of its way.
func (c *conn) path(now int64) (wire.Path, bool) { return c.way.Path(c.link.Conn, now) }

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
