//go:build linux

package main

// How many events a second can be read on time, by the number of processes.

import (
	"context"
	"fmt"

	"assay/internal/result"
	"assay/internal/run/calibrate"
)

// supplied is the share of the events asked for that must have come: less, and
// the server was the limit.
const supplied = 0.95

// events looks for the highest rate at which read lag p99 stays under 5 ms,
// whatever the other receipts say.
func (b *bench) events(ctx context.Context) error {
	start := 40_000.0
	for _, n := range []int{1, 2, 4, 8} {
		s, err := b.paces(ctx)
		if err != nil {
			return err
		}
		best, ended, err := b.mostEvents(ctx, s, n, start)
		s.End()
		if err != nil {
			return err
		}
		b.table.say(fmt.Sprintf("events/s with read lag p99 under 5 ms, %d processes", n), "%.0f (%s)", best, ended)
		if best > 0 {
			start = best
		}
	}
	return nil
}

// mostEvents is the rate, and what was in the way of more.
func (b *bench) mostEvents(ctx context.Context, s *server, processes int, start float64) (best float64, ended string, err error) {
	plan := calibrate.Plan{Start: start, Least: 100, Precision: 1.15, Most: 7}
	var tried []calibrate.Try
	var got []float64
	var why []string
	for {
		rate, more := calibrate.Next(plan, tried)
		if !more {
			break
		}
		m, lag, err := b.readPaced(ctx, s, rate, processes)
		if err != nil {
			return 0, "", err
		}
		one := calibrate.Try{Rate: rate, Use: busiest(m.result.Client)}
		came, reason := *m.result.Rates.OutputToken, ""
		switch {
		case lag >= pacedLag:
			reason = fmt.Sprintf("read lag %.1f ms at %.0f", lag, came)
		case came < supplied*rate:
			reason = fmt.Sprintf("the server wrote %.0f of %.0f", came, rate)
		default:
			one.Held = true
		}
		tried, got, why = append(tried, one), append(got, came), append(why, reason)
	}
	held, broke := calibrate.Ceiling(tried)
	ended = "nothing broke"
	for i := range tried {
		switch {
		case &tried[i] == held:
			best = got[i]
		case &tried[i] == broke:
			ended = why[i]
		}
	}
	return best, ended, nil
}

// busiest is the CPU in use, as a part of all there is.
func busiest(c result.Client) float64 {
	most := 0.0
	for _, share := range []*float64{c.CPUMax, c.MachineCPUMax} {
		if share != nil {
			most = max(most, *share)
		}
	}
	return most
}
