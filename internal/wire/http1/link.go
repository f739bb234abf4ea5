// This file keeps an exchange's time limits without a timer operation per
// read: the deadline that stands on the socket is never later than the true
// one, and is moved on only when it fires.

package http1

import (
	"errors"
	"fmt"
	"os"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
)

// A prober can be asked whether anything has arrived, without waiting.
type prober interface{ TryRead([]byte) (int, error) }

// A link is the connection as the protocol (or TLS) above it sees it.
type link struct {
	wire.Conn
	now     wire.Clock
	until   int64 // the exchange's end; record.None: none
	idle    int64 // longest silence, ns; 0: any
	last    int64 // when the last bytes were read, or the silence began
	armed   int64 // the deadline that stands; record.None: none
	probing bool
}

// begin sets the limits of a new exchange, for reading and writing.
func (l *link) begin(until int64) error {
	l.until, l.idle, l.armed = until, 0, until
	return l.SetDeadline(l.wall(until))
}

// silence allows no more than idle between bytes from now on.
func (l *link) silence(idle time.Duration) error {
	l.idle = int64(idle)
	return l.arm()
}

// end moves the exchange's end, for reading.
func (l *link) end(until int64) error {
	l.until = until
	return l.arm()
}

// arm sees that the deadline on the socket is not after the true one.
func (l *link) arm() error {
	limit := l.limit()
	if limit == record.None || l.armed != record.None && l.armed <= limit {
		return nil
	}
	l.armed = limit
	return l.SetReadDeadline(l.wall(limit))
}

// limit is the instant after which waiting for bytes is in vain.
func (l *link) limit() int64 {
	if l.idle == 0 {
		return l.until
	}
	silent := l.last + l.idle
	if l.until == record.None {
		return silent
	}
	return min(silent, l.until)
}

func (l *link) wall(t int64) time.Time {
	if t == record.None {
		return time.Time{}
	}
	return time.Now().Add(time.Duration(t - l.now()))
}

// Read reads until bytes come or a limit has truly passed.
func (l *link) Read(p []byte) (int, error) {
	if l.probing {
		if pr, ok := l.Conn.(prober); ok {
			return pr.TryRead(p)
		}
		return 0, wire.ErrWouldBlock
	}
	for {
		n, err := l.Conn.Read(p)
		if n > 0 {
			l.last = l.Conn.Stamp().Read
			return n, nil
		}
		if err == nil || !errors.Is(err, os.ErrDeadlineExceeded) {
			return 0, err
		}
		if limit := l.limit(); limit != record.None && l.now() >= limit {
			return 0, l.expired()
		}
		l.armed = record.None
		if err := l.rearm(); err != nil {
			return 0, err
		}
	}
}

// rearm replaces a deadline that fired before the true one.
func (l *link) rearm() error {
	if l.limit() == record.None {
		return l.SetReadDeadline(time.Time{})
	}
	return l.arm()
}

// expired says which limit passed.
func (l *link) expired() error {
	if l.until != record.None && l.now() >= l.until {
		return &wire.Error{Kind: record.ErrTimeout, Err: errors.New("the request's time limit passed")}
	}
	return &wire.Error{Kind: record.ErrIdle, Err: fmt.Errorf("nothing came for %v", time.Duration(l.idle))}
}
