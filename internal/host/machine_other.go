//go:build !linux

package host

import (
	"runtime"

	"assay/internal/observation"
)

// A MachineSampler samples the CPUs over and over.
type MachineSampler struct{ at int64 }

// NewMachineSampler returns a sampler whose first interval begins here.
func NewMachineSampler() *MachineSampler { return &MachineSampler{at: Monotonic()} }

// Sample says that the CPUs can't be read on this system.
func (s *MachineSampler) Sample() observation.Machine {
	now := Monotonic()
	m := observation.Machine{
		Interval: now - s.at, Cores: float64(runtime.NumCPU()),
		Unavailable:         "how busy the CPUs are can't be read on " + runtime.GOOS,
		PressureUnavailable: "how long tasks wait for a CPU can't be read on " + runtime.GOOS,
		ThrottledUnavail:    "there are no control groups on " + runtime.GOOS,
		RetransmitsUnavail:  "segments sent again can't be read on " + runtime.GOOS,
		PortsUnavailable:    "the ports in use can't be read on " + runtime.GOOS,
	}
	s.at = now
	return m
}
