package receipt

// others: the share of the machine's CPU that neither this fleet, nor its
// coordinator, nor the embedded server used: machine busy − Σ processes.
// server_cpu: the share that the embedded server used. Both stand beside
// machine_cpu, and say whose the load was. What the kernel does for the
// network outside of any process is among the others, and so is steal.

import (
	"fmt"
	"math"

	"assay/internal/observation"
)

// crowded is the share from which others are worth a look.
const crowded = 0.2

func others(e *Evidence, _ Limits) Receipt {
	r := blank("others", "fraction")
	left, most, reason := e.cpuShare(func(l look) (int64, string) {
		known, n, unavailable := l.cpu(func(int) bool { return true })
		if n == 0 {
			unavailable = "no process was sampled"
		}
		return max(0, l.machine.Busy-known), unavailable
	})
	if r.Note = reason; reason == "" {
		r.reports(left, left >= crowded)
		r.Spread.Max = most
		r.Note = fmt.Sprintf("of the machine's CPU, used by neither this client nor its server; highest second %.0f%%", 100*most)
	}
	return r
}

func serverCPU(e *Evidence, _ Limits) Receipt {
	r := blank("server_cpu", "fraction")
	seen := false
	used, most, reason := e.cpuShare(func(l look) (int64, string) {
		ns, n, unavailable := l.cpu(func(worker int) bool { return worker == observation.Embedded })
		seen = seen || n > 0
		return ns, unavailable
	})
	switch {
	case !seen:
		r.Status, r.Note = NotApplicable, "the server is not the embedded one"
	case reason != "":
		r.Note = reason
	default:
		r.reports(used, false)
		r.Spread.Max = most
		r.Note = fmt.Sprintf("of the machine's CPU, used by the embedded server; highest second %.0f%%", 100*most)
	}
	return r
}

// cpuShare is a part of the machine's CPU over the window, and in the highest
// second; or the reason why it can't be told.
func (e *Evidence) cpuShare(of func(look) (ns int64, unavailable string)) (share, most float64, reason string) {
	var sum, whole float64
	for _, l := range e.looks() {
		m := l.machine
		ns, unavailable := of(l)
		switch {
		case m.Unavailable != "":
			return math.NaN(), math.NaN(), m.Unavailable
		case unavailable != "":
			return math.NaN(), math.NaN(), unavailable
		case m.Interval < shortest || m.Cores <= 0:
			continue
		}
		one := float64(m.Interval) * m.Cores
		sum, whole = sum+float64(ns), whole+one
		most = max(most, float64(ns)/one)
	}
	if whole == 0 {
		return math.NaN(), math.NaN(), "no second was sampled"
	}
	return sum / whole, most, ""
}
