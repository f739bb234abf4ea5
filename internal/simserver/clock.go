package simserver

import "time"

// A clock reads CLOCK_MONOTONIC in ns, for the price of time.Since.
type clock struct {
	base int64
	at   time.Time
}

func newClock() clock {
	base, at := monotonicBase()
	return clock{base, at}
}

func (c clock) now() int64 { return c.base + int64(time.Since(c.at)) }
