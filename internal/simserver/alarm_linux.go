package simserver

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"assay/internal/sim"
)

// An alarm goes off at an instant of CLOCK_MONOTONIC: a timerfd that Go's
// poller watches. time.Sleep oversleeps by hundreds of µs in an idle process;
// this wakes with the network.
type alarm struct {
	file *os.File
	raw  syscall.RawConn
	fd   int
}

func newAlarm(clock) (*alarm, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("create timer: %w", err)
	}
	file := os.NewFile(uintptr(fd), "timerfd")
	raw, err := file.SyscallConn()
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("create timer: %w", err)
	}
	return &alarm{file: file, raw: raw, fd: fd}, nil
}

// set lets it go off at t, at once if t has passed, never if t is sim.Never.
// It may be called while wait waits.
func (a *alarm) set(t int64) {
	var at unix.ItimerSpec
	if t != sim.Never {
		at.Value = unix.NsecToTimespec(max(1, t))
	}
	if err := unix.TimerfdSettime(a.fd, unix.TFD_TIMER_ABSTIME, &at, nil); err != nil {
		panic("internal error: set a timer: " + err.Error())
	}
}

// wait calls arm, which sets the alarm, and returns once it has gone off; it
// may return early. The alarm must be set inside: the poller forgets what
// happened before the wait began. The expiry itself is not read, since the
// next set clears it: a system call less for each event.
func (a *alarm) wait(arm func()) error {
	armed := false
	return a.raw.Read(func(uintptr) bool {
		if armed {
			return true
		}
		armed = true
		arm()
		return false
	})
}

// close ends a wait with an error.
func (a *alarm) close() { a.file.Close() }
