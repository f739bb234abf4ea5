// This file tests what becomes of connections and their streams.

package http2

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
	"assay/internal/wire/memwire"
)

// echo answers with what was asked.
func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	fmt.Fprintf(w, "%s %s %s %s %s", r.Method, r.Host, r.URL, r.Header.Get("X-Kind"), body)
}

const echoed = `POST server.test /v1/x a {"n":1}`

func TestARequestArrivesAsItWasEncoded(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{}, standard(echo), func(w *world) {
		if got := w.whole(w.open(wire.Terms{})); got != echoed {
			t.Errorf("the server saw %q, want %q", got, echoed)
		}
	})
}

func TestOneStreamAConnectionUnlessMoreAreAsked(t *testing.T) {
	slow := func(w http.ResponseWriter, r *http.Request) { time.Sleep(time.Second); echo(w, r) }
	for streams, want := range map[int]int64{0: 6, 1: 6, 4: 2} {
		inWorld(t, memwire.Link{}, Config{Streams: streams}, standard(slow), func(w *world) {
			for range 2 { // the second time they are there
				var open []*Exchange
				for range 6 {
					open = append(open, w.open(wire.Terms{}))
				}
				for _, x := range open {
					if got := w.whole(x); got != echoed {
						t.Errorf("body %q", got)
					}
				}
			}
			if got := w.dialed.Load(); got != want {
				t.Errorf("%d streams a connection: %d connections for 6 at a time, want %d", streams, got, want)
			}
		})
	}
}

func TestTheTimesOfAConnectionAreApart(t *testing.T) {
	oneWay := func(int) time.Duration { return 2 * time.Millisecond }
	inWorld(t, memwire.Link{Connect: 5 * time.Millisecond, Up: oneWay, Down: oneWay, RTT: 4 * time.Millisecond}, Config{}, standard(echo), func(w *world) {
		x := w.open(wire.Terms{})
		// Connecting, and the server's settings, which come after a way there and back.
		if tm := x.Times(); tm.Reused || tm.Connect != tm.Ready || tm.Connect < 7*ms || tm.Sent != tm.Ready || tm.Written != tm.Sent {
			t.Errorf("first: %+v", tm)
		}
		w.whole(x)
		x = w.open(wire.Terms{})
		w.whole(x)
		if tm := x.Times(); !tm.Reused || tm.Connect != record.None || tm.FirstByte != tm.Sent+4*ms || tm.RTT != 4*ms {
			t.Errorf("second: %+v, want a first byte after 4 ms", tm)
		}
	})
}

func TestPoliciesAreThoseOfHTTP1(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{Policy: wire.PerRequest}, standard(echo), func(w *world) {
		for range 3 {
			w.whole(w.open(wire.Terms{}))
			if _, open := w.pool.Paths(nil, 0); open != 0 {
				t.Errorf("%d connections are open after a request with its own", open)
			}
		}
		if err := w.pool.Warm(w.Context(), 3); err != nil || w.dialed.Load() != 3 {
			t.Errorf("%d connections for 3 requests, %v", w.dialed.Load(), err)
		}
	})
	inWorld(t, memwire.Link{}, Config{Policy: wire.Sticky}, standard(echo), func(w *world) {
		for i, holder := range []uint64{1, 2, 1, 2, 2, 3} {
			x := w.open(wire.Terms{Holder: holder})
			if reused := i == 2 || i == 3 || i == 4; x.Times().Reused != reused {
				t.Errorf("request %d: reused %v, want %v", i, x.Times().Reused, reused)
			}
			w.whole(x)
		}
		w.pool.Forget(2)
		if _, open := w.pool.Paths(nil, 0); open != 2 {
			t.Errorf("%d connections are open after one of 3 holders left, want 2", open)
		}
		x := w.open(wire.Terms{Holder: 1})
		w.pool.Forget(1)
		w.whole(x)
		if _, open := w.pool.Paths(nil, 0); open != 1 {
			t.Errorf("%d connections are open, want that of the third holder", open)
		}
	})
}

func TestAHoldersNextRequestDoesNotWaitForTheEndOfItsLastAnswer(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{Policy: wire.Sticky}, standard(func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		time.Sleep(500 * time.Millisecond)
	}), func(w *world) {
		first := w.open(wire.Terms{Holder: 1})
		if _, err := first.Head(); err != nil {
			t.Fatal(err)
		}
		first.Over()
		second := w.open(wire.Terms{Holder: 1})
		if w.dialed.Load() != 1 || second.Times().Ready != 0 {
			t.Errorf("%d connections, ready at %d", w.dialed.Load(), second.Times().Ready)
		}
		first.Finish()
		w.whole(second)
		if n := w.pool.Unused(); n != 1 {
			t.Errorf("%d connections are unused, want 1", n)
		}
	})
}

func TestWarmAndKeepHaveConnectionsReady(t *testing.T) {
	inWorld(t, memwire.Link{Connect: 10 * time.Millisecond}, Config{}, standard(echo), func(w *world) {
		if err := w.pool.Warm(w.Context(), 20); err != nil || w.pool.Unused() != 20 {
			t.Fatalf("%d unused, %v", w.pool.Unused(), err)
		}
		ctx, cancel := context.WithCancel(w.Context())
		var keeping sync.WaitGroup
		keeping.Go(func() { w.pool.Keep(ctx, 20) })
		for range 50 {
			x := w.open(wire.Terms{})
			if !x.Times().Reused {
				t.Error("a request waited for a connection")
			}
			defer x.Abort()
			time.Sleep(20 * time.Millisecond)
		}
		cancel()
		keeping.Wait()
	})
}

func TestAbortEndsWhatWaits(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{}, standard(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }), func(w *world) {
		x := w.open(wire.Terms{})
		time.AfterFunc(3*time.Second, w.pool.Abort)
		if _, err := x.Head(); wire.KindOf(err) != "" || w.now() != 3000*ms {
			t.Errorf("Head() = %v at %d ms, want given up at 3000", err, w.now()/ms)
		}
		x.Abort()
		if _, err := w.try(wire.Terms{}, post); wire.KindOf(err) != "" {
			t.Errorf("Open after Abort: %v", err)
		}
	})
}

func TestAStreamThatIsGivenUpLeavesItsConnection(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{}, standard(func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		if r.Header.Get("X-Kind") == "a" {
			<-r.Context().Done() // the reset
		}
	}), func(w *world) {
		x := w.open(wire.Terms{})
		if _, err := x.Head(); err != nil {
			t.Fatal(err)
		}
		x.Abort()
		synctest.Wait()
		if y := w.open(wire.Terms{}); !y.Times().Reused {
			t.Error("the connection was not used again")
		} else {
			y.Abort()
		}
	})
}
