package host

import "golang.org/x/sys/unix"

// clockID is the clock that Go's own monotonic clock counts by on macOS; it
// stops while the machine sleeps.
const clockID = unix.CLOCK_UPTIME_RAW
