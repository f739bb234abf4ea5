// This file stamps in user space, for systems whose kernel gives no stamps.

package wire

import (
	"net"
	"os"
	"time"

	"assay/internal/record"
)

// A userConn stamps each read when it returns.
type userConn struct {
	net.Conn
	now   Clock
	stamp Stamp
	way   pathfinder
}

func newUserConn(c net.Conn, now Clock) *userConn {
	u := &userConn{Conn: c, now: now}
	u.way.on(c)
	return u
}

func (c *userConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		at := c.now()
		c.stamp = Stamp{Arrived: at, Read: at, Clock: record.User}
	}
	return n, err
}

func (c *userConn) Stamp() Stamp { return c.stamp }

// Path is what TCP says of the connection.
func (c *userConn) Path() (Path, bool) { return c.way.Path() }

// TryRead waits a tenth of a millisecond: there is no portable read that does
// not wait. It leaves the read deadline cleared.
func (c *userConn) TryRead(p []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(100 * time.Microsecond)); err != nil {
		return 0, err
	}
	n, err := c.Read(p)
	if reset := c.SetReadDeadline(time.Time{}); reset != nil && err == nil {
		err = reset
	}
	if n == 0 && os.IsTimeout(err) {
		return 0, ErrWouldBlock
	}
	return n, err
}
