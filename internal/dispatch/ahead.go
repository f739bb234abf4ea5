package dispatch

// Requests are encoded ahead of their time by one goroutine a stream, so that
// at the due instant only the write is left.

import (
	"context"
	"iter"

	"assay/internal/arrival"
	"assay/internal/record"
)

const (
	// aheadBy bounds how many encoded requests wait for their time: enough for
	// a burst, little enough to hold in memory.
	aheadBy = 128
	// some requests are encoded in a row: what encodes them is in the
	// processor's caches then, which halves the cost.
	some = 16
	// aWhile, in ns, ends a row before it is full, so that long requests do
	// not keep a send waiting.
	aWhile = 50_000
)

// planned is an encoded request and its time.
type planned struct {
	due arrival.Due
	f   *flight
	err error // the request could not be built: nothing after it can be trusted
}

// ahead encodes the requests of plan in order and closes the channel at its
// end, at the first error, or when ctx ends.
func (d *Dispatcher) ahead(ctx context.Context, s *Stream, plan func(yield func(arrival.Due) bool)) <-chan []planned {
	out := make(chan []planned, aheadBy/some-1)
	go func() {
		defer close(out)
		var row []planned
		var began int64
		send := func() bool {
			select {
			case out <- row:
				row = nil
				return true
			case <-ctx.Done():
				return false
			}
		}
		for due := range plan {
			if row == nil {
				row, began = make([]planned, 0, some), d.Now()
			}
			next := planned{due: due}
			if d.draining.Load() { // what a ceiling holds back beyond the drain is not sent
				next.f = d.newFlight(s, due.Seq, Prepared{WantInput: record.NoCount, WantOutput: record.NoCount})
			} else {
				next.f, next.err = d.opening(s, due.Seq)
			}
			row = append(row, next)
			if next.err != nil {
				break
			}
			if (len(row) == some || d.Now()-began >= aWhile) && !send() {
				return
			}
		}
		if row != nil {
			send()
		}
	}()
	return out
}

// each is what comes out of ahead, one by one.
func each(rows <-chan []planned) iter.Seq[planned] {
	return func(yield func(planned) bool) {
		for row := range rows {
			for _, next := range row {
				if !yield(next) {
					return
				}
			}
		}
	}
}
