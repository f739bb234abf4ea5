// This file ends exchanges.

package http2

import (
	"errors"
	"io"

	h2 "golang.org/x/net/http2"

	"assay/internal/record"
	"assay/internal/wire"
)

// Over frees the place of a holder's request at once: the end of its answer
// may come while the next one is under way.
func (x *Exchange) Over() {
	if x.pool.cfg.Policy == wire.Sticky {
		x.leave()
	}
}

// Finish waits a little for the answer's end, gives the stream up where it
// does not come, and the connection back.
func (x *Exchange) Finish() {
	if x.done.Load() {
		return
	}
	ended := x.drained()
	if x.done.Swap(true) {
		return
	}
	x.drop(ended && x.whole.Load())
}

// drained reads the rest of the body, within bounds.
func (x *Exchange) drained() bool {
	until := x.conn.now() + int64(linger)
	if x.terms.Until == record.None || until < x.terms.Until {
		x.terms.Until = until
		if x.timer != nil {
			x.arm(false)
		}
	}
	var waste [512]byte
	for n := 0; n < leftover; {
		piece, err := x.Read(waste[:])
		if err != nil {
			return errors.Is(err, io.EOF)
		}
		n += piece.N
	}
	return false
}

// Abort ends the exchange at once: the stream is reset. A connection of which
// nothing was heard since is not used again.
func (x *Exchange) Abort() {
	if x.done.Swap(true) {
		return
	}
	x.fail(&wire.Error{Err: wire.ErrAborted})
	x.drop(false)
}

// drop takes the stream off its connection; clean says that both sides are
// through with it.
func (x *Exchange) drop(clean bool) {
	c := x.conn
	c.mu.Lock()
	_, known := c.streams[x.id]
	delete(c.streams, x.id)
	c.mu.Unlock()
	if !clean && known && x.id != 0 {
		x.mu.Lock()
		silent := x.last == record.None
		x.mu.Unlock()
		if silent {
			c.mu.Lock()
			c.going = true // it may be dead
			c.mu.Unlock()
		}
		c.word(h2.FrameRSTStream, 0, x.id, word(uint32(h2.ErrCodeCancel))...)
	}
	x.leave()
}

// leave frees the exchange's place, once.
func (x *Exchange) leave() {
	x.pool.mu.Lock()
	over := x.over
	x.over = true
	x.pool.mu.Unlock()
	if !over {
		x.pool.release(x.conn)
	}
}
