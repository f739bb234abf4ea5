package fleet

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// attributes: a group of its own, so that Ctrl-C reaches the coordinator
// alone and it decides how the run ends; and death with the coordinator,
// whatever the worker is doing.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// pipeSize holds some seconds of records while the coordinator is busy.
const pipeSize = 1 << 20

// widen asks for a larger pipe. The kernel may refuse; a worker then waits sooner.
func widen(f *os.File) {
	if raw, err := f.SyscallConn(); err == nil {
		raw.Control(func(fd uintptr) { unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeSize) })
	}
}
