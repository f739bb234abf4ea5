// Package memwire is a network in memory: connections with a latency model and
// stamps, for tests in virtual time. It starts no goroutine and touches no
// socket, and it promises that everything in it that waits is durably blocked
// in a testing/synctest bubble. It refuses nothing that a TCP connection does,
// resets included.
package memwire

import (
	"io"
	"net"
	"syscall"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
)

// A Link is how a connection behaves. Its zero value has no delay, takes any
// number of bytes, and stamps as a user-space clock would.
type Link struct {
	// Up and Down are how long n bytes take from the client to the server and
	// back; nil: no time. Segments never overtake.
	Up, Down func(n int) time.Duration
	// Connect is how long a connection takes to be made.
	Connect time.Duration
	// UpWindow and DownWindow are how many bytes may be written and not read;
	// 0: any number.
	UpWindow, DownWindow int
	// Clock is what arrivals are stamped by: record.Kernel, record.Packet, or
	// record.User, which is also the meaning of record.NoClock.
	Clock record.Clock
	// RTT is what the connection says its round trip is; 0: it says nothing.
	RTT time.Duration
}

// A Conn is one end of a connection.
type Conn struct {
	in, out       *half
	local, remote addr
	stamp         wire.Stamp
	rtt           time.Duration
}

var _ wire.Conn = (*Conn)(nil)

// Pipe returns the two ends of a connection.
func Pipe(now wire.Clock, l Link) (client, server *Conn) {
	if l.Clock == record.NoClock {
		l.Clock = record.User
	}
	up, down := newHalf(now, l.Clock, l.UpWindow, l.Up), newHalf(now, l.Clock, l.DownWindow, l.Down)
	client = &Conn{in: down, out: up, local: "client", remote: "server", rtt: l.RTT}
	server = &Conn{in: up, out: down, local: "server", remote: "client", rtt: l.RTT}
	return client, server
}

// Read waits for bytes and returns all that have arrived and fit.
func (c *Conn) Read(p []byte) (int, error) { return c.read(p, true) }

// TryRead is Read, but answers wire.ErrWouldBlock instead of waiting.
func (c *Conn) TryRead(p []byte) (int, error) { return c.read(p, false) }

func (c *Conn) read(p []byte, wait bool) (int, error) {
	n, stamp, err := c.in.read(p, wait)
	if n > 0 {
		c.stamp = stamp
	}
	return n, c.wrap("read", err)
}

// Write sends p as one segment, as far as the window allows.
func (c *Conn) Write(p []byte) (int, error) {
	n, err := c.out.write(p)
	return n, c.wrap("write", err)
}

// Stamp is the stamp of the most recent Read that returned bytes.
func (c *Conn) Stamp() wire.Stamp { return c.stamp }

// Path is what TCP would say of the connection.
func (c *Conn) Path() (wire.Path, bool) { return wire.Path{RTT: int64(c.rtt)}, c.rtt > 0 }

// Close ends the connection: the peer reads what was written, then io.EOF.
func (c *Conn) Close() error {
	c.out.closeWriter(io.EOF)
	c.in.closeReader()
	return nil
}

// Reset cuts the connection: the peer reads what was written, then its read
// fails.
func (c *Conn) Reset() {
	c.out.closeWriter(syscall.ECONNRESET)
	c.in.closeReader()
}

// CloseWrite ends this end's bytes; it can still read.
func (c *Conn) CloseWrite() error {
	c.out.closeWriter(io.EOF)
	return nil
}

func (c *Conn) wrap(op string, err error) error {
	if err == nil || err == io.EOF || err == wire.ErrWouldBlock {
		return err
	}
	return &net.OpError{Op: op, Net: "mem", Source: c.local, Addr: c.remote, Err: err}
}

func (c *Conn) LocalAddr() net.Addr  { return c.local }
func (c *Conn) RemoteAddr() net.Addr { return c.remote }

func (c *Conn) SetDeadline(t time.Time) error {
	c.in.setDeadline(&c.in.readEnd, t)
	c.out.setDeadline(&c.out.writeEnd, t)
	return nil
}

func (c *Conn) SetReadDeadline(t time.Time) error {
	c.in.setDeadline(&c.in.readEnd, t)
	return nil
}

func (c *Conn) SetWriteDeadline(t time.Time) error {
	c.out.setDeadline(&c.out.writeEnd, t)
	return nil
}

type addr string

func (addr) Network() string  { return "mem" }
func (a addr) String() string { return string(a) }
