// This file tests HTTP/1.1 over TLS, in virtual time, with an authority of its
// own.

package http1

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/url"
	"testing"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
	"assay/internal/wire/memwire"
)

// authority returns a server's configuration for the name and a client's that
// trusts it.
func authority(t testing.TB, name string) (server, client *tls.Config) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	// Valid in the bubbles' time, too.
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, DNSNames: []string{name},
		NotBefore: time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(cert)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, &tls.Config{RootCAs: roots}
}

// secure makes the world's pool speak TLS.
func (w *world) secure(cfg Config) {
	cfg.URL = &url.URL{Scheme: "https", Host: "server.test"}
	cfg.Now, cfg.Dial = w.now, w.dial
	w.pool = NewPool(cfg)
}

func TestTLSKeepsTheArrivalOfEachEvent(t *testing.T) {
	const n = 20
	server, client := authority(t, "server.test")
	link := memwire.Link{Up: constant(2 * time.Millisecond), Down: constant(3 * time.Millisecond)}
	inWorld(t, link, Config{}, func(c *memwire.Conn) {
		s := tls.Server(c, server)
		requests(s, func(int) {
			say(s, okChunked)
			for range n {
				time.Sleep(20 * time.Millisecond)
				say(s, "9\r\ndata: a\n\n\r\n")
			}
			say(s, "0\r\n\r\n")
		})
	}, func(w *world) {
		w.secure(Config{TLS: client})
		x := w.open(wire.Terms{Idle: time.Second})
		if tm := x.Times(); tm.TLS != 5*ms || tm.Connect != 5*ms || tm.Ready != 5*ms {
			t.Errorf("Times() = %+v, want a handshake of one round trip, 5 ms", tm)
		}
		if _, err := x.Head(); err != nil {
			t.Fatal(err)
		}
		start := x.Times().FirstByte
		if want := (5 + 2 + 3) * ms; start != want {
			t.Errorf("first byte at %d, want %d", start, want)
		}
		buf := make([]byte, 4096)
		for i := range n {
			piece, err := x.Read(buf)
			if err != nil || piece.N != 9 {
				t.Fatalf("Read() = %+v, %v", piece, err)
			}
			want := wire.Stamp{Arrived: start + int64(20*(i+1))*ms, Read: w.now(), Clock: record.Kernel}
			if got := x.ArrivedAt(piece.End); got != want {
				t.Errorf("event %d: %+v, want %+v", i, got, want)
			}
			time.Sleep(7 * time.Millisecond)
		}
		x.Finish()
		// The server's session tickets are no reason to drop the connection.
		w.whole(w.open(wire.Terms{}))
		if got := w.dialed.Load(); got != 1 {
			t.Errorf("%d connections for two requests, want 1", got)
		}
	})
}

func TestTicketsOnAnUnusedConnectionDoNotEndIt(t *testing.T) {
	server, client := authority(t, "server.test")
	inWorld(t, memwire.Link{}, Config{}, func(c *memwire.Conn) {
		s := tls.Server(c, server)
		requests(s, func(n int) {
			say(s, okLength5)
			if n == 1 {
				s.Close()
			}
		})
	}, func(w *world) {
		w.secure(Config{TLS: client})
		if err := w.pool.Warm(w.Context(), 1); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		for range 3 { // the server says goodbye after two
			w.whole(w.open(wire.Terms{}))
			time.Sleep(time.Second)
		}
		if got := w.dialed.Load(); got != 2 {
			t.Errorf("%d connections, want 2", got)
		}
	})
}

// slowly writes each write in two halves with a pause between.
type slowly struct {
	net.Conn
	pause time.Duration
}

func (s slowly) Write(p []byte) (int, error) {
	if _, err := s.Conn.Write(p[:len(p)/2]); err != nil {
		return 0, err
	}
	time.Sleep(s.pause)
	n, err := s.Conn.Write(p[len(p)/2:])
	return len(p)/2 + n, err
}

func TestADeadlineThatIsMovedOnInsideATLSRecordLosesNothing(t *testing.T) {
	server, client := authority(t, "server.test")
	inWorld(t, memwire.Link{}, Config{}, func(c *memwire.Conn) {
		s := tls.Server(slowly{c, 6 * time.Second}, server)
		requests(s, func(int) {
			say(s, okChunked)
			for range 5 {
				say(s, "1\r\nx\r\n")
			}
			time.Sleep(time.Hour)
		})
	}, func(w *world) {
		w.secure(Config{TLS: client})
		x := w.open(wire.Terms{Idle: 10 * time.Second})
		if _, err := x.Head(); err != nil {
			t.Fatal(err)
		}
		start := x.Times().FirstByte
		body, err := rest(x)
		if body != "xxxxx" || kindOf(err) != record.ErrIdle {
			t.Errorf("read %q, then %v; want xxxxx, then idle", body, err)
		}
		if want := start + (5*6+10)*1000*ms; w.now() != want {
			t.Errorf("ended at %d ms, want %d", w.now()/ms, want/ms)
		}
		x.Abort()
	})
}

func TestAHandshakeThatFailsIsATLSError(t *testing.T) {
	server, client := authority(t, "server.test")
	other, _ := authority(t, "other.test")
	cases := map[string]struct {
		serve  func(*memwire.Conn)
		client *tls.Config
		at     int64
	}{
		"unknown authority": {func(c *memwire.Conn) { tls.Server(c, server).Handshake() }, &tls.Config{RootCAs: x509.NewCertPool()}, 0},
		"another name":      {func(c *memwire.Conn) { tls.Server(c, other).Handshake() }, client, 0},
		"plain HTTP":        {func(c *memwire.Conn) { c.Read(make([]byte, 1000)); say(c, "HTTP/1.1 400 Bad Request\r\n\r\n") }, client, 0},
		"a hang-up":         {func(c *memwire.Conn) { c.Read(make([]byte, 1000)) }, client, 0},
		"a reset":           {func(c *memwire.Conn) { c.Read(make([]byte, 1000)); c.Reset() }, client, 0},
		"silence":           {func(*memwire.Conn) { time.Sleep(time.Hour) }, client, 4000 * ms},
	}
	for name, tc := range cases {
		inWorld(t, memwire.Link{}, Config{}, tc.serve, func(w *world) {
			w.secure(Config{TLS: tc.client, ConnectLimit: 4 * time.Second})
			_, err := w.pool.send(w.Context(), []byte(post), wire.Terms{Until: int64(time.Hour)})
			if kindOf(err) != record.ErrTLS || w.now() != tc.at {
				t.Errorf("%s: %v (%s) at %d ms, want tls at %d", name, err, kindOf(err), w.now()/ms, tc.at/ms)
			}
		})
	}
}

func TestAConnectionCutInsideATLSRecordIsAReset(t *testing.T) {
	server, client := authority(t, "server.test")
	inWorld(t, memwire.Link{}, Config{}, func(c *memwire.Conn) {
		s := tls.Server(c, server)
		requests(s, func(int) {
			say(s, okChunked+"5\r\nhello\r\n")
			say(c, "\x17\x03\x03\x00\x20half a record")
			c.Close()
		})
	}, func(w *world) {
		w.secure(Config{TLS: client})
		x := w.open(wire.Terms{})
		if _, err := x.Head(); err != nil {
			t.Fatal(err)
		}
		body, err := rest(x)
		if body != "hello" || kindOf(err) != record.ErrReset {
			t.Errorf("read %q, then %v (%s); want hello, then a reset", body, err, kindOf(err))
		}
		x.Abort()
	})
}

func TestALargeBodyComesWholeOverTLS(t *testing.T) {
	server, client := authority(t, "server.test")
	body := make([]byte, 300_000)
	for i := range body {
		body[i] = byte('a' + i%23)
	}
	inWorld(t, memwire.Link{}, Config{}, func(c *memwire.Conn) {
		s := tls.Server(c, server)
		requests(s, func(int) { say(s, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)) })
	}, func(w *world) {
		w.secure(Config{TLS: client})
		x := w.open(wire.Terms{})
		if _, err := x.Head(); err != nil {
			t.Fatal(err)
		}
		var got []byte
		buf := make([]byte, 64<<10)
		for {
			piece, err := x.Read(buf)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, buf[:piece.N]...)
		}
		if string(got) != string(body) {
			t.Errorf("got %d bytes, which are not the %d sent", len(got), len(body))
		}
		x.Finish()
	})
}
