// This file reads a TCP socket by recvmsg, so that each read brings the
// kernel's receive stamp along, and refuses stamps that can't be true. Its
// system calls are raw and never wait: one that the runtime is told of wakes
// the runtime's monitor thread when the process was idle, and that costs as
// much as all the rest of reading an event.

package wire

import (
	"io"
	"net"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"assay/internal/record"
)

const (
	// stampSpace holds one control message with a timespec, and room to spare.
	stampSpace = 64
	// slack is how far a kernel stamp may contradict user space before it is
	// called false. The two clocks are joined by a sampled offset, whose error
	// is some microseconds; a step of the wall clock or a segment that waited
	// behind a lost one is far more.
	slack = int64(1e6)
)

// A socket is a connection whose Read takes the kernel's stamp. One goroutine
// reads at a time, and one writes.
type socket struct {
	net.Conn
	raw      syscall.RawConn
	now      Clock
	fromWall func(int64) int64

	stamp Stamp
	// empty is an instant at which nothing was there to be read: whatever is
	// read later was not deliverable before it.
	empty int64

	// The read in progress. They are fields, and receive is made once, so that
	// a read allocates nothing.
	n       int
	oobn    int
	err     error
	waited  bool
	receive func(fd uintptr) bool
	message unix.Msghdr
	vector  unix.Iovec
	oob     [stampSpace / 8]uint64 // words, so that it is aligned

	// The write in progress.
	from     []byte
	writeErr error
	send     func(fd uintptr) bool
	begun    int64 // when the kernel had taken the first bytes; record.None: nothing was written since that was asked

	way  pathfinder
	hole hole
}

func (d *Dialer) wrap(c net.Conn, start int64) Conn {
	sc, ok := c.(syscall.Conn)
	if !ok || !d.Kernel {
		return newUserConn(c, d.Now)
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return newUserConn(c, d.Now)
	}
	s := &socket{Conn: c, raw: raw, now: d.Now, fromWall: d.FromWall, empty: start, begun: record.None}
	s.receive, s.send = s.recvmsg, s.sendAll
	s.way.on(c)
	s.hole.on(raw)
	s.hole.filled = record.None
	return s
}

// askForStamps switches the kernel's stamps on for a socket. A kernel without
// them leaves the socket as it was: its stamps will be user space's.
func askForStamps(rc syscall.RawConn) error {
	var opt error
	err := rc.Control(func(fd uintptr) {
		opt = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_TIMESTAMPNS, 1)
	})
	if err != nil {
		return err
	}
	return opt
}

// Read reads what has arrived and stamps it.
func (s *socket) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	before := s.now()
	s.aim(p)
	err := s.raw.Read(s.receive)
	s.vector.Base = nil // the buffer is the caller's again
	if s.waited {
		s.empty = before
	}
	if err == nil {
		err = s.err
	}
	return s.finish(err)
}

// TryRead is Read, but answers ErrWouldBlock instead of waiting, and minds no
// deadline.
func (s *socket) TryRead(p []byte) (int, error) {
	s.aim(p)
	err := s.raw.Control(func(fd uintptr) { s.recvmsg(fd) })
	s.vector.Base = nil
	switch {
	case err != nil:
		return 0, err
	case s.waited:
		return 0, ErrWouldBlock
	}
	return s.finish(s.err)
}

// Stamp is the stamp of the most recent Read that returned bytes.
func (s *socket) Stamp() Stamp { return s.stamp }

// Path is what TCP says of the connection.
func (s *socket) Path() (Path, bool) { return s.way.Path() }

// aim says where the next read goes.
func (s *socket) aim(p []byte) {
	s.vector.Base = unsafe.SliceData(p)
	s.vector.SetLen(len(p))
	s.message = unix.Msghdr{Iov: &s.vector, Control: (*byte)(unsafe.Pointer(&s.oob))}
	s.message.SetIovlen(1)
	s.waited = false
}

// recvmsg reads once.
func (s *socket) recvmsg(fd uintptr) bool {
	for {
		s.message.SetControllen(stampSpace)
		n, _, errno := syscall.RawSyscall(unix.SYS_RECVMSG, fd, uintptr(unsafe.Pointer(&s.message)), unix.MSG_DONTWAIT)
		switch errno {
		case 0:
			s.n, s.oobn, s.err = int(n), int(s.message.Controllen), nil
		case syscall.EINTR:
			continue
		case syscall.EAGAIN:
			s.waited = true
			return false
		default:
			s.n, s.oobn, s.err = 0, 0, errno
		}
		return true
	}
}

// Write writes all of p, in one system call if the kernel takes it.
func (s *socket) Write(p []byte) (int, error) {
	s.from, s.writeErr = p, nil
	err := s.raw.Write(s.send)
	n := len(p) - len(s.from)
	s.from = nil
	if err == nil && s.writeErr != nil {
		err = &net.OpError{Op: "write", Net: "tcp", Err: os.NewSyscallError("sendto", s.writeErr)}
	}
	return n, err
}

// Begun is when the kernel had taken the first bytes of what was written since
// the last call; record.None when nothing was.
func (s *socket) Begun() int64 {
	at := s.begun
	s.begun = record.None
	return at
}

// opening is how much of a long request goes first: to take
// megabytes is milliseconds of work, and asked for is how long it took to begin.
const opening = 32 << 10

// sendAll sends what is left and reports whether the write is over.
func (s *socket) sendAll(fd uintptr) bool {
	for len(s.from) > 0 {
		piece, flags := s.from, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL
		if s.begun == record.None && len(piece) > opening {
			piece, flags = piece[:opening], flags|unix.MSG_MORE
		}
		n, _, errno := syscall.RawSyscall6(unix.SYS_SENDTO, fd, uintptr(unsafe.Pointer(unsafe.SliceData(piece))), uintptr(len(piece)), uintptr(flags), 0, 0)
		switch errno {
		case 0:
			s.from = s.from[n:]
		case syscall.EINTR:
			continue
		case syscall.EAGAIN:
			return false
		default:
			s.writeErr = errno
			return true
		}
		if s.begun == record.None {
			s.begun = s.now()
		}
	}
	return true
}

func (s *socket) finish(err error) (int, error) {
	if err != nil {
		if errno, ok := err.(syscall.Errno); ok {
			err = &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("recvmsg", errno)}
		}
		return 0, err
	}
	if s.n <= 0 {
		return 0, io.EOF
	}
	read := s.now()
	s.stamp = Stamp{Arrived: read, Read: read, Clock: record.User}
	if wall, ok := s.kernelStamp(); ok {
		if at := s.fromWall(wall); believable(at, s.empty, read) && !s.hole.held(at, read) {
			s.stamp.Arrived, s.stamp.Clock = at, record.Kernel
		}
	}
	return s.n, nil
}

// believable tells whether an arrival lies where it can: not after the read
// that returned it, not before an instant at which there was nothing to read.
// A wall clock that stepped breaks either; so does a segment that came early
// but waited behind a lost one.
func believable(at, empty, read int64) bool {
	return at <= read+slack && at >= empty-slack
}

// kernelStamp finds the receive stamp among the control messages: wall clock,
// ns since 1970.
func (s *socket) kernelStamp() (int64, bool) {
	const header = unsafe.Sizeof(syscall.Cmsghdr{})
	base := unsafe.Pointer(&s.oob)
	for at := uintptr(0); at+header+unsafe.Sizeof(syscall.Timespec{}) <= uintptr(s.oobn); {
		h := (*syscall.Cmsghdr)(unsafe.Add(base, at))
		if h.Level == syscall.SOL_SOCKET && h.Type == syscall.SCM_TIMESTAMPNS {
			t := (*syscall.Timespec)(unsafe.Add(base, at+uintptr(syscall.CmsgLen(0))))
			return t.Nano(), t.Sec != 0
		}
		step := uintptr(syscall.CmsgSpace(int(h.Len) - syscall.CmsgLen(0)))
		if uintptr(h.Len) < header || step == 0 {
			break
		}
		at += step
	}
	return 0, false
}
