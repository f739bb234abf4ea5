// This file is a server in virtual time: net/http's own, or one that a test
// scripts frame by frame.

package http2

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	h2 "golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"assay/internal/record"
	"assay/internal/wire"
	"assay/internal/wire/memwire"
)

const ms = int64(time.Millisecond)

// A world is a pool and a server in one bubble.
type world struct {
	*testing.T
	now      wire.Clock
	pool     *Pool
	listener *memwire.Listener
	dialed   atomic.Int64
}

var testURL = &url.URL{Scheme: "http", Host: "server.test", Path: "/v1/x"}

// inWorld runs test in a bubble; serve has the listener until it is closed.
func inWorld(t *testing.T, link memwire.Link, cfg Config, serve func(*memwire.Listener), test func(*world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		w := &world{T: t, now: func() int64 { return int64(time.Since(start)) }}
		if link.Clock == record.NoClock {
			link.Clock = record.Kernel
		}
		w.listener = memwire.Listen(w.now, link)
		var serving sync.WaitGroup
		serving.Go(func() { serve(w.listener) })
		cfg.URL, cfg.Now = testURL, w.now
		cfg.Dial = func(ctx context.Context, network, addr string) (wire.Conn, wire.DialTimes, error) {
			w.dialed.Add(1)
			return w.listener.Dial(ctx, network, addr)
		}
		w.pool = NewPool(cfg)
		test(w)
		w.pool.Close()
		w.pool.Abort()
		w.listener.Close()
		serving.Wait()
	})
}

// standard serves by net/http.
func standard(h http.HandlerFunc) func(*memwire.Listener) {
	return func(l *memwire.Listener) {
		var protocols http.Protocols
		protocols.SetUnencryptedHTTP2(true)
		s := &http.Server{Handler: h, Protocols: &protocols}
		_ = s.Serve(l)
		_ = s.Close()
	}
}

// A peer is the server's end of a connection, frame by frame.
type peer struct {
	*h2.Framer
	c    *memwire.Conn
	head bytes.Buffer
	enc  *hpack.Encoder
}

// scripted serves each connection by script, which begins after the preface.
func scripted(script func(p *peer)) func(*memwire.Listener) {
	return func(l *memwire.Listener) {
		var all sync.WaitGroup
		defer all.Wait()
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer c.Close()
				if _, err := io.ReadFull(c, make([]byte, len(h2.ClientPreface))); err != nil {
					return
				}
				p := &peer{Framer: h2.NewFramer(c, c), c: c.(*memwire.Conn)}
				p.enc = hpack.NewEncoder(&p.head)
				p.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
				script(p)
			})
		}
	}
}

// request reads until a request is whole, and returns its stream and body; 0
// when the client is gone.
func (p *peer) request() (id uint32, body string) {
	for {
		f, err := p.ReadFrame()
		if err != nil {
			return 0, body
		}
		switch f := f.(type) {
		case *h2.MetaHeadersFrame:
			if id = f.StreamID; f.StreamEnded() {
				return id, body
			}
		case *h2.DataFrame:
			body += string(f.Data())
			if f.StreamEnded() {
				return f.StreamID, body
			}
		}
	}
}

// until reads frames until one is of a kind, and returns it; nil at the end.
func (p *peer) until(kind h2.FrameType) h2.Frame {
	for {
		f, err := p.ReadFrame()
		if err != nil || f.Header().Type == kind && !(kind == h2.FrameSettings && f.(*h2.SettingsFrame).IsAck()) {
			return f
		}
	}
}

// answer writes a head.
func (p *peer) answer(id uint32, end bool, fields ...string) {
	p.head.Reset()
	for i := 0; i < len(fields); i += 2 {
		_ = p.enc.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]})
	}
	_ = p.WriteHeaders(h2.HeadersFrameParam{StreamID: id, BlockFragment: p.head.Bytes(), EndStream: end, EndHeaders: true})
}

// rest reads until the client is gone.
func (p *peer) rest() { _, _ = io.Copy(io.Discard, p.c) }

var post = encoded(`{"n":1}`)

func encoded(body string) []byte {
	b, err := Encode(testURL, "POST", [][2]string{{"X-Kind", "a"}, {"Content-Type", "application/json"}}, []byte(body))
	if err != nil {
		panic(err)
	}
	return b
}

func (w *world) try(t wire.Terms, request []byte) (wire.Exchange, error) {
	if t.Until == 0 {
		t.Until = w.now() + int64(time.Hour)
	}
	return w.pool.Open(w.Context(), request, t)
}

func (w *world) open(t wire.Terms) *Exchange {
	w.Helper()
	x, err := w.try(t, post)
	if err != nil {
		w.Fatalf("Open: %v", err)
	}
	return x.(*Exchange)
}

// whole reads the rest of an exchange and finishes it.
func (w *world) whole(x wire.Exchange) string {
	w.Helper()
	if _, err := x.Head(); err != nil {
		w.Fatalf("Head: %v", err)
	}
	body, err := rest(x)
	if err != io.EOF {
		w.Fatalf("Read: %v", err)
	}
	x.Finish()
	return body
}

func rest(x wire.Exchange) (string, error) {
	var body []byte
	buf := make([]byte, 4096)
	for {
		piece, err := x.Read(buf)
		if err != nil {
			return string(body), err
		}
		body = append(body, buf[:piece.N]...)
	}
}

// outcome is the body and the error of a whole exchange.
func outcome(x wire.Exchange, err error) (string, error) {
	if err != nil {
		return "", err
	}
	defer x.Abort()
	if _, err := x.Head(); err != nil {
		return "", err
	}
	body, err := rest(x)
	if err == io.EOF {
		err = nil
	}
	return body, err
}
