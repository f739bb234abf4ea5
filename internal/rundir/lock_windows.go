package rundir

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// beyond is a byte that no file has: a lock here keeps nobody from reading or
// writing what is there.
const beyond = 0x7fffffff

// takeLock locks f for as long as it is open: the system frees it when this
// process ends, however it ends. ErrRunning when somebody else holds it,
// errNoLocks where the file system has none.
func takeLock(f *os.File) error {
	at := &windows.Overlapped{OffsetHigh: beyond}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return ErrRunning
	case errors.Is(err, windows.ERROR_INVALID_FUNCTION), errors.Is(err, windows.ERROR_NOT_SUPPORTED):
		return errNoLocks
	}
	return fmt.Errorf("lock: %w", err)
}
