// This file makes connections that stamp what they receive, and says how long
// the name and the connection took.

package wire

import (
	"context"
	"net"
	"net/http/httptrace"
	"syscall"

	"assay/internal/record"
)

// DialTimes are the parts of making a connection, in ns; record.None where a
// part did not happen.
type DialTimes struct {
	DNS     int64 // resolving the name
	Connect int64 // from the resolved name to the accepted connection
}

// A Dialer makes connections that know when their bytes arrived.
type Dialer struct {
	Now Clock // ns since the epoch, monotonic
	// FromWall brings a wall-clock stamp of the kernel (ns since 1970) to the
	// epoch's clock.
	FromWall func(int64) int64
	// Kernel asks for the kernel's receive stamps. Where there are none, stamps
	// are user space's, and say so.
	Kernel bool
}

// DialContext connects. Its error is an Error of kind dns, connect or local.
func (d *Dialer) DialContext(ctx context.Context, network, addr string) (Conn, DialTimes, error) {
	times := DialTimes{DNS: record.None, Connect: record.None}
	start := d.Now()
	asked, resolved := record.None, start
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		DNSStart: func(httptrace.DNSStartInfo) { asked = d.Now() },
		DNSDone: func(httptrace.DNSDoneInfo) {
			resolved = d.Now()
			times.DNS = resolved - asked
		},
	})
	dialer := net.Dialer{}
	if d.Kernel {
		// Before connecting: bytes that arrive at once are stamped too.
		dialer.Control = func(_, _ string, rc syscall.RawConn) error {
			askForStamps(rc)
			return nil
		}
	}
	c, err := dialer.DialContext(ctx, network, addr)
	if err != nil {
		return nil, times, DialError(err)
	}
	times.Connect = d.Now() - resolved
	return d.wrap(c, start), times, nil
}
