package fleet

import (
	"os"
	"syscall"
)

// attributes: a group of its own, so that Ctrl-C reaches the coordinator
// alone and it decides how the run ends.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// widen does nothing: there is no such request here.
func widen(*os.File) {}

// pollable returns f as it is: the pipe was opened for blocking use.
func pollable(f *os.File) (*os.File, error) { return f, nil }
