//go:build !linux

package host

import (
	"os"
	"runtime"

	"assay/internal/observation"
)

// A ProcessSampler samples one process over and over. It serves one
// goroutine at a time.
type ProcessSampler struct {
	pid int
	at  int64
}

// NewProcessSampler returns a sampler of a process, or of this one for 0.
func NewProcessSampler(pid int) *ProcessSampler {
	if pid == 0 {
		pid = os.Getpid()
	}
	return &ProcessSampler{pid: pid, at: Monotonic()}
}

// Sample says that CPU and waiting can't be read on this system, and whether
// the process is still there as far as can be told.
func (s *ProcessSampler) Sample() (p observation.Process, alive bool) {
	now := Monotonic()
	p = observation.Process{
		PID: s.pid, Interval: now - s.at,
		Unavailable: "the time spent waiting for a CPU can't be read on " + runtime.GOOS,
	}
	s.at = now
	return p, exists(s.pid)
}
