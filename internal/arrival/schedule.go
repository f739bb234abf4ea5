// From a shape to the requests of a stream: numbers, instants, phases.

package arrival

import (
	"iter"
	"math"
)

const second = 1e9 // ns

// A Due is one request of a schedule.
type Due struct {
	Seq      uint64 // from 0, the warm-up included
	At       int64  // ns from the start of the warm-up
	Measured bool   // due in the window, not in the warm-up
}

// Schedule yields the requests of one stream in order. The warm-up runs from 0
// to warmup, the window from there to warmup + duration, its end excluded; with
// requests > 0 duration is ignored and the window holds exactly that many.
// Traffic does not pause between the two. What has a constant rate on the whole
// (constant, poisson, gamma, weibull, mmpp) begins with the warm-up; of the
// other shapes time 0 is the start of the window, and the warm-up has the rate
// that they begin with. A schedule that would go on for 292 years ends there.
// The spec must have passed Check.
func Schedule(spec Spec, master uint64, stream string, warmup, duration int64, requests int) iter.Seq[Due] {
	return func(yield func(Due) bool) {
		next := spec.open(warmup, drawsOf(master, stream))
		end := warmup + duration
		if requests > 0 || end < warmup {
			end = math.MaxInt64
		}
		measured := 0
		for seq := uint64(0); requests <= 0 || measured < requests; seq++ {
			at := math.Round(next())
			if at >= float64(end) {
				return
			}
			due := Due{Seq: seq, At: int64(at), Measured: int64(at) >= warmup}
			if due.Measured {
				measured++
			}
			if !yield(due) {
				return
			}
		}
	}
}
