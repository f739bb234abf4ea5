// This file is one connection: the goroutine that reads its frames and hands
// them to their streams, and the writes, which streams share.

package http2

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	h2 "golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"assay/internal/record"
	"assay/internal/wire"
)

const (
	readSize = 4 << 10
	maxHead  = 64 << 10
	// streamWindow is what a server may send of a stream that is not read, and
	// connWindow of all: the reader takes what comes, so that is never short.
	streamWindow = 256 << 10
	connWindow   = 16 << 20
	usualWindow  = 65535 // of the protocol, until told otherwise
	usualFrame   = 16 << 10
	largestFrame = 1 << 20 // that we send, whatever the server takes
	lastID       = 1 << 30
	// wordLimit is how long a server may refuse to take a frame of a few bytes.
	wordLimit = 5 * time.Second
)

// A conn is a connection with its streams.
type conn struct {
	raw wire.Conn
	rw  io.ReadWriter // tls or raw
	now wire.Clock
	way wire.Way

	dns, shook int64

	// The reader's own.
	buf      []byte
	from, to int
	stamp    wire.Stamp // of the read that brought the newest byte
	framer   *h2.Framer
	unacked  uint32 // body bytes not yet told to the peer

	wmu     sync.Mutex // held by who writes
	pending struct {
		sync.Mutex
		words []byte // frames that go with the next write
	}

	mu       sync.Mutex
	streams  map[uint32]*Exchange
	next     uint32        // the number of the next stream
	settled  chan struct{} // closed when the server has told its terms
	told     bool
	window   int64 // what may be sent on it
	initial  int64 // what may be sent of a new stream
	largest  int   // frame that the server takes
	streamed uint32
	going    bool  // it takes no further stream
	err      error // it is over

	// The pool's, under its lock.
	active int
	listed bool
	orphan bool // whoever held it has left
	holder uint64
}

func newConn(raw wire.Conn, now wire.Clock) *conn {
	c := &conn{
		raw: raw, rw: raw, now: now, dns: record.None, shook: record.None, buf: make([]byte, readSize),
		streams: map[uint32]*Exchange{}, next: 1, settled: make(chan struct{}),
		window: usualWindow, initial: usualWindow, largest: usualFrame, streamed: 1 << 31,
	}
	c.framer = h2.NewFramer(io.Discard, (*source)(c))
	c.framer.SetReuseFrames()
	c.framer.SetMaxReadFrameSize(usualFrame) // nobody was told that more is taken
	c.framer.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	c.framer.MaxHeaderListSize = maxHead
	return c
}

// handshake puts TLS on top of the stamping connection.
func (c *conn) handshake(ctx context.Context, cfg *tls.Config) error {
	start := c.now()
	t := tls.Client(c.raw, cfg)
	if err := t.HandshakeContext(ctx); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return wire.TLSError(err)
	}
	c.shook = c.now() - start
	if got := t.ConnectionState().NegotiatedProtocol; got != h2.NextProtoTLS {
		return &wire.Error{Kind: record.ErrProtocol, Err: fmt.Errorf("the server does not speak HTTP/2 (its choice was %q)", got)}
	}
	c.rw = t
	return nil
}

// begin says what this end takes, and waits for what the server does.
func (c *conn) begin(ctx context.Context) error {
	b := []byte(h2.ClientPreface)
	var settings []byte
	for _, s := range []h2.Setting{{ID: h2.SettingEnablePush, Val: 0}, {ID: h2.SettingInitialWindowSize, Val: streamWindow}, {ID: h2.SettingMaxHeaderListSize, Val: maxHead}} {
		settings = binary.BigEndian.AppendUint16(settings, uint16(s.ID))
		settings = binary.BigEndian.AppendUint32(settings, s.Val)
	}
	b = appendFrame(b, h2.FrameSettings, 0, 0, settings...)
	b = appendFrame(b, h2.FrameWindowUpdate, 0, 0, word(connWindow-usualWindow)...)
	stop := context.AfterFunc(ctx, func() { c.raw.Close() })
	defer stop()
	if _, err := c.rw.Write(b); err != nil {
		return c.cut(err)
	}
	go c.read()
	<-c.settled
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return wire.DialError(ctx.Err())
	case c.err != nil:
		return c.err
	case c.streamed == 0:
		return &wire.Error{Kind: record.ErrProtocol, Err: errors.New("the server allows no stream on the connection")}
	}
	return nil
}

// A source is the connection as the framer reads it: bytes of one read at a
// time, so that the newest stamp is that of a frame's last byte.
type source conn

func (s *source) Read(p []byte) (int, error) {
	if s.from == s.to {
		if len(p) >= len(s.buf) { // large bodies need no stop in the buffer
			n, err := s.rw.Read(p)
			s.note(n)
			return n, err
		}
		n, err := s.rw.Read(s.buf)
		s.note(n)
		s.from, s.to = 0, n
		if n == 0 {
			return 0, err
		}
	}
	n := copy(p, s.buf[s.from:s.to])
	s.from += n
	return n, nil
}

func (s *source) note(n int) {
	if n > 0 {
		s.stamp = s.raw.Stamp() // below TLS, if there is any
	}
}

// read hands frames to their streams until the connection is over.
func (c *conn) read() {
	for {
		f, err := c.framer.ReadFrame()
		var bad h2.StreamError
		switch {
		case errors.As(err, &bad):
			c.word(h2.FrameRSTStream, 0, bad.StreamID, word(uint32(bad.Code))...)
			c.lose(bad.StreamID, protocolError("a frame that breaks the rules: %v", err))
		case err != nil:
			c.fail(c.cut(err))
			return
		default:
			if err := c.take(f); err != nil {
				c.fail(err)
				return
			}
		}
	}
}

func (c *conn) stream(id uint32) *Exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.streams[id]
}

func (c *conn) lose(id uint32, err error) {
	if x := c.stream(id); x != nil {
		x.fail(err)
	}
}

// fail ends the connection and all of its streams.
func (c *conn) fail(err error) {
	c.mu.Lock()
	if c.err == nil {
		c.err = err
	}
	streams := c.streams
	c.streams = map[uint32]*Exchange{}
	c.mu.Unlock()
	c.raw.Close()
	for _, x := range streams {
		x.fail(err)
	}
	if !c.told { // by the reader alone
		c.told = true
		close(c.settled)
	}
}

// close ends the connection at once; the reader ends by it.
func (c *conn) close() { c.raw.Close() }

// usable tells whether another stream may begin.
func (c *conn) usable() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err == nil && !c.going && c.next < lastID
}

// cut says how a connection ended.
func (c *conn) cut(err error) error {
	var wired *wire.Error
	var broken h2.ConnectionError
	switch {
	case errors.As(err, &wired):
		return err
	case strings.Contains(err.Error(), "looked like an HTTP/1.1 header"):
		return protocolError("the server does not speak HTTP/2: it answers as HTTP/1.1 does")
	case errors.Is(err, h2.ErrFrameTooLarge) && !c.told:
		return protocolError("the server does not speak HTTP/2")
	case errors.As(err, &broken), errors.Is(err, h2.ErrFrameTooLarge):
		return protocolError("the server broke the rules of HTTP/2: %v", err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &wire.Error{Kind: record.ErrReset, Err: errors.New("the server closed the connection")}
	}
	return wire.StreamError(err)
}

func protocolError(format string, args ...any) error {
	return &wire.Error{Kind: record.ErrProtocol, Err: fmt.Errorf(format, args...)}
}
