package dispatch

import (
	"context"

	"assay/internal/record"
)

// Once sends one request outside of any load, the way the load will be sent,
// and returns its record: what a preflight knows. Ending ctx aborts it.
func (d *Dispatcher) Once(ctx context.Context, s *Stream, seq uint64) (record.Record, error) {
	d.bounds = d.Bounds.usual()
	p, err := s.Prepare(seq)
	if err != nil {
		return record.Record{}, err
	}
	f := d.newFlight(s, seq, p)
	target := f.target()
	f.URL = target.URL
	stop := context.AfterFunc(ctx, target.Pool.Abort)
	defer stop()
	f.Released = d.Now()
	x := d.exchange(f, target.Pool)
	if f.Ended == record.None {
		f.Ended = d.Now()
	}
	settle(f)
	if x != nil {
		x.Finish()
	}
	return f.Record, nil
}
