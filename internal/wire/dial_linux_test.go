// This file tests faults of connecting that have to be made with the system's
// own means.

package wire

import (
	"context"
	"net"
	"syscall"
	"testing"
	"time"

	"assay/internal/record"
)

func TestTheLackOfDescriptorsIsThisMachinesFault(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	now, fromWall := clock()
	d := &Dialer{Now: now, FromWall: fromWall, Kernel: true}
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &old); err != nil {
		t.Fatal(err)
	}
	none := old
	none.Cur = 1
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none); err != nil {
		t.Fatal(err)
	}
	_, _, dialErr := d.DialContext(context.Background(), "tcp", l.Addr().String())
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &old); err != nil {
		t.Fatal(err)
	}
	if KindOf(dialErr) != record.ErrLocal {
		t.Errorf("%v (%s), want %s", dialErr, KindOf(dialErr), record.ErrLocal)
	}
}

func TestAServerThatDoesNotAcceptIsAConnectError(t *testing.T) {
	// A listener with room for one connection, which nobody accepts.
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	sa, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	addr := net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: sa.(*syscall.SockaddrInet4).Port}
	now, fromWall := clock()
	d := &Dialer{Now: now, FromWall: fromWall, Kernel: true}
	for range 10 {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		c, _, err := d.DialContext(ctx, "tcp", addr.String())
		cancel()
		if err == nil {
			defer c.Close()
			continue
		}
		if KindOf(err) != record.ErrConnect {
			t.Errorf("%v (%s), want %s", err, KindOf(err), record.ErrConnect)
		}
		return
	}
	t.Error("ten connections were made with a backlog of none")
}
