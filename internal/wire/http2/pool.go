// Package http2 speaks HTTP/2 to one server, over TLS or with prior knowledge,
// on connections that know when each byte arrived. One stream a connection is
// usual, so that the kernel's stamp of a read is the stream's own; with more,
// a stamp is still that of the read that brought the frame's last byte. It
// refuses what http1 refuses: to resend, to follow, to decompress, to wait for
// more when something is there.
package http2

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"slices"
	"sync"
	"time"

	h2 "golang.org/x/net/http2"

	"assay/internal/record"
	"assay/internal/wire"
)

// A Config is what a Pool needs to know.
type Config struct {
	URL  *url.URL    // scheme, host and port of the server
	TLS  *tls.Config // for https; nil: the system's certificates
	Dial func(ctx context.Context, network, addr string) (wire.Conn, wire.DialTimes, error)
	Now  wire.Clock
	// ConnectLimit bounds making a connection, TLS and the server's settings
	// included; 0: only the exchange's own limit does.
	ConnectLimit time.Duration
	Policy       wire.Policy
	Streams      int // at a time on a connection; 0: 1
}

// A Pool is a wire.Pool.
type Pool struct {
	cfg  Config
	addr string
	tls  *tls.Config // nil for http
	low  chan struct{}

	mu     sync.Mutex
	ready  []*conn // with a place to spare; the last one was used last
	spare  int     // places that Keep holds
	held   map[uint64][]*conn
	all    map[*conn]struct{}
	dials  map[*context.CancelFunc]struct{}
	closed bool
}

var errClosed = &wire.Error{Err: errors.Join(wire.ErrAborted, errors.New("the pool is closed"))}

// NewPool returns a pool without connections.
func NewPool(cfg Config) *Pool {
	cfg.Streams = max(1, cfg.Streams)
	p := &Pool{
		cfg: cfg, low: make(chan struct{}, 1), held: map[uint64][]*conn{},
		all: map[*conn]struct{}{}, dials: map[*context.CancelFunc]struct{}{},
	}
	port := cfg.URL.Port()
	if cfg.URL.Scheme == "https" {
		p.tls = &tls.Config{}
		if cfg.TLS != nil {
			p.tls = cfg.TLS.Clone()
		}
		if p.tls.ServerName == "" {
			p.tls.ServerName = cfg.URL.Hostname()
		}
		p.tls.NextProtos = []string{h2.NextProtoTLS}
		p.tls.DynamicRecordSizingDisabled = true // small first records would cut the request into many writes
		if port == "" {
			port = "443"
		}
	}
	if port == "" {
		port = "80"
	}
	p.addr = net.JoinHostPort(cfg.URL.Hostname(), port)
	return p
}

// Open sends a request, as Encode made it, once, on a stream of its own.
func (p *Pool) Open(ctx context.Context, request []byte, t wire.Terms) (wire.Exchange, error) {
	head, body, err := parts(request)
	if err != nil {
		return nil, err
	}
	for {
		x := &Exchange{pool: p, terms: t, wake: make(chan struct{}, 1), last: record.None}
		x.times = wire.Times{
			Ready: record.None, Sent: record.None, Written: record.None, FirstByte: record.None,
			DNS: record.None, Connect: record.None, TLS: record.None, RTT: record.None, Handover: record.None, Reused: true,
		}
		if err := p.seat(ctx, x); err != nil {
			return nil, err
		}
		switch sent, err := x.send(head, body); {
		case !sent: // the connection ended since it was chosen
			x.leave()
		case err != nil:
			x.Abort()
			return nil, err
		default:
			return x, nil
		}
	}
}

// seat gives an exchange its connection.
func (p *Pool) seat(ctx context.Context, x *Exchange) error {
	if x.conn = p.take(x.terms.Holder); x.conn != nil {
		x.times.Ready = p.cfg.Now()
		return nil
	}
	start := p.cfg.Now()
	c, err := p.connect(ctx, x.terms.Until, x.terms.Holder, 1)
	if err != nil {
		return err
	}
	x.conn = c
	x.times.Ready, x.times.Reused = p.cfg.Now(), false
	x.times.DNS, x.times.TLS, x.times.Connect = c.dns, c.shook, x.times.Ready-start
	return nil
}

// take returns a connection with a place to spare, which is taken, or nil.
func (p *Pool) take(holder uint64) *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.wakeKeeper()
	if p.cfg.Policy == wire.PerRequest {
		return nil
	}
	if p.cfg.Policy == wire.Sticky {
		for _, c := range p.held[holder] {
			if c.active < p.places(c) && c.usable() {
				c.active++
				return c
			}
		}
		return nil
	}
	for n := len(p.ready); n > 0; n = len(p.ready) {
		c := p.ready[n-1]
		if !c.usable() {
			p.unlist(c)
			p.shut(c)
			continue
		}
		if c.active++; c.active >= p.places(c) {
			p.unlist(c)
		}
		return c
	}
	return nil
}

// places is how many streams a connection may have.
func (p *Pool) places(c *conn) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return int(min(int64(p.cfg.Streams), int64(c.streamed)))
}

// unlist takes a connection off the list of those with a place; under the lock.
func (p *Pool) unlist(c *conn) {
	if i := slices.Index(p.ready, c); i >= 0 {
		p.ready = slices.Delete(p.ready, i, i+1)
	}
	c.listed = false
}

// shut closes a connection that nobody uses and that won't be used; under the lock.
func (p *Pool) shut(c *conn) {
	if c.active > 0 {
		return
	}
	delete(p.all, c)
	if list := p.held[c.holder]; len(list) > 0 {
		p.held[c.holder] = slices.DeleteFunc(list, func(other *conn) bool { return other == c })
	}
	c.close()
}

// release frees a place, and lists the connection or closes it.
func (p *Pool) release(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.active--
	switch _, known := p.all[c]; {
	case !known:
		c.close()
	case p.closed || c.orphan || p.cfg.Policy == wire.PerRequest || !c.usable():
		if c.listed {
			p.unlist(c)
		}
		p.shut(c)
	case p.cfg.Policy == wire.Pooled && !c.listed:
		p.list(c)
	}
}

func (p *Pool) list(c *conn) {
	c.listed = true
	p.ready = append(p.ready, c)
}

// Forget closes what a holder keeps: it sends no more.
func (p *Pool) Forget(holder uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range slices.Clone(p.held[holder]) {
		c.orphan = true
		p.shut(c)
	}
	delete(p.held, holder)
}

// Close closes the unused connections, and each other one when its last
// exchange ends. No exchange can be opened any more.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.ready = nil
	for c := range p.all {
		c.listed = false
		p.shut(c)
	}
}

// Abort ends every exchange and every connection in the making at once.
func (p *Pool) Abort() {
	p.mu.Lock()
	p.closed = true
	p.ready = nil
	conns := p.all
	p.all = map[*conn]struct{}{}
	for cancel := range p.dials {
		(*cancel)()
	}
	p.mu.Unlock()
	for c := range conns {
		c.mu.Lock()
		if c.err == nil {
			c.err = &wire.Error{Err: wire.ErrAborted}
		}
		err := c.err
		streams := make([]*Exchange, 0, len(c.streams))
		for _, x := range c.streams {
			streams = append(streams, x)
		}
		c.mu.Unlock()
		for _, x := range streams {
			x.fail(err)
		}
		c.close()
	}
}

// Paths appends what TCP says of at most n open connections to into, and tells
// how many are open. Which ones is left to chance.
func (p *Pool) Paths(into []wire.Path, n int) (paths []wire.Path, connections int) {
	p.mu.Lock()
	chosen := make([]*conn, 0, n)
	connections = len(p.all)
	for c := range p.all { // begins anywhere
		if len(chosen) == n {
			break
		}
		chosen = append(chosen, c)
	}
	p.mu.Unlock() // requests do not wait for the answers
	for _, c := range chosen {
		if path, ok := c.way.Path(c.raw, p.cfg.Now()); ok {
			into = append(into, path)
		}
	}
	return into, connections
}
