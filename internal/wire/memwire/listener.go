// This file is the place where connections are asked for and accepted.

package memwire

import (
	"context"
	"net"
	"sync"
	"syscall"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
)

// A Listener accepts the connections that its Dial asks for. It is a
// net.Listener, so net/http can serve it.
type Listener struct {
	now  wire.Clock
	link Link

	mu      sync.Mutex
	queue   []*Conn
	changed chan struct{}
	closed  bool
}

// Listen returns a listener; its connections behave as link says.
func Listen(now wire.Clock, link Link) *Listener {
	return &Listener{now: now, link: link, changed: make(chan struct{})}
}

// Dial asks for a connection, and has the signature that http1.Config wants.
// The connection stands after Link.Connect, accepted or not; a closed listener
// refuses it.
func (l *Listener) Dial(ctx context.Context, _, _ string) (wire.Conn, wire.DialTimes, error) {
	times := wire.DialTimes{DNS: record.None, Connect: record.None}
	if l.link.Connect > 0 {
		timer := time.NewTimer(l.link.Connect)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return nil, times, wire.DialError(ctx.Err())
		case <-timer.C:
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, times, wire.DialError(&net.OpError{Op: "dial", Net: "mem", Addr: l.Addr(), Err: syscall.ECONNREFUSED})
	}
	client, server := Pipe(l.now, l.link)
	l.queue = append(l.queue, server)
	close(l.changed)
	l.changed = make(chan struct{})
	times.Connect = int64(l.link.Connect)
	return client, times, nil
}

// Accept waits for a connection. What it returns is a *Conn.
func (l *Listener) Accept() (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		if len(l.queue) > 0 {
			c := l.queue[0]
			l.queue = l.queue[1:]
			return c, nil
		}
		if l.closed {
			return nil, net.ErrClosed
		}
		changed := l.changed
		l.mu.Unlock()
		<-changed
		l.mu.Lock()
	}
}

// Close refuses connections from now on, and cuts those not accepted yet.
func (l *Listener) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	for _, c := range l.queue {
		c.Reset()
	}
	l.queue = nil
	close(l.changed)
	return nil
}

// Addr is the listener's name.
func (l *Listener) Addr() net.Addr { return addr("server") }
