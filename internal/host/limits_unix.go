//go:build linux || darwin

package host

import (
	"fmt"
	"math"
	"syscall"
)

// RaiseDescriptors raises the limit of open files as far as this user may,
// for this process and those that it starts, and returns it.
func RaiseDescriptors() (int, error) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0, fmt.Errorf("read the limit of open files: %w", err)
	}
	raised := limit
	raised.Cur = raised.Max
	// Some systems state a maximum that they do not grant: what stands, stands.
	if syscall.Setrlimit(syscall.RLIMIT_NOFILE, &raised) == nil {
		limit = raised
	}
	return int(min(limit.Cur, math.MaxInt32)), nil
}
