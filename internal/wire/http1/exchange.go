// This file is one request and its answer.

package http1

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
)

const (
	// linger is how long Finish waits for the end of an answer whose last event
	// was read: servers send the end of the body in a write of its own.
	linger = time.Second
	// leftover is how much Finish reads and throws away to keep a connection.
	leftover = 64 << 10
)

// An Exchange is one request on its connection.
type Exchange struct {
	pool     *Pool
	conn     *conn
	terms    wire.Terms
	method   string
	times    wire.Times
	writeErr error
	head     *wire.Head
	keep     bool  // the server keeps the connection
	ending   bool  // Over was called
	seat     *seat // that waits for the connection

	chunk chunker
	left  int64 // bytes of the body still to come; -1: up to the connection's end
	err   error // of the body: io.EOF at its end
	state atomic.Int32
}

// States of an exchange.
const (
	open int32 = iota
	finished
	dropped
)

// Open sends a request, as Encode made it, in one write. It takes an unused
// connection that stands, or makes one. Cancelling ctx ends the making of a
// connection; afterwards only the terms and Abort end the exchange. Nothing
// is ever sent twice.
func (p *Pool) Open(ctx context.Context, request []byte, t wire.Terms) (wire.Exchange, error) {
	x, err := p.send(ctx, request, t)
	if err != nil {
		return nil, err
	}
	return x, nil
}

func (p *Pool) send(ctx context.Context, request []byte, t wire.Terms) (*Exchange, error) {
	x := &Exchange{pool: p, terms: t, method: methodOf(request), left: -1}
	x.times = wire.Times{
		Ready: record.None, Sent: record.None, Written: record.None, FirstByte: record.None,
		DNS: record.None, Connect: record.None, TLS: record.None, RTT: record.None, Handover: record.None, Reused: true,
	}
	c := p.take(t.Holder)
	if c == nil {
		start := p.cfg.Now()
		made, err := p.connect(ctx, t.Until)
		if err != nil {
			return nil, err
		}
		c = made
		x.times.Ready = p.cfg.Now()
		x.times.Reused = false
		x.times.DNS, x.times.TLS, x.times.Connect = c.dns, c.shook, x.times.Ready-start
	} else {
		x.times.Ready = p.cfg.Now()
	}
	x.conn = c
	if err := x.write(request); err != nil {
		x.Abort()
		return nil, err
	}
	return x, nil
}

func (x *Exchange) write(request []byte) error {
	c := x.conn
	if err := c.link.begin(x.terms.Until); err != nil {
		return wire.StreamError(err)
	}
	wire.Forget(c.link.Conn)
	x.times.Sent = x.pool.cfg.Now()
	_, err := c.rw.Write(request)
	if err == nil {
		x.times.Written = x.pool.cfg.Now()
		x.times.Handover = wire.Handover(c.link.Conn, x.times.Sent) // below TLS, if there is any
		return nil
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return &wire.Error{Kind: record.ErrTimeout, Err: errors.New("the request's time limit passed while it was being sent")}
	}
	// A server that refuses a request may answer and close before it has read
	// all of it: the answer says more than the broken pipe.
	x.writeErr = wire.StreamError(err)
	if errors.Is(x.writeErr, wire.ErrAborted) {
		return x.writeErr
	}
	return nil
}

func methodOf(request []byte) string {
	if bytes.HasPrefix(request, []byte("HEAD ")) {
		return "HEAD"
	}
	return "POST" // any method whose answers may have a body
}

// Times are the exchange's stamps so far.
func (x *Exchange) Times() wire.Times { return x.times }

// ArrivedAt is when the byte before offset off of the connection had arrived.
// It knows the bytes of the last Read, and some before.
func (x *Exchange) ArrivedAt(off uint64) wire.Stamp { return x.conn.arrivedAt(off) }

// Head waits for the answer's head. Interim heads (1xx) are passed over.
func (x *Exchange) Head() (*wire.Head, error) {
	if x.head != nil {
		return x.head, nil
	}
	if x.err != nil {
		return nil, x.err
	}
	x.conn.borrow()
	if err := x.readHead(); err != nil {
		if x.writeErr != nil && !errors.Is(err, wire.ErrAborted) {
			err = x.writeErr
		}
		x.err = err
		return nil, err
	}
	return x.head, nil
}

func (x *Exchange) readHead() error {
	c := x.conn
	first := record.None
	seen, used := 0, 0
	for {
		n := blankLine(c.held(), seen)
		if n == 0 {
			seen = c.to - c.from
			if used+seen >= maxHead {
				return protocolError("the answer's head is longer than %d bytes", maxHead)
			}
			if err := c.more(); err != nil {
				return x.cut(err)
			}
			if first == record.None {
				first = c.link.Stamp().Arrived
			}
			if !plausible(c.held()) {
				return protocolError("the answer is not HTTP/1: it begins with %q", c.held()[:min(16, len(c.held()))])
			}
			continue
		}
		resp, err := parseHead(c.held()[:n], x.method)
		if err != nil {
			return err
		}
		c.consume(n)
		if resp.StatusCode >= 200 {
			x.times.FirstByte, x.times.RTT = first, c.roundTrip()
			x.begin(resp.StatusCode, &wire.Head{
				Status: resp.StatusCode, ContentType: resp.Header.Get("Content-Type"), Header: resp.Header,
				Length: resp.ContentLength, Chunked: len(resp.TransferEncoding) > 0,
			}, !resp.Close)
			return c.link.silence(x.terms.Idle)
		}
		seen, used, first = 0, used+n, record.None
		if c.from < c.to {
			first = c.link.Stamp().Arrived
		}
	}
}

// begin prepares for the body that the head announces.
func (x *Exchange) begin(status int, h *wire.Head, keep bool) {
	x.head = h
	x.keep = keep && x.writeErr == nil
	none := x.method == "HEAD" || status == 204 || status == 304
	switch {
	case none || h.Length == 0:
		x.err = io.EOF
	case h.Chunked:
	default:
		x.left = h.Length
	}
}

// cut says how an exchange ended that was not over.
func (x *Exchange) cut(err error) error {
	var wired *wire.Error
	if errors.As(err, &wired) {
		return wired
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return wire.StreamError(err)
	}
	where := "before the answer"
	switch {
	case x.head != nil && x.left >= 0:
		where = fmt.Sprintf("%d bytes before the end of the body", x.left)
	case x.head != nil:
		where = "before the end of the body"
	case x.conn.from < x.conn.to:
		where = "in the answer's head"
	}
	return &wire.Error{Kind: record.ErrReset, Err: errors.New("the server closed the connection " + where)}
}
