// This file is what TCP knows of the way to the peer, beside the bytes.

package wire

// A Path is what TCP says of a connection's way to the peer. Behind a proxy or
// a load balancer the peer is that, and not the server.
type Path struct {
	RTT         int64 // the smallest round trip, ns; record.None: none was measured
	Retransmits int64 // segments that this end sent again
}
