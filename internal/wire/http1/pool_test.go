// This file tests what becomes of connections.

package http1

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
	"assay/internal/wire/memwire"
)

func echoing(c *memwire.Conn) { requests(c, func(int) { say(c, okLength5) }) }

func TestOneConnectionServesRequestAfterRequest(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{}, echoing, func(w *world) {
		for range 10 {
			if got := w.whole(w.open(wire.Terms{})); got != "hello" {
				t.Errorf("body = %q", got)
			}
		}
		if got := w.dialed.Load(); got != 1 {
			t.Errorf("%d connections for 10 requests, want 1", got)
		}
	})
}

func TestAnIdleConnectionThatTheServerClosedIsNotUsed(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{}, func(c *memwire.Conn) {
		requests(c, func(n int) {
			say(c, okLength5)
			if n == 1 {
				c.Close()
			}
		})
	}, func(w *world) {
		for range 6 {
			w.whole(w.open(wire.Terms{}))
			synctest.Wait()
		}
		if got := w.dialed.Load(); got != 3 {
			t.Errorf("%d connections for 6 requests, 2 on each; want 3", got)
		}
	})
}

func TestAConnectionWithUnaskedBytesIsNotUsed(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{}, func(c *memwire.Conn) {
		requests(c, func(int) {
			say(c, okLength5)
			time.Sleep(time.Millisecond)
			say(c, "HTTP/1.1 408 Request Timeout\r\n\r\n")
		})
	}, func(w *world) {
		w.whole(w.open(wire.Terms{}))
		time.Sleep(time.Second)
		if got := w.whole(w.open(wire.Terms{})); got != "hello" || w.dialed.Load() != 2 {
			t.Errorf("second body %q on %d connections, want hello on 2", got, w.dialed.Load())
		}
	})
}

func TestARequestIsNeverSentTwice(t *testing.T) {
	var mu sync.Mutex
	seen := 0
	inWorld(t, memwire.Link{}, Config{}, func(c *memwire.Conn) {
		requests(c, func(n int) {
			mu.Lock()
			seen++
			mu.Unlock()
			if n == 1 {
				c.Close() // it took the request on a kept connection and hung up
				return
			}
			say(c, okLength5)
		})
	}, func(w *world) {
		w.whole(w.open(wire.Terms{}))
		x := w.open(wire.Terms{})
		_, err := x.Head()
		if kindOf(err) != record.ErrReset || !x.Times().Reused {
			t.Errorf("Head() = %v (%s), reused %v; want a reset on a reused connection", err, kindOf(err), x.Times().Reused)
		}
		x.Finish()
		synctest.Wait()
		if seen != 2 || w.dialed.Load() != 1 {
			t.Errorf("the server saw %d requests on %d connections, want 2 on 1", seen, w.dialed.Load())
		}
	})
}

func TestFinishWaitsForAnEndThatComesALittleLater(t *testing.T) {
	for late, reused := range map[time.Duration]bool{0: true, 50 * time.Millisecond: true, 5 * time.Second: false} {
		inWorld(t, memwire.Link{}, Config{}, func(c *memwire.Conn) {
			requests(c, func(int) {
				say(c, okChunked+"e\r\ndata: [DONE]\n\n\r\n")
				time.Sleep(late)
				say(c, "0\r\n\r\n")
			})
		}, func(w *world) {
			x := w.open(wire.Terms{Idle: time.Minute})
			if _, err := x.Head(); err != nil {
				t.Fatal(err)
			}
			if piece, err := x.Read(make([]byte, 100)); err != nil || piece.N != 14 {
				t.Fatalf("Read() = %+v, %v", piece, err)
			}
			x.Finish()
			if want := int64(min(late, time.Second)); w.now() != want {
				t.Errorf("end %v late: Finish took %d ms, want %d", late, w.now()/ms, want/ms)
			}
			w.whole(w.open(wire.Terms{}))
			if got := w.dialed.Load() == 1; got != reused {
				t.Errorf("end %v late: connection reused = %v, want %v", late, got, reused)
			}
		})
	}
}

func TestAnAnswerToARequestThatWasRefusedHalfWayIsRead(t *testing.T) {
	inWorld(t, memwire.Link{UpWindow: 20}, Config{}, func(c *memwire.Conn) {
		say(c, "HTTP/1.1 413 Too Large\r\n")
		say(c, "Content-Length: 3\r\n\r\nbig")
	}, func(w *world) {
		x := w.open(wire.Terms{})
		h, err := x.Head()
		if err != nil || h.Status != 413 || x.Times().Written != record.None {
			t.Fatalf("Head() = %+v, %v; written %d", h, err, x.Times().Written)
		}
		body, err := rest(x)
		if body != "big" || err != io.EOF {
			t.Errorf("body %q, %v", body, err)
		}
		x.Finish()
		if n := w.pool.Unused(); n != 0 {
			t.Errorf("%d connections kept, want none", n)
		}
	})
}

func TestAResetIsAResetAtEveryStage(t *testing.T) {
	for _, said := range []string{"", "HTTP/1.1 2", okChunked, okChunked + "5\r\nhel", okChunked + "5\r\nhello\r\n", okLength5[:len(okLength5)-1]} {
		inWorld(t, memwire.Link{}, Config{}, func(c *memwire.Conn) {
			requests(c, func(int) { say(c, said); c.Reset() })
		}, func(w *world) {
			x := w.open(wire.Terms{})
			_, err := x.Head()
			if err == nil {
				_, err = rest(x)
			}
			if kindOf(err) != record.ErrReset {
				t.Errorf("after %q: %v (%s), want a reset", said, err, kindOf(err))
			}
			x.Finish()
		})
	}
}

func TestWarmOpensAheadAndThoseCountAsReused(t *testing.T) {
	inWorld(t, memwire.Link{Connect: 10 * time.Millisecond}, Config{}, echoing, func(w *world) {
		if err := w.pool.Warm(w.Context(), 50); err != nil {
			t.Fatal(err)
		}
		if got := w.dialed.Load(); got != 50 {
			t.Fatalf("%d connections made, want 50", got)
		}
		var open []*Exchange
		for range 50 {
			x := w.open(wire.Terms{})
			if tm := x.Times(); !tm.Reused || tm.Connect != record.None {
				t.Fatalf("Times() = %+v, want a connection that was there", tm)
			}
			open = append(open, x)
		}
		for _, x := range open {
			w.whole(x)
		}
		if err := w.pool.Warm(w.Context(), 50); err != nil || w.dialed.Load() != 50 {
			t.Errorf("warming a warm pool: %v, %d connections", err, w.dialed.Load())
		}
	})
}

func TestWarmTellsWhyItCouldNot(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{}, echoing, func(w *world) {
		w.listener.Close()
		if err := w.pool.Warm(w.Context(), 5); kindOf(err) != record.ErrConnect {
			t.Errorf("Warm() = %v, want a connect error", err)
		}
	})
}

func TestKeepReplacesWhatIsTakenAndWhatDied(t *testing.T) {
	inWorld(t, memwire.Link{Connect: time.Millisecond}, Config{}, func(c *memwire.Conn) {
		c.SetReadDeadline(time.Now().Add(30 * time.Second)) // then this server hangs up
		requests(c, func(int) { time.Sleep(time.Minute); say(c, okLength5) })
	}, func(w *world) {
		ctx, cancel := context.WithCancel(w.Context())
		var wg sync.WaitGroup
		wg.Go(func() { w.pool.Keep(ctx, 3) })
		time.Sleep(time.Second)
		for i := range 10 {
			x := w.open(wire.Terms{})
			if !x.Times().Reused {
				t.Errorf("request %d waited for a connection", i)
			}
			defer x.Abort()
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(35 * time.Second)
		x := w.open(wire.Terms{})
		if !x.Times().Reused {
			t.Error("the connections that the server closed were not replaced")
		}
		x.Abort()
		cancel()
		wg.Wait()
	})
}

func TestNoMoreThanMaxIdleAreKept(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{MaxIdle: 2}, echoing, func(w *world) {
		var open []*Exchange
		for range 5 {
			open = append(open, w.open(wire.Terms{}))
		}
		for _, x := range open {
			w.whole(x)
		}
		if got := w.pool.Unused(); got != 2 {
			t.Errorf("%d kept, want 2", got)
		}
	})
}

func TestAbortEndsWhatWaits(t *testing.T) {
	stages := map[string]struct {
		link memwire.Link
		said string
	}{
		"connecting": {link: memwire.Link{Connect: time.Hour}},
		"head":       {},
		"body":       {said: okChunked + "1\r\nx\r\n"},
		"finishing":  {said: okChunked + "1\r\nx\r\n"},
	}
	for name, st := range stages {
		inWorld(t, st.link, Config{}, func(c *memwire.Conn) {
			requests(c, func(int) { say(c, st.said); time.Sleep(time.Hour) })
		}, func(w *world) {
			go func() {
				time.Sleep(300 * time.Millisecond)
				w.pool.Abort()
			}()
			x, err := w.pool.send(w.Context(), []byte(post), wire.Terms{Until: int64(time.Hour)})
			if err == nil {
				_, err = x.Head()
				if err == nil && name == "finishing" {
					x.Finish()
					err = wire.ErrAborted
				}
				if err == nil {
					_, err = rest(x)
				}
				x.Abort()
			}
			if !errors.Is(err, wire.ErrAborted) || wire.KindOf(err) != "" || w.now() != 300*ms {
				t.Errorf("%s: %v at %d ms, want given up at 300", name, err, w.now()/ms)
			}
			if _, err := w.pool.send(w.Context(), []byte(post), wire.Terms{Until: int64(time.Hour)}); !errors.Is(err, wire.ErrAborted) {
				t.Errorf("%s: Open after Abort: %v", name, err)
			}
		})
	}
}

func TestAConnectionMadeWhileThePoolClosesIsNotUsed(t *testing.T) {
	inWorld(t, memwire.Link{Connect: time.Second}, Config{}, echoing, func(w *world) {
		time.AfterFunc(300*time.Millisecond, w.pool.Close)
		_, err := w.pool.send(w.Context(), []byte(post), wire.Terms{Until: int64(time.Hour)})
		if !errors.Is(err, wire.ErrAborted) {
			t.Errorf("Open() = %v, want given up", err)
		}
	})
}

func TestAnAbortThatComesAfterFinishHarmsNobody(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{}, echoing, func(w *world) {
		old := w.open(wire.Terms{})
		w.whole(old)
		x := w.open(wire.Terms{})
		old.Abort()
		if got := w.whole(x); got != "hello" || w.dialed.Load() != 1 {
			t.Errorf("body %q on %d connections", got, w.dialed.Load())
		}
	})
}

func TestCancellingTheContextEndsTheWaitForAConnection(t *testing.T) {
	inWorld(t, memwire.Link{Connect: time.Hour}, Config{}, echoing, func(w *world) {
		ctx, cancel := context.WithCancel(w.Context())
		time.AfterFunc(time.Second, cancel)
		_, err := w.pool.send(ctx, []byte(post), wire.Terms{Until: record.None})
		if !errors.Is(err, wire.ErrAborted) || w.now() != 1000*ms {
			t.Errorf("%v at %d ms, want given up at 1000", err, w.now()/ms)
		}
	})
}
