// Package run carries out what a contract asks: it finds the server, sends
// the preflight, starts the fleet, keeps what comes back, and has the result
// made of it. It joins what siblings may not: transport, clock, files and
// environment are handed down from here. It judges nothing itself.
package run

import (
	"errors"
	"time"

	"assay/internal/contract"
)

// Options say how to carry out a contract; none of them changes what is measured.
type Options struct {
	Dir         string             // the run's folder; must not exist
	Contract    *contract.Contract // resolved
	Exe         string             // the binary to start workers from; "" for this one
	NoPreflight bool
	Anyway      bool // also a contract whose objectives can't be settled
	Yes         bool // also an address that is not private or loopback
	NoGrow      bool // never repeat with more processes
	OnEvent     func(Event)
}

// An Event is something that a person who waits wants to see.
type Event struct {
	Message  string    // a line; "" when Progress is set
	Progress *Progress // the state of the run, about twice a second
}

// Progress is the state of a run for the live line. It is for looking at:
// nothing is judged by it.
type Progress struct {
	Elapsed, Planned            time.Duration
	Phase                       string // "warm-up", "window", "drain"
	Due, InFlight, Done, Failed int64
	Rate                        float64 // completions/s over the last seconds
	TTFTp50, ITLp50, ITLp99     float64 // ms so far; 0 when there is none
	CPU                         float64 // of the busiest worker in the last second, 0–1
}

// Exit statuses (docs/exit-status.md).
const (
	ExitPass         = 0
	ExitFail         = 1
	ExitUsage        = 2
	ExitInconclusive = 3
	ExitInvalid      = 4
	ExitCannot       = 5
	ExitInterrupted  = 130
)

// A HintError is an error that knows its exit status and, where it can be
// foreseen, the next step.
type HintError struct {
	Err  error
	Hint string
	Code int
}

func (e *HintError) Error() string { return e.Err.Error() }
func (e *HintError) Unwrap() error { return e.Err }

// usage and cannot wrap an error with its exit status and hint.
func usage(err error, hint string) error  { return &HintError{Err: err, Hint: hint, Code: ExitUsage} }
func cannot(err error, hint string) error { return &HintError{Err: err, Hint: hint, Code: ExitCannot} }

// errInterrupted ends what a first Ctrl-C stopped before the load began.
var errInterrupted = &HintError{Err: errors.New("interrupted before the load began: nothing was measured"), Code: ExitInterrupted}
