//go:build !linux

package simserver

import "time"

// Elsewhere the truth counts from the wall clock at the start: its intervals
// are right, and a client on the same machine can still compare.
func monotonicBase() (base int64, at time.Time) {
	at = time.Now()
	return at.UnixNano(), at
}
