// This file is one connection: the bytes read ahead, their place in the
// stream, and when they arrived.

package http1

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"sync"

	"assay/internal/record"
	"assay/internal/wire"
)

const (
	bufferSize = 4 << 10
	// maxMarks is how many reads back ArrivedAt can look. Each piece of a body
	// is from one read, so the last two would do.
	maxMarks = 8
)

// buffers are lent to connections while an exchange lasts: idle ones hold none.
var buffers = sync.Pool{New: func() any { return new([bufferSize]byte) }}

// A mark says when the bytes up to an offset had arrived.
type mark struct {
	end   uint64
	stamp wire.Stamp
}

// A conn is a connection with a protocol's view of it: plaintext bytes,
// counted from the first.
type conn struct {
	link link
	tls  *tls.Conn     // nil without
	rw   io.ReadWriter // tls or &link

	lent     *[bufferSize]byte
	buf      []byte
	from, to int    // buf[from:to] is read and not consumed
	end      uint64 // offset just past the last byte read

	marks [maxMarks]mark
	newer int // index of the newest mark
	// needed says that body bytes were taken from the newest mark's read. One
	// that brought framing alone makes room for the next.
	needed bool

	dns, shook int64 // how long the name and the TLS handshake took
	way        wire.Way
}

func newConn(raw wire.Conn, now wire.Clock) *conn {
	c := &conn{link: link{Conn: raw, now: now, until: record.None, armed: record.None}}
	c.dns, c.shook = record.None, record.None
	c.rw = &c.link
	return c
}

// handshake puts TLS on top of the stamping connection.
func (c *conn) handshake(ctx context.Context, cfg *tls.Config) error {
	start := c.link.now()
	t := tls.Client(&c.link, cfg)
	if err := t.HandshakeContext(ctx); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return wire.TLSError(err)
	}
	c.shook = c.link.now() - start
	c.tls, c.rw = t, t
	return nil
}

// held are the bytes read and not consumed. Whenever more is read there are
// none: so those held always are of one read, and have one stamp.
func (c *conn) held() []byte { return c.buf[c.from:c.to] }

func (c *conn) consume(n int) { c.from += n }

// offset is the place of the first byte not consumed.
func (c *conn) offset() uint64 { return c.end - uint64(c.to-c.from) }

// fill reads once into the empty buffer.
func (c *conn) fill() error {
	c.from, c.to = 0, 0
	n, err := c.read(c.buf)
	c.to = n
	return err
}

// more reads once behind the bytes held, as only the head needs it.
func (c *conn) more() error {
	if c.to == len(c.buf) {
		c.buf = append(c.buf, make([]byte, len(c.buf))...)
	}
	n, err := c.read(c.buf[c.to:])
	c.to += n
	return err
}

// read reads once, anywhere, and notes when the bytes arrived.
func (c *conn) read(p []byte) (int, error) {
	n, err := c.rw.Read(p)
	if n > 0 {
		c.end += uint64(n)
		if c.needed {
			c.newer, c.needed = (c.newer+1)%maxMarks, false
		}
		c.marks[c.newer] = mark{c.end, c.link.Stamp()}
		return n, nil
	}
	if err == nil {
		err = io.ErrNoProgress
	}
	return 0, err
}

// arrivedAt is the stamp of the byte before off. Of one so old that it was
// forgotten it is the oldest stamp known, which is later.
func (c *conn) arrivedAt(off uint64) wire.Stamp {
	found := c.newer
	for i := 1; i < maxMarks; i++ {
		at := (c.newer - i + maxMarks) % maxMarks
		if m := &c.marks[at]; m.end < off || m.end == 0 {
			break
		}
		found = at
	}
	return c.marks[found].stamp
}

func (c *conn) borrow() {
	c.lent = buffers.Get().(*[bufferSize]byte)
	c.buf, c.from, c.to = c.lent[:], 0, 0
}

func (c *conn) giveBack() {
	if c.lent != nil {
		buffers.Put(c.lent)
	}
	c.lent, c.buf, c.from, c.to = nil, nil, 0, 0
}

// alive tells whether an idle connection still stands. Bytes that nobody asked
// for end it too, but TLS may bring its own (session tickets).
func (c *conn) alive() bool {
	var b [1]byte
	c.link.probing = true
	n, err := c.rw.Read(b[:])
	c.link.probing = false
	return n == 0 && errors.Is(err, wire.ErrWouldBlock)
}

// close ends the connection at once. It doesn't say goodbye over TLS: that
// could wait for a peer that reads nothing.
func (c *conn) close() { c.link.Conn.Close() }
