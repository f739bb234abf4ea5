package simserver

import (
	"net"

	"golang.org/x/sys/unix"
)

// cork holds back what is written until the connection is closed, so that the
// last bytes and the end arrive together: no request can slip in between.
func cork(c net.Conn) {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		return
	}
	if raw, err := tcp.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) {
			_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_CORK, 1)
		})
	}
}
