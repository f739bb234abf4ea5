package simserver

// When a request's last bytes reached this machine, by the kernel: a server
// that is late to read them is late itself, and the truth must not hide it.

import (
	"encoding/binary"
	"io"
	"net"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// An ear reads a socket and keeps the kernel's stamp of what it read last.
type ear struct {
	raw  syscall.RawConn
	once func(fd uintptr) bool
	into []byte
	n    int
	err  error
	oob  [64]byte
	wall int64 // CLOCK_REALTIME, ns; 0: the kernel gave none
}

// newEar returns nil where the connection is no bare socket.
func newEar(c net.Conn) *ear {
	raw := socketOf(c)
	if raw == nil {
		return nil
	}
	var err error
	stamps := raw.Control(func(fd uintptr) {
		err = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1)
	})
	if stamps != nil || err != nil {
		return nil
	}
	e := &ear{raw: raw}
	e.once = e.receive
	return e
}

// Read reads what has arrived.
func (e *ear) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	e.into = p
	err := e.raw.Read(e.once)
	e.into = nil
	switch {
	case err != nil:
		return 0, err
	case e.err != nil:
		return 0, &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("recvmsg", e.err)}
	case e.n == 0:
		return 0, io.EOF
	}
	return e.n, nil
}

// receive reads once and reports whether that is the end of waiting.
func (e *ear) receive(fd uintptr) bool {
	for {
		n, oobn, _, _, err := unix.Recvmsg(int(fd), e.into, e.oob[:], unix.MSG_DONTWAIT)
		switch err {
		case unix.EINTR:
			continue
		case unix.EAGAIN:
			return false
		}
		e.n, e.err = max(0, n), err
		if n > 0 {
			e.wall = stampOf(e.oob[:oobn])
		}
		return true
	}
}

// stampOf is the time that the kernel put beside the bytes: a header of 16
// bytes and a timespec.
func stampOf(oob []byte) int64 {
	if len(oob) < 32 || binary.NativeEndian.Uint32(oob[8:]) != unix.SOL_SOCKET || binary.NativeEndian.Uint32(oob[12:]) != unix.SCM_TIMESTAMPNS {
		return 0
	}
	return int64(binary.NativeEndian.Uint64(oob[16:]))*1e9 + int64(binary.NativeEndian.Uint64(oob[24:]))
}

// arrived is the stamp of the last read on the clock of the truth, which says
// here that it is at; 0 where there is no stamp.
func (e *ear) arrived(at int64) int64 {
	if e == nil || e.wall == 0 {
		return 0
	}
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_REALTIME, &now) != nil {
		return 0
	}
	ago := now.Nano() - e.wall
	if ago < 0 || ago > int64(1e10) { // the wall clock was set meanwhile
		return 0
	}
	return at - ago
}
