// This file tests that failures are counted by their cause and told in words
// that are the same each time.

package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"

	"assay/internal/record"
)

func userDialer() *Dialer {
	return &Dialer{Now: func() int64 { return 0 }, FromWall: func(t int64) int64 { return t }}
}

func TestARefusedConnectionIsAConnectError(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	for _, kernel := range []bool{false, true} {
		d := userDialer()
		d.Kernel = kernel
		_, _, err = d.DialContext(context.Background(), "tcp", addr)
		if KindOf(err) != record.ErrConnect || !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("%v (%s), want a refused connection", err, KindOf(err))
		}
		if want := "connect " + addr + ": connection refused"; err.Error() != want {
			t.Errorf("error %q, want %q", err, want)
		}
	}
}

func TestANameThatDoesNotResolveIsADNSError(t *testing.T) {
	// No server is asked about a label of more than 63 bytes.
	name := strings.Repeat("x", 64) + ".test"
	_, times, err := userDialer().DialContext(context.Background(), "tcp", name+":80")
	if KindOf(err) != record.ErrDNS || !strings.Contains(err.Error(), name) {
		t.Errorf("%v (%s), want %s", err, KindOf(err), record.ErrDNS)
	}
	if times.Connect != record.None {
		t.Errorf("connect time %d, want none", times.Connect)
	}
}

func TestANameThatResolvesHasItsTime(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ticks := int64(0)
	d := userDialer()
	d.Now = func() int64 { ticks += 1000; return ticks }
	_, port, _ := net.SplitHostPort(l.Addr().String())
	c, times, err := d.DialContext(context.Background(), "tcp4", "localhost:"+port)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if times.DNS != 1000 || times.Connect != 1000 {
		t.Errorf("times %+v, want one tick each", times)
	}
}

func TestErrorsAreKindsOfTheRecord(t *testing.T) {
	reset := &net.OpError{Op: "read", Net: "tcp", Source: &net.TCPAddr{Port: 43210}, Err: os.NewSyscallError("recvmsg", syscall.ECONNRESET)}
	for _, c := range []struct {
		err        error
		kind, text string
	}{
		{StreamError(reset), record.ErrReset, "read: connection reset by peer"},
		{StreamError(fmt.Errorf("send: %w", reset)), record.ErrReset, "read: connection reset by peer"},
		{StreamError(&net.OpError{Op: "raw-read", Err: os.ErrDeadlineExceeded}), record.ErrTimeout, "read: i/o timeout"},
		{StreamError(&net.OpError{Op: "write", Err: syscall.EPIPE}), record.ErrReset, "write: broken pipe"},
		{StreamError(&net.OpError{Op: "read", Err: syscall.ENOBUFS}), record.ErrLocal, "read: no buffer space available"},
		{StreamError(&net.OpError{Op: "read", Err: net.ErrClosed}), "", "given up by the client"},
		{DialError(&net.OpError{Op: "dial", Addr: &net.TCPAddr{IP: net.IPv4(10, 0, 0, 1), Port: 80}, Err: os.NewSyscallError("connect", syscall.EADDRNOTAVAIL)}), record.ErrLocal, "connect 10.0.0.1:80: cannot assign requested address"},
		{DialError(&net.OpError{Op: "dial", Addr: &net.TCPAddr{IP: net.IPv4(10, 0, 0, 1), Port: 80}, Err: os.NewSyscallError("socket", syscall.EMFILE)}), record.ErrLocal, "connect 10.0.0.1:80: too many open files"},
		{DialError(&net.OpError{Op: "dial", Err: &net.DNSError{Err: "dial udp: socket: too many open files", Name: "a"}}), record.ErrLocal, "lookup a: dial udp: socket: too many open files"},
		{DialError(&net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "a", Server: "10.0.0.9:53", IsNotFound: true}}), record.ErrDNS, "lookup a: no such host"},
		{DialError(context.Canceled), "", "given up by the client"},
		{DialError(context.DeadlineExceeded), record.ErrConnect, "context deadline exceeded"},
		{TLSError(io.EOF), record.ErrTLS, "tls: connection closed in the handshake"},
		{TLSError(context.DeadlineExceeded), record.ErrTLS, "tls: the handshake took too long"},
		{TLSError(context.Canceled), "", "given up by the client"},
		{TLSError(errors.New("tls: bad")), record.ErrTLS, "tls: bad"},
		{TLSError(reset), record.ErrTLS, "tls: read: connection reset by peer"},
		{&Error{record.ErrIdle, errors.New("x")}, record.ErrIdle, "x"},
		{errors.New("not from here"), record.ErrProtocol, "not from here"},
	} {
		if KindOf(c.err) != c.kind || c.err.Error() != c.text {
			t.Errorf("%q is %q, want %q, %q", c.err, KindOf(c.err), c.text, c.kind)
		}
		if StreamError(c.err) != c.err && c.kind != record.ErrProtocol {
			t.Errorf("%q: classified twice, it is another", c.err)
		}
		if c.kind == "" && !errors.Is(c.err, ErrAborted) {
			t.Errorf("%q is not ErrAborted", c.err)
		}
	}
	if got := KindOf(nil); got != "" {
		t.Errorf("KindOf(nil) = %q", got)
	}
}
