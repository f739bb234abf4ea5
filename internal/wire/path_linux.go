// This file asks the kernel what it knows of a connection's path. The system
// call is raw, like those of socket_linux.go and for the same reason.

package wire

import (
	"math"
	"net"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"assay/internal/record"
)

// A pathfinder asks about one socket. One goroutine asks at a time.
type pathfinder struct {
	raw  syscall.RawConn
	look func(fd uintptr) // made once, so that asking allocates nothing
	path Path
	told bool
}

// on prepares for asking about c; of what is no socket nothing is told.
func (p *pathfinder) on(c net.Conn) {
	if sc, ok := c.(syscall.Conn); ok {
		if raw, err := sc.SyscallConn(); err == nil {
			p.raw, p.look = raw, p.ask
		}
	}
}

// Path is what the kernel says now; false when it says nothing.
func (p *pathfinder) Path() (Path, bool) {
	if p.raw == nil {
		return Path{}, false
	}
	p.told = false
	if p.raw.Control(p.look) != nil {
		return Path{}, false
	}
	return p.path, p.told
}

func (p *pathfinder) ask(fd uintptr) {
	var info unix.TCPInfo
	size := uint32(unsafe.Sizeof(info))
	_, _, errno := syscall.RawSyscall6(unix.SYS_GETSOCKOPT, fd, unix.IPPROTO_TCP, unix.TCP_INFO,
		uintptr(unsafe.Pointer(&info)), uintptr(unsafe.Pointer(&size)), 0)
	if errno == 0 {
		p.path, p.told = pathOf(&info, uintptr(size)), true
	}
}

// pathOf reads the first size bytes of what the kernel told: an older kernel
// tells less, and the smallest round trip came last. It is that of the last
// five minutes, the handshake's among them; the smoothed one stands in for it.
func pathOf(info *unix.TCPInfo, size uintptr) Path {
	least := info.Min_rtt
	if size < unsafe.Offsetof(info.Min_rtt)+unsafe.Sizeof(info.Min_rtt) || least == 0 || least == math.MaxUint32 {
		least = info.Rtt
	}
	p := Path{RTT: record.None, Retransmits: int64(info.Total_retrans)}
	if least > 0 {
		p.RTT = int64(least) * 1000
	}
	return p
}
