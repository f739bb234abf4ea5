//go:build !linux

package simserver

import (
	"errors"
	"time"

	"assay/internal/sim"
)

// An alarm goes off at an instant of the server's clock. Without a timerfd it
// is a timer of the runtime, late by what that is late.
type alarm struct {
	clock clock
	timer *time.Timer
	ended chan struct{}
}

func newAlarm(c clock) (*alarm, error) {
	return &alarm{clock: c, timer: time.NewTimer(time.Hour), ended: make(chan struct{})}, nil
}

func (a *alarm) set(t int64) {
	if t == sim.Never {
		a.timer.Stop()
		return
	}
	a.timer.Reset(time.Duration(max(0, t-a.clock.now())))
}

func (a *alarm) wait(arm func()) error {
	arm()
	select {
	case <-a.timer.C:
		return nil
	case <-a.ended:
		return errors.New("alarm closed")
	}
}

func (a *alarm) close() { close(a.ended) }
