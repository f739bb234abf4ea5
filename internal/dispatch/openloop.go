package dispatch

// Open loop: a request goes at its due instant, whatever became of the others,
// unless the contract has a ceiling.

import (
	"context"

	"assay/internal/arrival"
	"assay/internal/record"
)

// openLoop walks this worker's stripe of the schedule. Behind time it sends at
// once and the lag is in the record: nothing is skipped and nothing re-based.
func (d *Dispatcher) openLoop(ctx context.Context, s *Stream) error {
	aheadCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	g := d.gate(s)
	for next := range each(d.ahead(aheadCtx, s, d.stripe(s))) {
		if next.err != nil {
			return next.err
		}
		if next.due.At > d.Now() {
			if err := d.Sleep(ctx, next.due.At); err != nil {
				return nil // stopped: the rest is not due
			}
		}
		if ctx.Err() != nil || d.stopping.Load() && g == nil {
			return nil
		}
		f := next.f
		f.Due, f.Free = next.due.At, next.due.At
		f.Release = record.AtDue
		if next.due.Measured {
			f.Phase = record.Measured
		}
		d.counts.Due.Add(1)
		if !d.admit(ctx, g, f) {
			if ctx.Err() != nil {
				return nil
			}
			d.forgo(f)
			continue
		}
		f.Released = d.Now()
		d.launch(f, nil)
	}
	return nil
}

// stripe keeps the requests of the schedule that this worker sends.
func (d *Dispatcher) stripe(s *Stream) func(yield func(arrival.Due) bool) {
	return func(yield func(arrival.Due) bool) {
		for due := range s.Schedule {
			if d.owns(s, due.Seq) && !yield(due) {
				return
			}
		}
	}
}
