package receipt

// machine_cpu: the busy share, p95 of seconds, of the cores that this run may
// use; steal and other processes included. More processes can't help here.

import (
	"fmt"

	"assay/internal/observation"
	"assay/internal/stats"
)

func machineCPU(e *Evidence, l Limits) Receipt {
	r := blank("machine_cpu", "fraction")
	r.bound(l.MachineCPU)
	var shares []float64
	var steal, busy int64
	reason := "no second was sampled"
	for _, o := range e.inWindow(observation.KindMachine, func(o *observation.Observation) int64 { return o.Machine.Interval }) {
		m := o.Machine
		switch {
		case m.Unavailable != "":
			reason = m.Unavailable
		case m.Interval >= shortest && m.Cores > 0:
			shares = append(shares, float64(m.Busy)/(float64(m.Interval)*m.Cores))
			steal, busy = steal+m.Steal, busy+m.Busy
		}
	}
	if len(shares) == 0 {
		r.Note = reason
		return r
	}
	r.Spread = Spread{stats.Percentile(shares, 0.5), stats.Percentile(shares, 0.99), stats.Percentile(shares, 1)}
	r.below(stats.Percentile(shares, 0.95), l.MachineCPU)
	r.Note = "p95 of seconds"
	if busy > 0 && steal*20 > busy {
		r.Note = fmt.Sprintf("p95 of seconds; %.0f%% of it was taken by other guests of the host", 100*float64(steal)/float64(busy))
	}
	return r
}
