// This file lists the system errors that mean a shortage on this machine,
// by the numbers that Windows sockets use.

package wire

import "syscall"

var localFaults = []error{
	syscall.Errno(10024), // WSAEMFILE: descriptors
	syscall.Errno(10049), // WSAEADDRNOTAVAIL: ephemeral ports
	syscall.Errno(10055), // WSAENOBUFS: memory, and ports on Windows
	syscall.EMFILE, syscall.ENOMEM,
}
