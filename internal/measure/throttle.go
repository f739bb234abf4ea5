package measure

// Refusals for the sake of a quota or of a server that is full. They are
// failures like others, and counted once more because many of them change what
// a run has measured.

import (
	"slices"

	"assay/internal/record"
)

// The statuses by which a server refuses a request that it understood.
const (
	tooMany     = 429
	unavailable = 503
)

// A Throttle is the requests of the window that the server refused with 429
// (too many requests) or 503 (not now).
type Throttle struct {
	Count int64
	waits []int64 // what Retry-After said, where it said something; ns
}

func (t *Throttle) add(r *record.Record) {
	if r.HTTPStatus != tooMany && r.HTTPStatus != unavailable {
		return
	}
	t.Count++
	if r.RetryAfter != record.None {
		t.waits = append(t.waits, r.RetryAfter)
	}
}

// RetryAfter is the median and the largest of what Retry-After said, in
// seconds; false where no refusal had one.
func (t *Throttle) RetryAfter() (median, largest float64, told bool) {
	n := len(t.waits)
	if n == 0 {
		return 0, 0, false
	}
	slices.Sort(t.waits)
	return float64(t.waits[(n-1)/2]) / 1e9, float64(t.waits[n-1]) / 1e9, true
}
