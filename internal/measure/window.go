package measure

// The window is the stretch of time that rates are counted over.

import (
	"fmt"
	"iter"

	"assay/internal/record"
)

// Records is a run's records, to be walked as often as needed.
type Records func() iter.Seq2[*record.Record, error]

// Slices is into how many stretches of equal length the window is cut.
const Slices = 32

// A Window is the measured stretch, ns since the epoch. A thing that happens
// at Start is before it, one at End is in it.
type Window struct{ Start, End int64 }

// Seconds is its length.
func (w Window) Seconds() float64 { return float64(w.End-w.Start) / 1e9 }

func (w Window) holds(t int64) bool { return t > w.Start && t <= w.End }

// slice is the stretch that t falls in; what comes before or after the window
// (the drain) belongs to the first or last.
func (w Window) slice(t int64) int {
	if w.End <= w.Start {
		return 0
	}
	f := float64(t-w.Start) / float64(w.End-w.Start)
	return max(0, min(int(f*Slices), Slices-1))
}

// WindowOf finds the window of a run that was asked for a number of requests:
// from the first free to the last due plus one mean gap in open loop, to the
// last ended in closed loop.
func WindowOf(records Records, openLoop bool) (Window, error) {
	w := Window{Start: record.None, End: record.None}
	n := int64(0)
	firstDue, lastDue := record.None, record.None
	for r, err := range records() {
		if err != nil {
			return Window{}, fmt.Errorf("read records: %w", err)
		}
		if r.Phase != record.Measured {
			continue
		}
		if r.Free != record.None && (w.Start == record.None || r.Free < w.Start) {
			w.Start = r.Free
		}
		w.End = max(w.End, r.Ended) // None is the least number
		if r.Due != record.None {
			n++
			lastDue = max(lastDue, r.Due)
			if firstDue == record.None || r.Due < firstDue {
				firstDue = r.Due
			}
		}
	}
	if openLoop && n > 0 {
		w.End = lastDue
		if n > 1 {
			w.End += (lastDue - firstDue) / (n - 1)
		}
	}
	if w.Start == record.None || w.End == record.None {
		return Window{}, nil
	}
	return w, nil
}
