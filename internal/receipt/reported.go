package receipt

// What is reported beside and has no limit: it explains the others.

import (
	"fmt"

	"assay/internal/observation"
	"assay/internal/record"
)

// newConnections is the share of requests that waited for a connection to be
// opened: their connect time stands beside their latencies.
func newConnections(e *Evidence, _ Limits) Receipt {
	r := blank("new_connections", "fraction")
	if e.sent == 0 {
		r.Note = "nothing was sent"
		return r
	}
	r.reports(float64(e.fresh)/float64(e.sent), false)
	return r
}

// unstamped is the share of content events that the kernel gave no stamp.
func unstamped(e *Evidence, _ Limits) Receipt {
	r := blank("unstamped", "fraction")
	if e.events == 0 || e.Clock == record.User {
		r.Status = NotApplicable
		return r
	}
	r.reports(float64(e.noStamp)/float64(e.events), e.noStamp*100 > e.events)
	if r.Warns {
		r.Note = "their times are those at which they were read"
	}
	return r
}

// clockSteps counts the jumps of the wall clock, by which kernel stamps count.
func clockSteps(e *Evidence, _ Limits) Receipt {
	r := blank("clock_steps", "count")
	sampled, n, largest := false, 0, int64(0)
	for i := range e.Observations {
		if o := &e.Observations[i]; o.Kind == observation.KindClock {
			sampled = true
			if s := o.Clock.Step; s != 0 {
				n++
				largest = max(largest, s, -s)
			}
		}
	}
	if !sampled {
		r.Note = "the clock was not sampled"
		return r
	}
	r.reports(float64(n), n > 0)
	if n > 0 {
		r.Note = fmt.Sprintf("the largest by %.3f ms: stamps around it may be wrong by as much", ms(largest))
	}
	return r
}

// gcPause is the longest pause of a worker's garbage collector.
func gcPause(e *Evidence, _ Limits) Receipt {
	return longest(e, "gc_pause", func(r *observation.Runtime) int64 { return r.GCPauseMax })
}

// schedulerDelay is the highest p99, over workers and seconds, of the time
// from runnable to running.
func schedulerDelay(e *Evidence, _ Limits) Receipt {
	return longest(e, "scheduler_delay", func(r *observation.Runtime) int64 { return r.SchedDelayP99 })
}

// notable is the delay from which it may explain what a report shows.
const notable = 5_000_000

func longest(e *Evidence, name string, of func(*observation.Runtime) int64) Receipt {
	r := blank(name, "ms")
	most := int64(-1)
	for i := range e.Observations {
		if o := &e.Observations[i]; o.Kind == observation.KindRuntime {
			most = max(most, of(o.Runtime))
		}
	}
	if most < 0 {
		r.Note = "the runtime was not sampled"
		return r
	}
	r.reports(ms(most), most > notable)
	if r.Warns {
		r.Note = "long enough to stand in the latencies"
	}
	return r
}
