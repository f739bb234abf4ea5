package dispatch

// Clients that hang up in the middle of a reply, as users do.

import (
	"assay/internal/record"
	"assay/internal/wire"
)

// A Cancel is where the client of a request hangs up: After ns from the
// release, or when Tokens of the output are there. A reply that is over by
// then is not touched. The zero Cancel waits for the end.
type Cancel struct {
	After  int64
	Tokens int
}

// patience is the longest time from release to end: the stream's limit, or
// less. The deadline of the connection does the rest, so that hanging up costs
// no timer.
func (c Cancel) patience(limit int64) int64 {
	if c.After > 0 {
		return min(c.After, limit)
	}
	return limit
}

// enough counts tokens that came and tells whether no more are waited for.
func (c *Cancel) enough(tokens int) bool {
	if c.Tokens <= 0 {
		return false
	}
	c.Tokens -= tokens
	return c.Tokens <= 0
}

// hangUp cuts the connection of a request that was given up; that of any other
// may serve again.
func (d *Dispatcher) hangUp(f *flight, x wire.Exchange) wire.Exchange {
	if f.Status != record.Cancelled {
		return x
	}
	x.Abort()
	return nil
}
