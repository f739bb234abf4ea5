// This file tests the network in memory: its latency, its stamps, and that it
// behaves like TCP where code depends on it.

package memwire

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
)

const ms = int64(time.Millisecond)

func clock() wire.Clock {
	start := time.Now()
	return func() int64 { return int64(time.Since(start)) }
}

func after(d time.Duration) func(int) time.Duration {
	return func(int) time.Duration { return d }
}

func TestBytesArriveAfterTheDelayAndAreStampedWithIt(t *testing.T) {
	for _, kind := range []record.Clock{record.Kernel, record.User, record.NoClock} {
		synctest.Test(t, func(t *testing.T) {
			now := clock()
			client, server := Pipe(now, Link{Down: after(5 * time.Millisecond), Clock: kind})
			go func() {
				for range 3 {
					time.Sleep(20 * time.Millisecond)
					server.Write([]byte("ab"))
				}
				server.Close()
			}()
			buf := make([]byte, 10)
			for i := range int64(3) {
				n, err := client.Read(buf)
				if n != 2 || err != nil {
					t.Fatalf("Read() = %d, %v", n, err)
				}
				at := (20*(i+1) + 5) * ms
				want := wire.Stamp{Arrived: at, Read: at, Clock: kind}
				if kind == record.NoClock {
					want.Clock = record.User
				}
				if got := client.Stamp(); got != want {
					t.Errorf("stamp %+v, want %+v", got, want)
				}
			}
			if n, err := client.Read(buf); n != 0 || err != io.EOF || now() != 65*ms {
				t.Errorf("Read() = %d, %v at %d ms; want EOF at 65", n, err, now()/ms)
			}
		})
	}
}

// As in a socket's receive queue, which knows the last segment's arrival only.
func TestALateReadTakesSeveralSegmentsAndTheStampOfTheLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := Pipe(clock(), Link{Clock: record.Kernel})
		for range 3 {
			server.Write([]byte("ab"))
			time.Sleep(10 * time.Millisecond)
		}
		buf := make([]byte, 5)
		for _, want := range []struct {
			n       int
			arrived int64
		}{{5, 20 * ms}, {1, 20 * ms}} {
			n, err := client.Read(buf)
			if s := client.Stamp(); n != want.n || err != nil || s.Arrived != want.arrived || s.Read != 30*ms {
				t.Errorf("Read() = %d, %v, stamp %+v; want %d bytes of %d", n, err, s, want.n, want.arrived)
			}
		}
	})
}

func TestAUserSpaceStampIsThatOfTheRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := Pipe(clock(), Link{})
		server.Write([]byte("ab"))
		time.Sleep(10 * time.Millisecond)
		client.Read(make([]byte, 5))
		if s := client.Stamp(); s.Arrived != 10*ms || s.Read != 10*ms {
			t.Errorf("stamp %+v, want both at 10 ms", s)
		}
	})
}

func TestSegmentsDoNotOvertake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := clock()
		client, server := Pipe(now, Link{Down: func(n int) time.Duration { return time.Duration(10-n) * time.Millisecond }, Clock: record.Kernel})
		server.Write([]byte("a"))
		server.Write([]byte("bbbbb"))
		buf := make([]byte, 10)
		n, err := client.Read(buf)
		if string(buf[:n]) != "abbbbb" || err != nil || now() != 9*ms || client.Stamp().Arrived != 9*ms {
			t.Errorf("Read() = %q, %v at %d ms, stamp %+v", buf[:n], err, now()/ms, client.Stamp())
		}
	})
}

func TestDeadlinesEndReadsAndFullWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := clock()
		client, _ := Pipe(now, Link{UpWindow: 4})
		client.SetDeadline(time.Now().Add(50 * time.Millisecond))
		if _, err := client.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) || now() != 50*ms {
			t.Errorf("Read() = %v at %d ms", err, now()/ms)
		}
		client.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
		n, err := client.Write(make([]byte, 10))
		if n != 4 || !errors.Is(err, os.ErrDeadlineExceeded) || now() != 100*ms {
			t.Errorf("Write() = %d, %v at %d ms; want 4 bytes and a deadline at 100", n, err, now()/ms)
		}
		// A deadline that is moved wakes who waits under the old one.
		client.SetReadDeadline(time.Now().Add(time.Hour))
		time.AfterFunc(10*time.Millisecond, func() { client.SetReadDeadline(time.Now().Add(5 * time.Millisecond)) })
		if _, err := client.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) || now() != 115*ms {
			t.Errorf("Read() = %v at %d ms, want a deadline at 115", err, now()/ms)
		}
	})
}

func TestAFullWindowWaitsForTheReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := clock()
		client, server := Pipe(now, Link{UpWindow: 4})
		go func() {
			time.Sleep(30 * time.Millisecond)
			io.ReadFull(server, make([]byte, 10))
		}()
		n, err := client.Write(make([]byte, 10))
		if n != 10 || err != nil || now() != 30*ms {
			t.Errorf("Write() = %d, %v at %d ms; want 10 at 30", n, err, now()/ms)
		}
	})
}

func TestEndsAreToldApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		buf := make([]byte, 10)
		for _, end := range []struct {
			do   func(*Conn)
			want error
		}{
			{func(c *Conn) { c.Close() }, io.EOF},
			{func(c *Conn) { c.CloseWrite() }, io.EOF},
			{func(c *Conn) { c.Reset() }, syscall.ECONNRESET},
		} {
			client, server := Pipe(clock(), Link{Down: after(time.Millisecond)})
			server.Write([]byte("ab"))
			end.do(server)
			n, err := client.Read(buf)
			if n != 2 || err != nil {
				t.Errorf("what was written before the end: %d, %v", n, err)
			}
			for range 2 {
				if n, err := client.Read(buf); n != 0 || !errors.Is(err, end.want) {
					t.Errorf("Read() = %d, %v; want %v", n, err, end.want)
				}
			}
			client.Close()
			if _, err := client.Read(buf); !errors.Is(err, net.ErrClosed) {
				t.Errorf("Read() on a closed end = %v", err)
			}
			if _, err := client.Write(buf); !errors.Is(err, net.ErrClosed) {
				t.Errorf("Write() on a closed end = %v", err)
			}
		}
	})
}

func TestTryReadAnswersAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := clock()
		client, server := Pipe(now, Link{Down: after(time.Millisecond)})
		server.Write([]byte("ab"))
		buf := make([]byte, 10)
		if n, err := client.TryRead(buf); n != 0 || err != wire.ErrWouldBlock {
			t.Errorf("under way: %d, %v", n, err)
		}
		time.Sleep(time.Millisecond)
		if n, err := client.TryRead(buf); n != 2 || err != nil {
			t.Errorf("arrived: %d, %v", n, err)
		}
		server.Close()
		time.Sleep(time.Millisecond)
		if n, err := client.TryRead(buf); n != 0 || err != io.EOF {
			t.Errorf("ended: %d, %v", n, err)
		}
		if now() != 2*ms {
			t.Errorf("it took %d ms", now()/ms)
		}
	})
}

func TestNetHTTPCanServeOnIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := clock()
		l := Listen(now, Link{Up: after(2 * time.Millisecond), Down: after(3 * time.Millisecond), Connect: 5 * time.Millisecond})
		srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(100 * time.Millisecond)
			io.WriteString(w, "hello")
		})}
		go srv.Serve(l)
		tr := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			c, _, err := l.Dial(ctx, network, addr)
			return c, err
		}}
		resp, err := (&http.Client{Transport: tr}).Get("http://server/")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if string(body) != "hello" || err != nil || now() != 110*ms {
			t.Errorf("%q, %v at %d ms; want hello at 110", body, err, now()/ms)
		}
		tr.CloseIdleConnections()
		srv.Close()
		if _, _, err := l.Dial(t.Context(), "", ""); wire.KindOf(err) != record.ErrConnect {
			t.Errorf("Dial after Close: %v (%s)", err, wire.KindOf(err))
		}
	})
}
