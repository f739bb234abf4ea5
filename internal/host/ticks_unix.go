//go:build linux || darwin

// Where the monotonic clock comes from on Unix systems.
package host

import (
	"time"

	"golang.org/x/sys/unix"
)

// Monotonic is the machine's monotonic clock in ns: one instant means the
// same in every process of the machine. On Linux it is CLOCK_MONOTONIC, on
// macOS the uptime clock, on Windows the performance counter. It is a system
// call; a Clock is cheaper.
func Monotonic() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(clockID, &t); err != nil {
		panic("internal error: no monotonic clock: " + err.Error())
	}
	return t.Nano()
}

// ticks reads the monotonic clock through Go's own, which asks the kernel for
// nothing: base is an instant on both.
type ticks struct {
	base time.Time
	at   int64 // base on Monotonic
}

// newTicks pairs the clocks by the narrowest of some looks, so that two
// processes agree to a fraction of a microsecond.
func newTicks() ticks {
	var best ticks
	width := int64(-1)
	for range sampleTries {
		before := Monotonic()
		now := time.Now()
		after := Monotonic()
		if w := after - before; width < 0 || w < width {
			width, best = w, ticks{base: now, at: before + w/2}
		}
	}
	return best
}

func (t ticks) monotonic() int64 { return t.at + int64(time.Since(t.base)) }
