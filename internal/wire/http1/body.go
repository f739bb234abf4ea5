// This file reads an answer's body piece by piece, and ends the exchange.

package http1

import (
	"errors"
	"io"

	"assay/internal/record"
	"assay/internal/wire"
)

// Read reads body bytes that lie together in the connection's stream and came
// with one read. It waits for the first byte only: what is there is never held
// back for what may follow. Its error is io.EOF at the body's proper end, else
// a wire.Error; with an error there are no bytes.
func (x *Exchange) Read(p []byte) (wire.Piece, error) {
	if x.head == nil && x.err == nil {
		x.err = errors.New("internal error: body read before the head")
	}
	for x.err == nil && len(p) > 0 {
		left, err := x.stretch()
		if err != nil {
			x.err = err
			break
		}
		if left == 0 {
			continue
		}
		if n := x.copy(p, left); n > 0 {
			x.took(n)
			return wire.Piece{N: n, End: x.conn.offset()}, nil
		}
	}
	return wire.Piece{}, x.err
}

// stretch is how many body bytes follow in one stretch; it reads framing as
// far as it is there, and once more if nothing is there.
func (x *Exchange) stretch() (uint64, error) {
	c := x.conn
	if !x.head.Chunked {
		if x.left == 0 {
			return 0, io.EOF
		}
		return uint64(x.left), nil // -1 is as good as endless
	}
	for x.chunk.state != inData {
		used, err := x.chunk.frame(c.held())
		c.consume(used)
		switch {
		case err != nil:
			return 0, protocolError("%v", err)
		case x.chunk.state == inEnd:
			return 0, io.EOF
		case x.chunk.state == inData:
			continue
		}
		if err := c.fill(); err != nil {
			return 0, x.cut(err)
		}
	}
	return x.chunk.left, nil
}

// copy moves up to left body bytes to p, reading once if none are there. It
// returns 0 if that failed or if the bytes came into the buffer.
func (x *Exchange) copy(p []byte, left uint64) int {
	c := x.conn
	if uint64(len(p)) > left {
		p = p[:left]
	}
	if c.from == c.to {
		// Large bodies need no stop in the buffer.
		if len(p) >= len(c.buf) {
			n, err := c.read(p)
			x.fail(err)
			return n
		}
		x.fail(c.fill())
	}
	n := copy(p, c.held())
	c.consume(n)
	return n
}

func (x *Exchange) fail(err error) {
	switch {
	case err == nil:
	case err == io.EOF && !x.head.Chunked && x.left < 0:
		x.err = io.EOF
	default:
		x.err = x.cut(err)
	}
}

func (x *Exchange) took(n int) {
	x.conn.needed = true
	switch {
	case x.head.Chunked:
		x.chunk.took(n)
	case x.left > 0:
		x.left -= int64(n)
	}
}

// Finish gives the connection back if the answer is complete, its rest
// included, and the server keeps it; otherwise it closes it. It may wait up to
// a second for that rest: take the exchange's stamps before. After Finish only
// Times may be called.
func (x *Exchange) Finish() {
	defer x.returned()
	ok := x.head != nil && x.keep && x.drained()
	if !x.state.CompareAndSwap(open, finished) {
		return
	}
	c := x.conn
	clean := ok && c.from == c.to
	c.giveBack()
	if !clean {
		x.pool.drop(c)
		return
	}
	x.pool.put(c, x.terms.Holder)
}

// drained reads the rest of the body, within bounds.
func (x *Exchange) drained() bool {
	if x.err != nil {
		return x.err == io.EOF
	}
	until := x.pool.cfg.Now() + int64(linger)
	if x.terms.Until != record.None {
		until = min(until, x.terms.Until)
	}
	if x.conn.link.end(until) != nil {
		return false
	}
	var waste [512]byte
	for n := 0; n < leftover; {
		piece, err := x.Read(waste[:])
		if err != nil {
			return err == io.EOF
		}
		n += piece.N
	}
	return false
}

// Abort ends the exchange at once and closes its connection. A Read that waits
// returns an error that is wire.ErrAborted.
func (x *Exchange) Abort() {
	if x.state.CompareAndSwap(open, dropped) {
		x.pool.drop(x.conn)
	}
}
