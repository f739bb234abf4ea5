//go:build unix

package fleet

import (
	"fmt"
	"os"
	"syscall"
)

// pollable returns another descriptor of f's pipe, watched by Go's poller. A
// blocking read would sit in a system call with the process's only P until
// the runtime takes it away, up to 10 ms later, and the dispatcher would wait
// for that. Another descriptor, because a write to number 1 that meets no
// reader would be a signal instead of an error.
func pollable(f *os.File) (*os.File, error) {
	fd, err := dup(int(f.Fd()))
	if err != nil {
		return nil, fmt.Errorf("duplicate %s: %w", f.Name(), err)
	}
	if err := syscall.SetNonblock(fd, true); err != nil {
		return nil, fmt.Errorf("make %s non-blocking: %w", f.Name(), err)
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}

func dup(fd int) (int, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	fd, err := syscall.Dup(fd)
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	return fd, err
}
