//go:build !linux

package host

import "time"

// PortRest is how long the local port of a closed connection can't serve
// another one to the same address: twice the segment lifetime of RFC 9293 as
// these systems shorten it.
func PortRest(bool) time.Duration { return time.Minute }

// PortsResting can't be read here.
func PortsResting() int { return 0 }
