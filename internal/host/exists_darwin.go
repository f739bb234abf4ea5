package host

import "golang.org/x/sys/unix"

func exists(pid int) bool { return unix.Kill(pid, 0) == nil }
