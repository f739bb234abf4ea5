//go:build unix

package simserver

import (
	"net"
	"syscall"
)

// A trier writes to a socket without ever waiting.
type trier struct {
	raw   syscall.RawConn
	once  func(uintptr) bool
	bytes []byte
	n     int
	err   error
}

// socketOf is the socket of a connection, nil where that is no bare one.
func socketOf(c net.Conn) syscall.RawConn {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		return nil
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return nil
	}
	return raw
}

// newTrier returns nil where the connection is no bare socket.
func newTrier(c net.Conn) *trier {
	raw := socketOf(c)
	if raw == nil {
		return nil
	}
	t := &trier{raw: raw}
	t.once = func(fd uintptr) bool {
		t.n, t.err = writeNow(fd, t.bytes)
		return true
	}
	return t
}

// try writes what fits at once and returns how much that was.
func (t *trier) try(b []byte) (n int, err error) {
	t.bytes = b
	err = t.raw.Write(t.once)
	t.bytes = nil
	if err != nil {
		return 0, err
	}
	if t.err == syscall.EAGAIN || t.err == syscall.EINTR {
		return 0, nil
	}
	return max(0, t.n), t.err
}
