// This file is a server in virtual time, scripted by the tests: what it does
// is a function of the connection.

package http1

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
	"assay/internal/wire/memwire"
)

// A world is a pool and a server in one bubble.
type world struct {
	*testing.T
	now      wire.Clock
	pool     *Pool
	listener *memwire.Listener
	dialed   atomic.Int64
	timers   atomic.Int64 // deadlines set on the client's connections
	writes   atomic.Int64 // writes on them
	asked    atomic.Int64 // questions about their paths
	servers  sync.WaitGroup
}

// inWorld runs test in a bubble; serve is called for each connection that the
// server accepts, which is closed when it returns.
func inWorld(t *testing.T, link memwire.Link, cfg Config, serve func(*memwire.Conn), test func(*world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		w := &world{T: t, now: func() int64 { return int64(time.Since(start)) }}
		if link.Clock == record.NoClock {
			link.Clock = record.Kernel
		}
		w.listener = memwire.Listen(w.now, link)
		w.servers.Go(func() {
			for {
				c, err := w.listener.Accept()
				if err != nil {
					return
				}
				w.servers.Go(func() {
					defer c.Close()
					serve(c.(*memwire.Conn))
				})
			}
		})
		cfg.URL, cfg.Now, cfg.Dial = testURL, w.now, w.dial
		w.pool = NewPool(cfg)
		test(w)
		w.pool.Close()
		w.pool.Abort()
		w.listener.Close()
		w.servers.Wait()
	})
}

func (w *world) dial(ctx context.Context, network, addr string) (wire.Conn, wire.DialTimes, error) {
	w.dialed.Add(1)
	c, times, err := w.listener.Dial(ctx, network, addr)
	if err != nil {
		return nil, times, err
	}
	return &counted{c.(*memwire.Conn), w}, times, nil
}

// counted counts the operations on a connection.
type counted struct {
	*memwire.Conn
	world *world
}

func (c *counted) Write(p []byte) (int, error) {
	c.world.writes.Add(1)
	return c.Conn.Write(p)
}

func (c *counted) Path() (wire.Path, bool) {
	c.world.asked.Add(1)
	return c.Conn.Path()
}

func (c *counted) SetDeadline(t time.Time) error { c.world.timers.Add(1); return c.Conn.SetDeadline(t) }
func (c *counted) SetReadDeadline(t time.Time) error {
	c.world.timers.Add(1)
	return c.Conn.SetReadDeadline(t)
}

// open opens an exchange whose end is far away unless told otherwise.
func (w *world) open(lim wire.Terms) *Exchange {
	w.Helper()
	if lim.Until == 0 {
		lim.Until = w.now() + int64(time.Hour)
	}
	x, err := w.pool.send(w.Context(), []byte(post), lim)
	if err != nil {
		w.Fatalf("Open: %v", err)
	}
	return x
}

// whole reads the rest of an exchange and finishes it.
func (w *world) whole(x *Exchange) string {
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

func rest(x *Exchange) (string, error) {
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

// requests calls answer for each request that arrives on c.
func requests(c io.Reader, answer func(n int)) {
	br := bufio.NewReader(c)
	for n := 0; ; n++ {
		req, err := http.ReadRequest(br)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, req.Body); err != nil {
			return
		}
		answer(n)
	}
}

func say(c io.Writer, s string) { io.WriteString(c, s) }

func constant(d time.Duration) func(int) time.Duration {
	return func(int) time.Duration { return d }
}

const (
	ms        = int64(time.Millisecond)
	okLength5 = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
	okChunked = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
)
