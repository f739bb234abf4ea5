package dispatch

// Requests are encoded ahead of their time by one goroutine a stream, so that
// at the due instant only the write is left.

import (
	"context"

	"assay/internal/arrival"
)

// aheadBy bounds how many encoded requests wait for their time: enough for a
// burst, little enough to hold in memory.
const aheadBy = 128

// planned is an encoded request and its time.
type planned struct {
	due arrival.Due
	f   *flight
	err error // the request could not be built: nothing after it can be trusted
}

// ahead encodes the requests of plan in order and closes the channel at its
// end, at the first error, or when ctx ends.
func (d *Dispatcher) ahead(ctx context.Context, s *Stream, plan func(yield func(arrival.Due) bool)) <-chan planned {
	out := make(chan planned, aheadBy)
	go func() {
		defer close(out)
		for due := range plan {
			p, err := s.Prepare(due.Seq)
			next := planned{due: due, err: err}
			if err == nil {
				next.f = d.newFlight(s, due.Seq, p)
			}
			select {
			case out <- next:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return out
}
