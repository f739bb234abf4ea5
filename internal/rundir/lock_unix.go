//go:build unix

package rundir

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// takeLock locks f for as long as it is open: the kernel frees it when this
// process ends, however it ends. ErrRunning when somebody else holds it,
// errNoLocks where the file system has none.
func takeLock(f *os.File) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	var locked error
	if err := raw.Control(func(fd uintptr) { locked = syscall.Flock(int(fd), syscall.LOCK_EX|syscall.LOCK_NB) }); err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	switch {
	case locked == nil:
		return nil
	case errors.Is(locked, syscall.EWOULDBLOCK):
		return ErrRunning
	case errors.Is(locked, syscall.ENOLCK), errors.Is(locked, syscall.EOPNOTSUPP), errors.Is(locked, syscall.ENOSYS):
		return errNoLocks
	}
	return fmt.Errorf("lock: %w", locked)
}
