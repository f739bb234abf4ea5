// This file is the dialer's last step where the kernel gives no stamps.

//go:build !linux

package wire

import (
	"errors"
	"io"
	"net"
	"syscall"
)

func askForStamps(syscall.RawConn) error { return errors.ErrUnsupported }

func (d *Dialer) wrap(c net.Conn, _ int64) Conn { return newUserConn(c, d.Now) }

// EnableKernelStamps answers errors.ErrUnsupported: this system's stamps are
// user space's.
func EnableKernelStamps() (io.Closer, error) { return nil, errors.ErrUnsupported }
