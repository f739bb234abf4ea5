// Package wire moves bytes and stamps them. Its rooms are the protocols
// (http1, sse, …) and memwire, the in-memory pair for virtual time. It
// understands no API and keeps no record.
package wire

import (
	"net"

	"assay/internal/record"
)

// A Stamp says when bytes had arrived. Times are ns since the run's epoch.
type Stamp struct {
	Arrived int64        // by the clock named
	Read    int64        // user space, right after the read that brought them returned
	Clock   record.Clock // User, Kernel or Packet
}

// A Conn is a connection that knows when the bytes of its last Read arrived.
type Conn interface {
	net.Conn
	// Stamp is the stamp of the most recent Read that returned bytes.
	Stamp() Stamp
}

// A Clock tells the time in ns since the run's epoch, on the monotonic clock.
type Clock func() int64

// A Piece is what one Read of a body brought: N bytes that lie together in
// the connection's byte stream and end at offset End.
type Piece struct {
	N   int
	End uint64
}

// Times are the stamps of one exchange; what did not happen is record.None.
type Times struct {
	Ready, Sent, Written, FirstByte int64
	DNS, Connect, TLS               int64 // durations
	RTT                             int64 // the connection's smallest round trip, once the head has come
	Handover                        int64 // duration: from Sent until the kernel had taken the first bytes
	Reused                          bool
}
