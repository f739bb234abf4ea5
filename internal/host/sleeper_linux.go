// A sleep that ends at an instant: a timerfd that Go's poller watches. A
// sleeping goroutine holds no thread, and it wakes with the network instead
// of after the runtime's own timers.
package host

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A Sleeper sleeps until instants of a Clock. It serves one goroutine at a time.
type Sleeper struct {
	clock *Clock
	timer *os.File
	raw   syscall.RawConn
	fd    int

	// The sleep under way. They are fields, and wait is made once, so that a
	// sleep allocates nothing.
	at    unix.ItimerSpec
	armed bool
	err   error
	wait  func(uintptr) bool
}

// NewSleeper returns a sleeper by this clock. Close it after use.
func NewSleeper(clock *Clock) (*Sleeper, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("create timer: %w", err)
	}
	s := &Sleeper{clock: clock, timer: os.NewFile(uintptr(fd), "timerfd"), fd: fd}
	if s.raw, err = s.timer.SyscallConn(); err != nil {
		s.timer.Close()
		return nil, fmt.Errorf("create timer: %w", err)
	}
	s.wait = s.armThenWait
	return s, nil
}

// Until sleeps until the clock shows t, never less. It returns early only
// with the error of ctx, and at once when t has passed.
func (s *Sleeper) Until(ctx context.Context, t int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.clock.Now() >= t {
		return nil
	}
	if ctx.Done() != nil {
		poked := make(chan struct{})
		stop := context.AfterFunc(ctx, func() {
			s.timer.SetReadDeadline(time.Unix(1, 0))
			close(poked)
		})
		defer func() {
			if !stop() {
				<-poked
				s.timer.SetReadDeadline(time.Time{})
			}
		}()
	}
	// The clock and the kernel's differ by less than a microsecond: what is
	// missing then is slept in a second round.
	for s.clock.Now() < t {
		if err := s.once(t); err != nil {
			if cause := ctx.Err(); cause != nil {
				return cause
			}
			return fmt.Errorf("sleep: %w", err)
		}
	}
	return nil
}

// once arms the timer for t and waits until it goes off. What it would say is
// not read, since the next arming clears it: no system call is needed but the
// arming, and that is raw.
func (s *Sleeper) once(t int64) error {
	s.at = unix.ItimerSpec{Value: unix.NsecToTimespec(max(1, s.clock.epoch+t))}
	s.armed, s.err = false, nil
	if err := s.raw.Read(s.wait); err != nil {
		return err
	}
	return s.err
}

// armThenWait is called before the wait and when it is over. The timer must be
// armed inside: the poller forgets what happened before the wait began.
func (s *Sleeper) armThenWait(uintptr) bool {
	if s.armed {
		return true
	}
	s.armed = true
	s.err = unix.TimerfdSettime(s.fd, unix.TFD_TIMER_ABSTIME, &s.at, nil)
	return s.err != nil
}

// Close frees the timer. A sleep under way ends with an error.
func (s *Sleeper) Close() error { return s.timer.Close() }
