package run

// What ends an attempt before its time: a worker that dies, a disk that is
// full, a frame that can't be understood.

import (
	"errors"
	"fmt"
	"time"

	"assay/internal/fleet"
	"assay/internal/observation"
	"assay/internal/rundir"
)

// fail stops the run at its first fault: the disk is full, a frame is broken.
// Where the disk is full nothing that a drain would bring can be kept.
func (a *attempt) fail(err error) {
	if err == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.fault != nil {
		return
	}
	a.fault = err
	a.abort()
	if rundir.IsFull(err) {
		a.kill()
	}
}

// faulted is the fault that ended the run, if one did.
func (a *attempt) faulted() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.fault
}

// ended is told of a worker's end. One that had work left makes the run
// incomplete: going on would only spend the server's time and the user's money.
func (a *attempt) ended(e fleet.Exit) {
	reason, early := a.early(e)
	switch {
	case !early, a.faulted() != nil: // what ended the run is told already
	case a.begun.Load():
		a.o.OnEvent(Event{Message: fmt.Sprintf("worker %d died (%s): stopping, what was measured is kept", e.Worker, reason)})
		a.abort()
	default:
		a.ready <- fmt.Errorf("worker %d died before the start: %s", e.Worker, reason)
	}
}

// causeLimit is how long the news of a death may be behind its first sign.
const causeLimit = 2 * time.Second

// cause is why a worker could not be reached before the start: it died, most
// likely, and then its death says more than the pipe. It is err otherwise.
func (a *attempt) cause(err error) error {
	limit := time.NewTimer(causeLimit)
	defer limit.Stop()
	for {
		select {
		case death := <-a.ready:
			if death != nil {
				return death
			}
		case <-limit.C:
			return err
		}
	}
}

// early tells whether a worker ended before its work, and why.
func (a *attempt) early(e fleet.Exit) (reason string, early bool) {
	a.mu.Lock()
	done := a.final[e.Worker]
	a.mu.Unlock()
	switch {
	case e.Err != nil:
		return e.Err.Error(), true
	case !done:
		return "it ended before its work", true
	}
	return "", false
}

// bury writes down what ended the run before its time: a full disk, if there
// is room for a line, or the workers that ended before their work.
func (a *attempt) bury(exits []fleet.Exit) {
	if fault := a.faulted(); rundir.IsFull(fault) {
		a.note(observation.NoteDiskFull, fault.Error())
		return
	}
	for _, e := range exits {
		if reason, early := a.early(e); early {
			worker := e.Worker
			a.observe(&worker, observation.Observation{Kind: observation.KindDeath, Death: &observation.Death{Reason: reason}})
		}
	}
}

// keep closes the folder of a run that could not be finished, and says what is
// in it: the journal stays. Of a run that did not begin nothing is left.
func (a *attempt) keep(err error) error {
	if !a.begun.Load() {
		_ = a.dir.Discard() // the first error is the one to tell
		if rundir.IsFull(err) {
			return cannot(err, "make room: nothing was sent yet")
		}
		return asTold(err, "")
	}
	_ = a.dir.Release()
	recover := "`assay recover " + a.dir.Path() + "` makes a result of what was measured"
	if rundir.IsFull(err) {
		return cannot(fmt.Errorf("there is no room for the records: %w; what was measured is kept in %s", err, a.dir.Path()), "make room; then "+recover)
	}
	return asTold(err, recover)
}

// asTold leaves an error that has its hint and status as it is.
func asTold(err error, hint string) error {
	var h *HintError
	if errors.As(err, &h) {
		return err
	}
	return cannot(err, hint)
}
