// This file writes: requests, each in as few writes as the windows allow, and
// the words of a few bytes that the protocol asks for, which never wait for a
// request that is being written.

package http2

import (
	"time"

	h2 "golang.org/x/net/http2"

	"assay/internal/record"
	"assay/internal/wire"
)

// word sends a small frame, or leaves it to whoever is writing.
func (c *conn) word(kind h2.FrameType, flags h2.Flags, stream uint32, payload ...byte) {
	c.pending.Lock()
	c.pending.words = appendFrame(c.pending.words, kind, flags, stream, payload...)
	c.pending.Unlock()
	c.flush()
}

// flush sends what is pending, unless somebody writes: he does it then.
func (c *conn) flush() {
	for c.hasWords() && c.wmu.TryLock() {
		if words := c.words(); len(words) > 0 {
			_, _ = c.write(words, c.now()+int64(wordLimit)) // the connection's end says it
		}
		c.wmu.Unlock()
	}
}

func (c *conn) hasWords() bool {
	c.pending.Lock()
	defer c.pending.Unlock()
	return len(c.pending.words) > 0
}

func (c *conn) words() []byte {
	c.pending.Lock()
	defer c.pending.Unlock()
	words := c.pending.words
	c.pending.words = nil
	return words
}

// write is one write, by until; the caller holds wmu. What fails is over: half
// a frame can't be mended. It returns when the write began.
func (c *conn) write(b []byte, until int64) (began int64, err error) {
	var at time.Time
	if until != record.None {
		at = time.Now().Add(time.Duration(until - c.now()))
	}
	err = c.raw.SetWriteDeadline(at)
	began = c.now()
	if err == nil {
		_, err = c.rw.Write(b)
	}
	if err != nil {
		err = wire.StreamError(err)
		c.mu.Lock()
		if c.err == nil {
			c.err = err
		}
		c.mu.Unlock()
		c.raw.Close() // the reader tells the streams
	}
	return began, err
}

// send writes the request: head and as much of the body as may go in one
// write, the rest as the windows open. false: the connection takes no stream
// any more, and nothing was sent.
func (x *Exchange) send(head, body []byte) (bool, error) {
	c := x.conn
	c.wmu.Lock()
	if !x.register() {
		c.wmu.Unlock()
		c.flush()
		return false, nil
	}
	n := x.allowed(len(body))
	largest := c.frame()
	b := make([]byte, 0, len(head)+n+9*(2+len(head)/largest+n/largest))
	b = appendHead(b, x.id, head, len(body) == 0, largest)
	b = appendBody(b, x.id, body[:n], n == len(body), largest)
	wire.Forget(c.raw)
	began, err := c.write(b, x.terms.Until)
	x.times.Sent = began
	x.times.Handover = wire.Handover(c.raw, began) // what follows waits for the server
	c.wmu.Unlock()
	c.flush()
	for body = body[n:]; err == nil && len(body) > 0; body = body[n:] {
		if n = x.allowed(len(body)); n == 0 {
			goOn, waited := x.room()
			if !goOn {
				return true, waited
			}
			continue
		}
		c.wmu.Lock()
		_, err = c.write(appendBody(nil, x.id, body[:n], n == len(body), c.frame()), x.terms.Until)
		c.wmu.Unlock()
		c.flush()
	}
	if err != nil {
		return true, err
	}
	x.whole.Store(true)
	x.times.Written = c.now()
	return true, nil
}

// register numbers the stream; the caller holds wmu, so that numbers go out in
// their order.
func (x *Exchange) register() bool {
	c := x.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil || c.going || c.next >= lastID {
		return false
	}
	x.id, x.window = c.next, c.initial
	c.next += 2
	c.streams[x.id] = x
	return true
}

// allowed takes up to n bytes out of the windows.
func (x *Exchange) allowed(n int) int {
	c := x.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	most := max(0, min(int64(n), c.window, x.window))
	c.window -= most
	x.window -= most
	return int(most)
}

func (c *conn) frame() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.largest
}

// widen lets more of the stream be sent; the caller holds the connection's lock.
func (x *Exchange) widen(by int64) {
	x.window += by
	x.signal()
}
