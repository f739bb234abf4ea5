// This file tests the whole way over real sockets, against net/http's server,
// over TLS and with prior knowledge.

package http2

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
)

// realPool is a pool to a server of this machine, over TLS or not.
func realPool(t *testing.T, h http.HandlerFunc, secure bool, streams int) *Pool {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	u := &url.URL{Scheme: "http"}
	cfg := Config{URL: u, ConnectLimit: 30 * time.Second, Streams: streams}
	if secure {
		s.EnableHTTP2 = true
		s.StartTLS()
		roots := x509.NewCertPool()
		roots.AddCert(s.Certificate())
		cfg.TLS, u.Scheme = &tls.Config{RootCAs: roots}, "https"
	} else {
		s.Config.Protocols = &http.Protocols{}
		s.Config.Protocols.SetUnencryptedHTTP2(true)
		s.Start()
	}
	t.Cleanup(s.Close)
	u.Host = s.Listener.Addr().String()
	start := time.Now()
	cfg.Now = func() int64 { return int64(time.Since(start)) }
	wall := start.UnixNano()
	d := &wire.Dialer{Now: cfg.Now, FromWall: func(w int64) int64 { return w - wall }, Kernel: true}
	cfg.Dial = d.DialContext
	p := NewPool(cfg)
	t.Cleanup(p.Abort)
	return p
}

func TestEventsOfARealServerComeInOrderWithTheirStamps(t *testing.T) {
	const n, requests = 100, 8
	hold, err := wire.EnableKernelStamps()
	if err == nil {
		defer hold.Close()
	} else if !errors.Is(err, errors.ErrUnsupported) {
		t.Fatal(err)
	}
	stamped := err == nil
	handler := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		for i := range n {
			fmt.Fprintf(w, "data: %d\n\n", i)
			w.(http.Flusher).Flush()
		}
	}
	want := ""
	for i := range n {
		want += fmt.Sprintf("data: %d\n\n", i)
	}
	for _, c := range []struct {
		secure  bool
		streams int
	}{{false, 1}, {true, 1}, {false, 4}, {true, 4}} {
		p := realPool(t, handler, c.secure, c.streams)
		request, err := Encode(p.cfg.URL, "POST", nil, []byte(strings.Repeat("x", 100_000)))
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		var events, bare atomic.Int64
		for range requests {
			all.Go(func() {
				x, err := p.Open(t.Context(), request, wire.Terms{Idle: time.Minute, Until: p.cfg.Now() + int64(time.Minute)})
				if err != nil {
					t.Error(err)
					return
				}
				defer x.Finish()
				if _, err := x.Head(); err != nil {
					t.Error(err)
					return
				}
				text, last, buf := "", int64(0), make([]byte, 4096)
				for {
					piece, err := x.Read(buf)
					if err == io.EOF {
						break
					}
					if err != nil {
						t.Error(err)
						return
					}
					text += string(buf[:piece.N])
					s := x.ArrivedAt(piece.End)
					events.Add(1)
					if s.Clock != record.Kernel { // the kernel leaves out a stamp now and then: the read stands for it
						bare.Add(1)
						continue
					}
					if s.Arrived < last || s.Arrived > s.Read+int64(time.Millisecond) {
						t.Errorf("%+v after %d", s, last)
					}
					last = s.Arrived
				}
				if tm := x.Times(); text != want || tm.Written < tm.Sent || tm.FirstByte < tm.Sent-int64(time.Millisecond) {
					t.Errorf("%d bytes of %d, %+v", len(text), len(want), tm)
				}
			})
		}
		all.Wait()
		if stamped && bare.Load()*10 > events.Load() {
			t.Errorf("%d of %d events have no stamp of the kernel", bare.Load(), events.Load())
		}
		if _, open := p.Paths(nil, 0); open > requests {
			t.Errorf("%d connections for %d requests at a time", open, requests)
		}
	}
}

func TestAServerWithoutHTTP2IsNamedInTheHandshake(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	s.TLS = &tls.Config{NextProtos: []string{"http/1.1"}}
	s.StartTLS()
	defer s.Close()
	u, _ := url.Parse(s.URL)
	start := time.Now()
	d := &wire.Dialer{Now: func() int64 { return int64(time.Since(start)) }}
	p := NewPool(Config{URL: u, TLS: &tls.Config{InsecureSkipVerify: true}, Dial: d.DialContext, Now: d.Now})
	if _, err := p.Open(t.Context(), post, wire.Terms{Until: record.None}); err == nil || wire.KindOf(err) == record.ErrReset {
		t.Errorf("Open = %v (%s), want an error of the handshake", err, wire.KindOf(err))
	}
}
