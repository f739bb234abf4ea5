// This file switches the kernel's receive stamps on and sees that they come.

package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"assay/internal/record"
)

// EnableKernelStamps opens a socket that asks for receive stamps and returns
// once a TCP connection over loopback really carries one. Stamping is a switch
// of the whole kernel that goes on a moment after the first socket asks and
// off with the last: hold what is returned for as long as stamps are wanted.
// An error means that this kernel gives none.
func EnableKernelStamps() (io.Closer, error) {
	hold, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, fmt.Errorf("open a socket for kernel stamps: %w", err)
	}
	rc, err := hold.SyscallConn()
	if err == nil {
		err = askForStamps(rc)
	}
	if err == nil {
		err = awaitStamp(time.Second)
	}
	if err != nil {
		hold.Close()
		return nil, fmt.Errorf("ask the kernel for stamps: %w", err)
	}
	return hold, nil
}

// awaitStamp sends single bytes over loopback until one arrives stamped.
func awaitStamp(limit time.Duration) error {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer l.Close()
	d := Dialer{Now: func() int64 { return time.Now().UnixNano() }, FromWall: func(t int64) int64 { return t }, Kernel: true}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c, _, err := d.DialContext(ctx, "tcp4", l.Addr().String())
	if err != nil {
		return err
	}
	defer c.Close()
	peer, err := l.Accept()
	if err != nil {
		return err
	}
	defer peer.Close()
	deadline := time.Now().Add(limit)
	if err := c.SetDeadline(deadline); err != nil {
		return err
	}
	var b [1]byte
	for time.Now().Before(deadline) {
		if _, err := peer.Write(b[:]); err != nil {
			return err
		}
		if _, err := c.Read(b[:]); err != nil {
			return err
		}
		if c.Stamp().Clock == record.Kernel {
			return nil
		}
		time.Sleep(100 * time.Microsecond)
	}
	return errors.New("bytes arrive without one")
}
