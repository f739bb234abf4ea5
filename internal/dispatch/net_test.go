package dispatch

// A dispatcher in virtual time: the real connection pool over a network in
// memory, against a server that is a function.

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"assay/internal/arrival"
	"assay/internal/dialect"
	"assay/internal/record"
	"assay/internal/wire/http1"
	"assay/internal/wire/memwire"
)

const ms = int64(time.Millisecond)

// a handler answers one request on its connection; false closes it.
type handler func(c *memwire.Conn, r *http.Request) bool

// A network is one server and its clock, inside a bubble.
type network struct {
	t        *testing.T
	start    time.Time
	listener *memwire.Listener
	serving  sync.WaitGroup

	late   time.Duration // how much every sleep oversleeps
	around func(int)     // called with 1 before and -1 after every sleep; nil: not
	bounds Bounds
	d      *Dispatcher // that runs

	mu    sync.Mutex
	conns []net.Conn
}

func newNetwork(t *testing.T, link memwire.Link, h handler) *network {
	n := &network{t: t, start: time.Now()}
	if link.Clock == record.NoClock {
		link.Clock = record.Kernel
	}
	n.listener = memwire.Listen(n.now, link)
	n.serving.Go(func() {
		for {
			c, err := n.listener.Accept()
			if err != nil {
				return
			}
			n.mu.Lock()
			n.conns = append(n.conns, c)
			n.mu.Unlock()
			n.serving.Go(func() { serve(c.(*memwire.Conn), h) })
		}
	})
	return n
}

func serve(c *memwire.Conn, h handler) {
	defer c.Close()
	r := bufio.NewReader(c)
	for {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		body, err := io.ReadAll(req.Body)
		req.Body = io.NopCloser(bytes.NewReader(body)) // whole, before it is answered
		if err != nil || !h(c, req) {
			return
		}
	}
}

func (n *network) now() int64 { return int64(time.Since(n.start)) }

// close ends the server and everything on it.
func (n *network) close(streams []Stream) {
	for i := range streams {
		for _, target := range streams[i].Targets {
			target.Pool.Abort()
			target.Pool.Close()
		}
	}
	n.listener.Close()
	n.mu.Lock()
	for _, c := range n.conns {
		c.Close()
	}
	n.mu.Unlock()
	n.serving.Wait()
}

func (n *network) sleep(ctx context.Context, until int64) error {
	if n.around != nil {
		n.around(1)
		defer n.around(-1)
	}
	timer := time.NewTimer(time.Duration(until-n.now()) + n.late)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

var serverURL = &url.URL{Scheme: "http", Host: "server", Path: "/v1/chat/completions"}

// stream is a chat stream to this network, without its times.
func (n *network) stream() Stream {
	chat, ok := dialect.Find("chat")
	if !ok {
		n.t.Fatal("no dialect chat")
	}
	u := serverURL
	return Stream{
		Name: "main", Dialect: chat, Streamed: true,
		Targets: []Target{{URL: u.String(), Pool: http1.NewPool(http1.Config{URL: u, Dial: n.listener.Dial, Now: n.now})}},
		Limits:  Limits{Idle: 30 * int64(time.Second), Request: 600 * int64(time.Second)},
		Prepare: func(seq uint64) (Prepared, error) {
			b, err := http1.Encode(u, "POST", [][2]string{{"X-Seq", strconv.FormatUint(seq, 10)}}, []byte(`{"n":1}`))
			return Prepared{Bytes: b, RequestID: "r" + strconv.FormatUint(seq, 10), WantInput: 7, WantOutput: 9}, err
		},
	}
}

// schedule makes the stream open loop: a request each gap, over the window.
func schedule(s *Stream, gap, window int64) {
	s.WindowEnd = window
	s.Schedule = func(yield func(arrival.Due) bool) {
		for seq := uint64(0); int64(seq)*gap < window; seq++ {
			if !yield(arrival.Due{Seq: seq, At: int64(seq) * gap, Measured: true}) {
				return
			}
		}
	}
}

// run dispatches the streams as one worker of several and returns the records by seq.
func (n *network) run(ctx context.Context, worker, workers int, drain int64, secrets []string, streams ...Stream) ([]record.Record, error) {
	var mu sync.Mutex
	var out []record.Record
	d := &Dispatcher{
		Worker: worker, Workers: workers, Now: n.now, Sleep: n.sleep, Secrets: secrets, Bounds: n.bounds,
		Emit: func(r *record.Record) {
			mu.Lock()
			defer mu.Unlock()
			kept := *r
			kept.Events, kept.Marks = slices.Clone(r.Events), slices.Clone(r.Marks)
			if err := kept.Check(); err != nil {
				n.t.Errorf("record %d breaks an invariant: %v", kept.Seq, err)
			}
			out = append(out, kept)
		},
	}
	n.d = d
	err := d.Run(ctx, streams, drain)
	n.close(streams)
	if left := d.held.Load(); left != 0 {
		n.t.Errorf("%d bytes are still held for replies that have ended", left)
	}
	slices.SortFunc(out, func(a, b record.Record) int { return int(a.Seq) - int(b.Seq) })
	return out, err
}

// event is a chat chunk as a server writes it, in an HTTP chunk of its own.
func event(content string) string {
	return chunk(`data: {"choices":[{"index":0,"delta":{"content":"` + content + `"}}]}` + "\n\n")
}

func chunk(s string) string { return strconv.FormatInt(int64(len(s)), 16) + "\r\n" + s + "\r\n" }

const (
	streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
	lastChunk  = "0\r\n\r\n"
)

var doneEvent = chunk("data: [DONE]\n\n")

// write sends s as one segment.
func write(c *memwire.Conn, s string) bool {
	_, err := io.WriteString(c, s)
	return err == nil
}

// answer is a well-behaved server: ttft, then an event each gap.
func answer(ttft, gap time.Duration, events int) handler {
	return func(c *memwire.Conn, _ *http.Request) bool {
		if !write(c, streamHead) {
			return false
		}
		time.Sleep(ttft)
		for i := range events {
			if i > 0 {
				time.Sleep(gap)
			}
			if !write(c, event("word ")) {
				return false
			}
		}
		return write(c, doneEvent) && write(c, lastChunk)
	}
}
