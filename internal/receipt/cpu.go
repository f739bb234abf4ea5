package receipt

// cpu: per process and second, (time on a CPU + time runnable but waiting for
// one) ÷ (wall × GOMAXPROCS). The value is the p95 of seconds of the worst
// process; any single second has a limit of its own. A process that waits for
// a CPU stamps late, whatever else it does well.

import (
	"fmt"
	"math"
	"slices"

	"assay/internal/observation"
	"assay/internal/stats"
)

// shortest is the interval below which a sample says nothing of a second.
const shortest = 500_000_000

func cpu(e *Evidence, l Limits) Receipt {
	r := blank("cpu", "fraction")
	r.bound(l.CPU)
	r.Changed = l.CPU.Changed || l.CPUSecond.Changed
	samples := e.inWindow(observation.KindProcess, func(o *observation.Observation) int64 { return o.Process.Interval })
	shares := map[int][]float64{}
	reason := "no second was sampled"
	unread := false
	for _, o := range samples {
		p := o.Process
		switch {
		case o.Worker != nil && *o.Worker == observation.Embedded: // no part of the client
		case p.Unavailable != "":
			unread, reason = true, p.Unavailable
		case o.Worker != nil && p.Interval >= shortest && p.MaxProcs > 0:
			share := float64(p.CPU+p.Wait) / (float64(p.Interval) * float64(p.MaxProcs))
			shares[*o.Worker] = append(shares[*o.Worker], share)
		}
	}
	worst, most := math.Inf(-1), math.Inf(-1)
	var all []float64
	who := 0
	for _, worker := range workers(shares) {
		list := shares[worker]
		all = append(all, list...)
		if p := stats.Percentile(list, 0.95); p > worst {
			worst, who = p, worker
		}
		most = max(most, slices.Max(list))
	}
	if len(all) == 0 {
		r.Note = reason
		return r
	}
	r.Value = worst
	r.Spread = Spread{stats.Percentile(all, 0.5), stats.Percentile(all, 0.99), most}
	r.Note = fmt.Sprintf("p95 of seconds of %s; highest second %.0f%% (limit %s)", process(who), most*100, secondLimit(l.CPUSecond))
	switch {
	case l.CPU.exceeded(worst) || l.CPUSecond.exceeded(most):
		r.Status = Broken
	case unread:
		r.Note = reason
	default:
		r.Status = Holds
	}
	return r
}

func workers(shares map[int][]float64) []int {
	var list []int
	for w := range shares {
		list = append(list, w)
	}
	slices.Sort(list)
	return list
}

// secondLimit is the limit of any single second, which has no field of its own.
func secondLimit(l Limit) string {
	if l.Changed {
		return fmt.Sprintf("%.0f%%, usually %.0f%%", l.Value*100, l.Usual*100)
	}
	return fmt.Sprintf("%.0f%%", l.Value*100)
}

func process(worker int) string {
	switch worker {
	case observation.Coordinator:
		return "the coordinator"
	case observation.Embedded:
		return "the embedded server"
	}
	return fmt.Sprintf("worker %d", worker)
}
