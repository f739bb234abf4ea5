// This file lists the system errors that mean a shortage on this machine.

//go:build !windows

package wire

import "syscall"

var localFaults = []error{
	syscall.EMFILE, syscall.ENFILE, // descriptors
	syscall.EADDRNOTAVAIL,           // ephemeral ports
	syscall.ENOMEM, syscall.ENOBUFS, // memory
}
