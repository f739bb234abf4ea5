package result

// What left the client against its plan, request by request. The schedule is
// a function of the contract, so it is made again here and not believed to
// the records: a client that is wrong may be wrong about what was due, too.

import (
	"math"
	"slices"

	"assay/internal/arrival"
	"assay/internal/contract"
	"assay/internal/measure"
)

const (
	leastOfPlan = 20 // requests below which the plan is not called kept
	leastLate   = 5  // ms; a client that is held to less by send_lag is not held to less here
)

// Names of the checks against the plan.
const (
	checkSent     = "sent"
	checkSchedule = "schedule"
	checkDrift    = "drift"
)

// planned is when the requests of the window are due, and the number of the
// first of them.
func planned(s *contract.Stream, seed uint64) (due []int64, first uint64) {
	for r := range arrival.Schedule(s.Arrival(), seed, s.Name, warmup(s), int64(s.Traffic.Duration), s.Traffic.Requests) {
		if !r.Measured {
			first = r.Seq + 1
			continue
		}
		due = append(due, r.At)
	}
	return due, first
}

// againstPlan: the share of the plan that left; how far from the plan half of
// it left; and by how much that changed over the run, in ms. A run that keeps
// send_lag keeps the last two, since 99 of its 100 requests are in time.
func againstPlan(plan []int64, first uint64, sent []measure.Departure, late, delivered float64) []ArrivalCheck {
	if len(plan) < leastOfPlan {
		return nil
	}
	off := make([]float64, 0, len(sent)) // ms after the plan
	for _, d := range sent {
		if i := d.Seq - first; d.Seq >= first && i < uint64(len(plan)) {
			off = append(off, float64(d.Left-plan[i])/1e6)
		}
	}
	none := math.NaN()
	share := check(checkSent, float64(len(off))/float64(len(plan)), 1, none)
	missing := float64(len(plan) - len(off))
	share.Holds = missing <= max(1, (1-delivered)*float64(len(plan)))
	if len(off) < leastOfPlan {
		return []ArrivalCheck{share}
	}
	tenth := len(off) / 10
	change := median(off[len(off)-tenth:]) - median(off[:tenth])
	drift := check(checkDrift, change, 0, none)
	drift.Holds = math.Abs(change) <= late/1e6
	for i, v := range off {
		off[i] = math.Abs(v)
	}
	schedule := check(checkSchedule, median(off), 0, none)
	schedule.Holds = *schedule.Value <= late/1e6
	return []ArrivalCheck{share, schedule, drift}
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
