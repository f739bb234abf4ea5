// This file tests the whole way over real sockets, against net/http's server.

package http1

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
	"assay/internal/wire/sse"
)

func realPool(t testing.TB, s *httptest.Server) *Pool {
	t.Helper()
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	now := func() int64 { return int64(time.Since(start)) }
	wall := start.UnixNano()
	d := &wire.Dialer{Now: now, FromWall: func(w int64) int64 { return w - wall }, Kernel: true}
	cfg := Config{URL: u, Dial: d.DialContext, Now: now, ConnectLimit: 30 * time.Second}
	if s.TLS != nil {
		roots := x509.NewCertPool()
		roots.AddCert(s.Certificate())
		cfg.TLS = &tls.Config{RootCAs: roots}
	}
	p := NewPool(cfg)
	t.Cleanup(p.Close)
	return p
}

func streaming(n int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range n {
			fmt.Fprintf(w, "data: %d\n\n", i)
			w.(http.Flusher).Flush()
		}
		io.WriteString(w, "data: [DONE]\n\n")
	})
}

func TestEventsOfARealServerComeInOrderWithTheirStamps(t *testing.T) {
	const n = 200
	hold, holdErr := wire.EnableKernelStamps()
	if holdErr == nil {
		defer hold.Close()
	} else if !errors.Is(holdErr, errors.ErrUnsupported) {
		t.Fatal(holdErr)
	}
	for _, start := range []func(http.Handler) *httptest.Server{httptest.NewServer, httptest.NewTLSServer} {
		s := start(streaming(n))
		p := realPool(t, s)
		for turn := range 3 {
			x, err := p.send(t.Context(), []byte(post), wire.Terms{Idle: time.Minute, Until: record.None})
			if err != nil {
				t.Fatal(err)
			}
			if h, err := x.Head(); err != nil || h.Status != 200 || h.ContentType != "text/event-stream" || !h.Chunked {
				t.Fatalf("Head() = %+v, %v", h, err)
			}
			times := x.Times()
			if times.Reused != (turn > 0) || times.Ready > times.Sent || times.Sent > times.Written {
				t.Errorf("turn %d: %+v", turn, times)
			}
			clock := record.Kernel
			if holdErr != nil {
				clock = record.User
			}
			checkEvents(t, x, n, clock)
			x.Finish()
		}
		s.Close()
		if x, err := p.send(t.Context(), []byte(post), wire.Terms{Until: record.None}); wire.KindOf(err) != record.ErrConnect {
			t.Errorf("after the server's end: %v, %v (%s); want a refused connection, not a stale one", x, err, wire.KindOf(err))
		}
	}
}

// checkEvents reads the numbers 0 to n−1 and the end marker.
func checkEvents(t *testing.T, x *Exchange, n int, clock record.Clock) {
	t.Helper()
	got, last := 0, x.Times().Sent-int64(time.Millisecond)
	var sc sse.Scanner
	for {
		piece, err := x.Read(sc.Buffer())
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		sc.Advance(piece)
		for ev, ok := sc.Next(); ok; ev, ok = sc.Next() {
			st := x.ArrivedAt(ev.End)
			if st.Clock != clock || st.Arrived < last || st.Arrived > st.Read+int64(time.Millisecond) {
				t.Errorf("event %d: %+v after %d, want clock %v", got, st, last, clock)
			}
			if want := fmt.Sprint(got); got < n && string(ev.Data) != want {
				t.Errorf("event %d is %q", got, ev.Data)
			}
			last = st.Arrived
			got++
		}
	}
	if got != n+1 {
		t.Errorf("%d events, want %d", got, n+1)
	}
}

func BenchmarkEvent(b *testing.B) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		event := []byte("data: {\"id\":\"chatcmpl-0123456789\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\" hello\"}}]}\n\n")
		for range b.N {
			w.Write(event)
		}
	}))
	defer s.Close()
	p := realPool(b, s)
	x, err := p.send(b.Context(), []byte(post), wire.Terms{Until: record.None})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := x.Head(); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	var sc sse.Scanner
	n := 0
	for {
		piece, err := x.Read(sc.Buffer())
		if err != nil {
			break
		}
		sc.Advance(piece)
		for ev, ok := sc.Next(); ok; ev, ok = sc.Next() {
			x.ArrivedAt(ev.End)
			n++
		}
	}
	if n != b.N {
		b.Fatalf("%d events, want %d", n, b.N)
	}
	x.Finish()
}
