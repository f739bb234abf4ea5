package simserver

import (
	"math"
	"time"

	"golang.org/x/sys/unix"
)

// Go's monotonic clock is CLOCK_MONOTONIC less a constant. The constant is
// sampled between two readings, and the narrowest bracket of several is taken:
// it is right to some tens of nanoseconds.
func monotonicBase() (base int64, at time.Time) {
	narrowest := time.Duration(math.MaxInt64)
	for range 64 {
		var ts unix.Timespec
		before := time.Now()
		if unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) != nil {
			continue
		}
		if width := time.Since(before); width < narrowest {
			narrowest, at, base = width, before, ts.Nano()-int64(width)/2
		}
	}
	if at.IsZero() {
		at = time.Now()
	}
	return base, at
}
