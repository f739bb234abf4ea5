// This file waits for what the reader brings, and keeps an exchange's limits
// without a timer operation for each event.

package http2

import (
	"errors"
	"fmt"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
)

// wait waits until something came, or says which limit passed. The timer is
// moved on only when it fires: no operation on it for each event.
func (x *Exchange) wait(silence bool) error {
	now := x.conn.now
	if x.timer == nil {
		x.timer = time.NewTimer(time.Hour)
		x.arm(silence)
	}
	for {
		select {
		case <-x.wake:
			return nil
		case <-x.timer.C:
		}
		if limit := x.limit(silence); limit != record.None && now() >= limit {
			x.timer.Reset(0) // it stays passed
			return x.expired()
		}
		x.arm(silence)
	}
}

// arm sets the timer. Before the head there is no idle limit, and it may be
// far shorter than the exchange's: the timer is set for it from the start.
func (x *Exchange) arm(silence bool) {
	limit := x.limit(silence)
	if idle := int64(x.terms.Idle); !silence && idle > 0 {
		if soon := x.conn.now() + idle; limit == record.None || soon < limit {
			limit = soon
		}
	}
	if limit == record.None {
		x.timer.Reset(time.Hour)
		return
	}
	x.timer.Reset(time.Duration(limit - x.conn.now()))
}

// limit is the instant after which waiting is in vain.
func (x *Exchange) limit(silence bool) int64 {
	if !silence || x.terms.Idle == 0 {
		return x.terms.Until
	}
	x.mu.Lock()
	silent := x.last + int64(x.terms.Idle)
	x.mu.Unlock()
	if x.terms.Until == record.None {
		return silent
	}
	return min(silent, x.terms.Until)
}

func (x *Exchange) expired() error {
	if x.terms.Until != record.None && x.conn.now() >= x.terms.Until {
		return &wire.Error{Kind: record.ErrTimeout, Err: errors.New("the request's time limit passed")}
	}
	return &wire.Error{Kind: record.ErrIdle, Err: fmt.Errorf("nothing came for %v", x.terms.Idle)}
}

// room waits until more of the request may be sent. false: the answer has
// ended, or the exchange; an error is of the latter.
func (x *Exchange) room() (bool, error) {
	x.mu.Lock()
	ended := x.err
	x.mu.Unlock()
	if ended != nil {
		if errors.Is(ended, wire.ErrAborted) {
			return false, ended
		}
		return false, nil // the answer says more than what it interrupted
	}
	if err := x.wait(false); err != nil {
		return false, &wire.Error{Kind: record.ErrTimeout, Err: errors.New("the request's time limit passed while it was being sent")}
	}
	return true, nil
}
