// This file tests how connections are asked about their paths.

package http1

import (
	"crypto/tls"
	"io"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
	"assay/internal/wire/memwire"
)

// echo answers each request with five bytes, after a while.
func echo(after time.Duration) func(*memwire.Conn) {
	return func(c *memwire.Conn) {
		requests(c, func(int) { time.Sleep(after); say(c, okLength5) })
	}
}

func TestARequestHasItsConnectionsRoundTripOnceTheHeadIsThere(t *testing.T) {
	const rtt = 7 * time.Millisecond
	inWorld(t, memwire.Link{RTT: rtt}, Config{}, echo(0), func(w *world) {
		x := w.open(wire.Terms{})
		if got := x.Times().RTT; got != record.None {
			t.Errorf("before the head: %d, want none", got)
		}
		if w.whole(x); x.Times().RTT != int64(rtt) {
			t.Errorf("RTT = %d, want %d", x.Times().RTT, int64(rtt))
		}
	})
}

func TestAConnectionThatTellsNothingHasNoRoundTrip(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{}, echo(0), func(w *world) {
		x := w.open(wire.Terms{})
		if w.whole(x); x.Times().RTT != record.None {
			t.Errorf("RTT = %d, want none", x.Times().RTT)
		}
		if paths, n := w.pool.Paths(nil, 8); len(paths) != 0 || n != 1 {
			t.Errorf("Paths = %v of %d connections, want none of 1", paths, n)
		}
	})
}

func TestAConnectionIsAskedAtMostOnceASecond(t *testing.T) {
	// Answers take 300 ms and are asked for at once: heads at 300, 600, … 3,000 ms.
	// Those at 300, 1,500 and 2,700 are a second or more after the last that asked.
	inWorld(t, memwire.Link{RTT: time.Millisecond}, Config{}, echo(300*time.Millisecond), func(w *world) {
		for n := range 10 {
			w.whole(w.open(wire.Terms{}))
			if n == 4 { // whoever looks at 1,500 ms finds the answer of that head
				w.pool.Paths(nil, 64)
			}
		}
		if got := w.asked.Load(); w.dialed.Load() != 1 || got != 3 {
			t.Errorf("asked %d times on %d connections, want 3 on 1", got, w.dialed.Load())
		}
		time.Sleep(time.Second)
		w.pool.Paths(nil, 64)
		if got := w.asked.Load(); got != 4 {
			t.Errorf("asked %d times, want once more by a look a second later", got)
		}
	})
}

func TestNoMoreConnectionsAreAskedThanWanted(t *testing.T) {
	inWorld(t, memwire.Link{RTT: time.Millisecond}, Config{}, echo(0), func(w *world) {
		if err := w.pool.Warm(w.Context(), 10); err != nil {
			t.Fatal(err)
		}
		x := w.open(wire.Terms{}) // one of them is in use
		kept := []wire.Path{{RTT: 5}}
		paths, n := w.pool.Paths(kept, 4)
		if n != 10 || len(paths) != 5 || paths[0].RTT != 5 || paths[4].RTT != int64(time.Millisecond) {
			t.Errorf("Paths = %v of %d connections, want 4 more of 10", paths, n)
		}
		if got := w.asked.Load(); got != 4 {
			t.Errorf("asked %d connections, want 4", got)
		}
		if paths, _ := w.pool.Paths(nil, 64); len(paths) != 10 || w.asked.Load() != 10 {
			t.Errorf("%d paths after asking %d times, want 10 after 10: those known are not asked again", len(paths), w.asked.Load())
		}
		w.whole(x)
	})
}

func TestUnderTLSTheSocketBelowIsAsked(t *testing.T) {
	server, client := authority(t, "server.test")
	const rtt = 3 * time.Millisecond
	inWorld(t, memwire.Link{RTT: rtt}, Config{}, func(c *memwire.Conn) {
		s := tls.Server(c, server)
		requests(s, func(int) { say(s, okLength5) })
	}, func(w *world) {
		w.secure(Config{TLS: client})
		x := w.open(wire.Terms{})
		if w.whole(x); x.Times().RTT != int64(rtt) {
			t.Errorf("RTT = %d, want %d", x.Times().RTT, int64(rtt))
		}
	})
}

func TestRealConnectionsTellARoundTripWithAndWithoutTLS(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("this system is not asked")
		return
	}
	for _, start := range []func() *httptest.Server{
		func() *httptest.Server { return httptest.NewServer(streaming(3)) },
		func() *httptest.Server { return httptest.NewTLSServer(streaming(3)) },
	} {
		s := start()
		p := realPool(t, s)
		x, err := p.send(t.Context(), []byte(post), wire.Terms{Until: record.None})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := x.Head(); err != nil {
			t.Fatal(err)
		}
		if _, err := rest(x); err != io.EOF {
			t.Fatal(err)
		}
		if rtt := x.Times().RTT; rtt <= 0 || rtt >= int64(time.Second) {
			t.Errorf("%s: a round trip of %d ns", s.URL, rtt)
		}
		x.Finish()
		paths, n := p.Paths(nil, 8)
		if n != 1 || len(paths) != 1 || paths[0].RTT != x.Times().RTT {
			t.Errorf("%s: Paths = %v of %d connections, want that of the request", s.URL, paths, n)
		}
		p.Close()
		s.Close()
	}
}
