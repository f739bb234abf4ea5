// This file tells bytes that waited for a lost segment from bytes that waited
// for their reader. A segment behind a lost one has an early stamp, and nobody
// can read it before the lost one has come again: that is the network's doing.

package wire

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// lateRead is the lag from which a read is worth a look at what TCP knows.
const lateRead = int64(1e6)

// A hole watches one socket for segments that came out of their order.
type hole struct {
	raw    syscall.RawConn
	look   func(fd uintptr) // made once, so that looking allocates nothing
	count  uint32           // segments out of order, as the kernel told last
	seen   uint32           // and when it was looked at before
	filled int64            // when bytes behind a hole were read: what had arrived by then had waited
}

func (h *hole) on(raw syscall.RawConn) { h.raw, h.look = raw, h.ask }

func (h *hole) ask(fd uintptr) {
	var info unix.TCPInfo
	size := uint32(unsafe.Sizeof(info))
	_, _, errno := syscall.RawSyscall6(unix.SYS_GETSOCKOPT, fd, unix.IPPROTO_TCP, unix.TCP_INFO,
		uintptr(unsafe.Pointer(&info)), uintptr(unsafe.Pointer(&size)), 0)
	if end := unsafe.Offsetof(info.Rcv_ooopack) + unsafe.Sizeof(info.Rcv_ooopack); errno == 0 && uintptr(size) >= end {
		h.count = info.Rcv_ooopack
	}
}

// held tells whether bytes that arrived at at, and were read only at read, had
// waited for a lost segment. It asks the kernel only of late reads: so segments
// out of order since an earlier late one excuse the next.
func (h *hole) held(at, read int64) bool {
	if read-at < lateRead {
		return false
	}
	if at <= h.filled {
		return true // the rest of what one hole held up
	}
	if h.raw == nil || h.raw.Control(h.look) != nil || h.count == h.seen {
		return false
	}
	h.seen, h.filled = h.count, read
	return true
}
