package measure

// How many requests were with the server, over time: the raw material of the
// drift test.

import "assay/internal/record"

// Flow is the mean number in flight in each slice of the window, and what
// Little's law sets against it.
type Flow struct {
	InFlight   [Slices]float64 // mean number between sent and ended
	Completed  int64           // requests that ended inside the window, well or not
	TimeInside float64         // seconds: Σ (ended − sent) over them
}

// Mean is the time average over the window.
func (f *Flow) Mean() float64 {
	var sum float64
	for _, n := range f.InFlight {
		sum += n
	}
	return sum / Slices
}

func (f *Flow) add(r *record.Record, w Window) {
	if r.Sent == record.None || w.End <= w.Start {
		return
	}
	end := r.Ended
	if end == record.None {
		end = w.End
	} else if w.holds(end) {
		f.Completed++
		f.TimeInside += float64(end-r.Sent) / 1e9
	}
	from, to := max(r.Sent, w.Start), min(end, w.End)
	if to <= from {
		return
	}
	length := float64(w.End-w.Start) / Slices
	for j := w.slice(from); j <= w.slice(to); j++ {
		lo := float64(w.Start) + float64(j)*length
		part := min(float64(to), lo+length) - max(float64(from), lo)
		f.InFlight[j] += max(0, part) / length
	}
}
