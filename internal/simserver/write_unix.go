//go:build unix && !linux

package simserver

import "golang.org/x/sys/unix"

// writeNow is a write to a socket that does not wait: Go's sockets never do.
func writeNow(fd uintptr, b []byte) (n int, err error) { return unix.Write(int(fd), b) }
