// Package http1 speaks HTTP/1.1 to one server on connections that know when
// each byte arrived. It refuses to resend a request, to follow a redirect, to
// decompress, and to wait for more when something is there. It promises that a
// body's bytes are handed over as soon as they are read, with their place in
// the stream, and that no silence or flood outlives its limit.
package http1

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"sync"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
)

// A Config is what a Pool needs to know.
type Config struct {
	URL  *url.URL    // scheme, host and port of the server
	TLS  *tls.Config // for https; nil: the system's certificates
	Dial func(ctx context.Context, network, addr string) (wire.Conn, wire.DialTimes, error)
	Now  wire.Clock
	// ConnectLimit bounds making a connection, TLS included; 0: only the
	// exchange's own limit does.
	ConnectLimit time.Duration
	// MaxIdle is how many unused connections are kept; 0: all.
	MaxIdle int
	Policy  wire.Policy
}

// A Pool is a wire.Pool.
type Pool struct {
	cfg  Config
	addr string
	tls  *tls.Config // nil for http
	low  chan struct{}

	mu     sync.Mutex
	idle   []*conn          // the last one was used last
	held   map[uint64]*seat // under Sticky, by holder
	spare  int              // unused ones that Keep holds
	all    map[*conn]struct{}
	dials  map[*dial]struct{}
	closed bool
	back   sync.Cond // a connection of a seat came back, or did not
}

// A dial is a connection in the making.
type dial struct{ cancel context.CancelFunc }

var errClosed = &wire.Error{Err: errors.Join(wire.ErrAborted, errors.New("the pool is closed"))}

// NewPool returns a pool without connections.
func NewPool(cfg Config) *Pool {
	p := &Pool{
		cfg: cfg, addr: address(cfg.URL), low: make(chan struct{}, 1),
		held: map[uint64]*seat{}, all: map[*conn]struct{}{}, dials: map[*dial]struct{}{},
	}
	if cfg.URL.Scheme == "https" {
		p.tls = &tls.Config{}
		if cfg.TLS != nil {
			p.tls = cfg.TLS.Clone()
		}
		if p.tls.ServerName == "" {
			p.tls.ServerName = cfg.URL.Hostname()
		}
		p.tls.NextProtos = []string{"http/1.1"}
		// Small first records would cut the request into many writes.
		p.tls.DynamicRecordSizingDisabled = true
	}
	p.back.L = &p.mu
	return p
}

func address(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = "80"
		if u.Scheme == "https" {
			port = "443"
		}
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// Close closes the unused connections, and each other one when its exchange
// ends. No exchange can be opened any more.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	idle := p.idle
	p.idle = nil
	for holder, s := range p.held {
		idle = append(idle, s.idle...)
		delete(p.held, holder)
	}
	for _, c := range idle {
		delete(p.all, c)
	}
	p.mu.Unlock()
	for _, c := range idle {
		c.close()
	}
}

// Abort ends every exchange and every connection in the making at once: their
// calls return errors that are wire.ErrAborted.
func (p *Pool) Abort() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.idle = nil
	clear(p.held)
	for d := range p.dials {
		d.cancel()
	}
	for c := range p.all {
		c.close()
		delete(p.all, c)
	}
}

// drop closes a connection for good.
func (p *Pool) drop(c *conn) {
	c.close()
	p.mu.Lock()
	delete(p.all, c)
	p.mu.Unlock()
}

// connect makes a connection, within the connect limit and until the
// exchange's end.
func (p *Pool) connect(ctx context.Context, until int64) (*conn, error) {
	ctx, cancel := p.bounded(ctx, until)
	defer cancel()
	d := &dial{cancel}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, errClosed
	}
	p.dials[d] = struct{}{}
	p.mu.Unlock()

	c, err := p.shake(ctx)

	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.dials, d)
	switch {
	case err != nil:
		return nil, p.connectError(err, until)
	case p.closed:
		c.close()
		return nil, errClosed
	}
	p.all[c] = struct{}{}
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
	if p.tls == nil {
		return c, nil
	}
	if err := c.handshake(ctx, p.tls); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// connectError says "timeout" where the exchange's own end came first.
func (p *Pool) connectError(err error, until int64) error {
	if until != record.None && p.cfg.Now() >= until && !errors.Is(err, wire.ErrAborted) {
		return &wire.Error{Kind: record.ErrTimeout, Err: errors.New("the request's time limit passed before there was a connection")}
	}
	return err
}
