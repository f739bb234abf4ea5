// This file tests stamps and limits in virtual time, to the nanosecond.

package http1

import (
	"crypto/tls"
	"fmt"
	"io"
	"testing"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
	"assay/internal/wire/memwire"
)

func TestTimesAreThoseOfTheExchange(t *testing.T) {
	link := memwire.Link{Up: constant(3 * time.Millisecond), Down: constant(5 * time.Millisecond), Connect: 7 * time.Millisecond}
	inWorld(t, link, Config{}, func(c *memwire.Conn) {
		requests(c, func(int) {
			time.Sleep(11 * time.Millisecond)
			say(c, okLength5)
		})
	}, func(w *world) {
		x := w.open(wire.Terms{})
		w.whole(x)
		want := wire.Times{
			Ready: 7 * ms, Sent: 7 * ms, Written: 7 * ms, FirstByte: (7 + 3 + 11 + 5) * ms,
			DNS: record.None, Connect: 7 * ms, TLS: record.None, RTT: record.None, Handover: record.None,
		}
		if got := x.Times(); got != want {
			t.Errorf("first exchange: %+v, want %+v", got, want)
		}
		x = w.open(wire.Terms{})
		w.whole(x)
		want = wire.Times{
			Ready: 26 * ms, Sent: 26 * ms, Written: 26 * ms, FirstByte: (26 + 3 + 11 + 5) * ms,
			DNS: record.None, Connect: record.None, TLS: record.None, RTT: record.None, Handover: record.None, Reused: true,
		}
		if got := x.Times(); got != want {
			t.Errorf("second exchange: %+v, want %+v", got, want)
		}
	})
}

func TestTheFirstByteIsThatOfTheHeadHoweverLongItTakes(t *testing.T) {
	for _, early := range []string{"", "HTTP/1.1 103 Early Hints\r\n\r\n"} {
		inWorld(t, memwire.Link{}, Config{}, func(c *memwire.Conn) {
			requests(c, func(int) {
				time.Sleep(10 * time.Millisecond)
				say(c, early)
				time.Sleep(10 * time.Millisecond)
				say(c, "HTTP/1.1 200 OK\r\n")
				time.Sleep(10 * time.Millisecond)
				say(c, "Content-Length: 0\r\n\r\n")
			})
		}, func(w *world) {
			x := w.open(wire.Terms{})
			w.whole(x)
			if got := x.Times().FirstByte; got != 20*ms || w.now() != 30*ms {
				t.Errorf("interim %q: first byte at %d ms, head at %d; want 20 and 30", early, got/ms, w.now()/ms)
			}
		})
	}
}

func TestARequestIsOneWrite(t *testing.T) {
	server, client := authority(t, "server.test")
	body := make([]byte, 12<<10)
	request, err := Encode(testURL, "POST", nil, body)
	if err != nil {
		t.Fatal(err)
	}
	for _, secure := range []bool{false, true} {
		inWorld(t, memwire.Link{}, Config{}, func(c *memwire.Conn) {
			var s io.ReadWriter = c
			if secure {
				s = tls.Server(c, server)
			}
			requests(s, func(int) { say(s, okLength5) })
		}, func(w *world) {
			if secure {
				w.secure(Config{TLS: client})
			}
			if err := w.pool.Warm(w.Context(), 1); err != nil {
				t.Fatal(err)
			}
			w.writes.Store(0)
			x, err := w.pool.send(w.Context(), request, wire.Terms{Until: record.None})
			if err != nil {
				t.Fatal(err)
			}
			w.whole(x)
			if got := w.writes.Load(); got != 1 {
				t.Errorf("TLS %v: %d writes for one request", secure, got)
			}
		})
	}
}

// The case that net/http gets wrong: it waits for the rest of a chunk that has
// begun, and holds back the complete event before it.
func TestAnEventIsHandedOverThoughTheNextChunkHasBegun(t *testing.T) {
	for _, begun := range []string{"", "\r", "\r\n", "\r\n2", "\r\n20\r", "\r\n20\r\n", "\r\n20\r\nda"} {
		inWorld(t, memwire.Link{}, Config{}, func(c *memwire.Conn) {
			requests(c, func(int) {
				say(c, okChunked)
				time.Sleep(10 * time.Millisecond)
				say(c, "9\r\ndata: a\n\n"+begun)
				time.Sleep(time.Minute)
			})
		}, func(w *world) {
			x := w.open(wire.Terms{})
			if _, err := x.Head(); err != nil {
				t.Fatal(err)
			}
			buf := make([]byte, 4096)
			piece, err := x.Read(buf)
			if err != nil || string(buf[:piece.N]) != "data: a\n\n" {
				t.Errorf("begun %q: Read() = %q, %v", begun, buf[:piece.N], err)
			}
			if w.now() != 10*ms {
				t.Errorf("begun %q: read at %d ms, want 10", begun, w.now()/ms)
			}
			if got := x.ArrivedAt(piece.End); got.Arrived != 10*ms || got.Clock != record.Kernel {
				t.Errorf("begun %q: ArrivedAt() = %+v, want 10 ms by the kernel", begun, got)
			}
			x.Abort()
		})
	}
}

func TestEachEventHasItsOwnArrivalHoweverLateItIsRead(t *testing.T) {
	const n = 50
	inWorld(t, memwire.Link{Down: constant(2 * time.Millisecond)}, Config{}, func(c *memwire.Conn) {
		requests(c, func(int) {
			say(c, okChunked)
			for i := range n {
				time.Sleep(20 * time.Millisecond)
				say(c, fmt.Sprintf("9\r\ndata: %c\n\n\r\n", 'A'+i%26))
			}
			say(c, "0\r\n\r\n")
		})
	}, func(w *world) {
		x := w.open(wire.Terms{})
		if _, err := x.Head(); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 4096)
		for i := range n {
			piece, err := x.Read(buf)
			if err != nil {
				t.Fatal(err)
			}
			want := wire.Stamp{Arrived: int64(20*(i+1)+2) * ms, Read: w.now(), Clock: record.Kernel}
			if got := x.ArrivedAt(piece.End); got != want {
				t.Errorf("event %d: %+v, want %+v", i, got, want)
			}
			time.Sleep(13 * time.Millisecond) // a slow reader, but faster than the gaps
		}
		if _, err := x.Read(buf); err != io.EOF {
			t.Errorf("Read() = %v, want EOF", err)
		}
	})
}

func TestSilencePastTheIdleLimitEndsTheExchangeAtTheLimit(t *testing.T) {
	inWorld(t, memwire.Link{}, Config{}, func(c *memwire.Conn) {
		requests(c, func(int) {
			time.Sleep(50 * time.Second) // before the head only the end counts
			say(c, okChunked)
			for range 5 {
				time.Sleep(9 * time.Second)
				say(c, "1\r\nx\r\n")
			}
			time.Sleep(time.Hour)
		})
	}, func(w *world) {
		x := w.open(wire.Terms{Idle: 10 * time.Second, Until: int64(10 * time.Minute)})
		if _, err := x.Head(); err != nil {
			t.Fatal(err)
		}
		body, err := rest(x)
		if body != "xxxxx" || kindOf(err) != record.ErrIdle {
			t.Errorf("read %q, then %v; want xxxxx, then idle", body, err)
		}
		if want := (50 + 45 + 10) * 1000 * ms; w.now() != want {
			t.Errorf("ended at %d ms, want %d", w.now()/ms, want/ms)
		}
		x.Abort()
	})
}

func TestTheExchangesEndHoldsAtEveryStage(t *testing.T) {
	for stage, link := range map[string]memwire.Link{
		"connecting": {Connect: time.Hour},
		"writing":    {UpWindow: 10},
		"head":       {},
		"body":       {},
	} {
		inWorld(t, link, Config{}, func(c *memwire.Conn) {
			if stage == "writing" {
				time.Sleep(time.Hour)
				return
			}
			requests(c, func(int) {
				if stage == "body" {
					say(c, okChunked)
				}
				for range 100 {
					time.Sleep(time.Second)
					if stage == "body" {
						say(c, "1\r\nx\r\n")
					}
				}
			})
		}, func(w *world) {
			x, err := w.pool.send(w.Context(), []byte(post), wire.Terms{Idle: 30 * time.Second, Until: 20_500 * ms})
			if err == nil {
				if _, err = x.Head(); err == nil {
					_, err = rest(x)
				}
				x.Abort()
			}
			if kindOf(err) != record.ErrTimeout || w.now() != 20_500*ms {
				t.Errorf("%s: %v (%s) at %d ms, want a timeout at 20500", stage, err, kindOf(err), w.now()/ms)
			}
		})
	}
}

func TestAConnectionThatIsNotAcceptedInTimeIsAConnectError(t *testing.T) {
	inWorld(t, memwire.Link{Connect: time.Minute}, Config{ConnectLimit: 3 * time.Second}, func(*memwire.Conn) {}, func(w *world) {
		_, err := w.pool.send(w.Context(), []byte(post), wire.Terms{Until: int64(time.Hour)})
		if kindOf(err) != record.ErrConnect || w.now() != 3000*ms {
			t.Errorf("%v (%s) at %d ms, want connect at 3000", err, kindOf(err), w.now()/ms)
		}
	})
}

func TestTimersAreNotTouchedForEachEvent(t *testing.T) {
	const n = 10_000
	inWorld(t, memwire.Link{}, Config{}, func(c *memwire.Conn) {
		requests(c, func(int) {
			say(c, okChunked)
			for range n {
				time.Sleep(20 * time.Millisecond)
				say(c, "9\r\ndata: a\n\n\r\n")
			}
			say(c, "0\r\n\r\n")
		})
	}, func(w *world) {
		x := w.open(wire.Terms{Idle: 30 * time.Second})
		w.whole(x)
		// 200 s hold six idle limits; two settings begin the exchange.
		if got := w.timers.Load(); got > 10 {
			t.Errorf("%d timer operations for %d events", got, n)
		}
	})
}

func TestReadingAnEventAllocatesNothing(t *testing.T) {
	const data = "data: {\"choices\":[{\"delta\":\" hello\"}]}\n\n"
	event := fmt.Sprintf("%x\r\n%s\r\n", len(data), data)
	segments := [][]byte{[]byte(okChunked)}
	for range 3000 {
		segments = append(segments, []byte(event))
	}
	x := openOn(t, newScript(io.EOF, segments...), post)
	if _, err := x.Head(); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 4096)
	if avg := testing.AllocsPerRun(2500, func() {
		piece, err := x.Read(buf)
		if err != nil || piece.N != len(data) {
			t.Fatal(piece, err)
		}
		x.ArrivedAt(piece.End)
	}); avg != 0 {
		t.Errorf("allocations per event = %v, want 0", avg)
	}
}
