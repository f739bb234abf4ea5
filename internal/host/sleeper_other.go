//go:build !linux

// The sleep where there is no timerfd: Go's own timers, which may wake some
// milliseconds late. The lag is measured like any other.
package host

import (
	"context"
	"time"
)

// A Sleeper sleeps until instants of a Clock. It serves one goroutine at a time.
type Sleeper struct{ clock *Clock }

// NewSleeper returns a sleeper by this clock. Close it after use.
func NewSleeper(clock *Clock) (*Sleeper, error) { return &Sleeper{clock: clock}, nil }

// Until sleeps until the clock shows t, never less. It returns early only
// with the error of ctx, and at once when t has passed.
func (s *Sleeper) Until(ctx context.Context, t int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for now := s.clock.Now(); now < t; now = s.clock.Now() {
		timer := time.NewTimer(time.Duration(t - now))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
	return nil
}

// Close frees what the sleeper holds.
func (s *Sleeper) Close() error { return nil }
