package receipt

// ports: the highest share of the local ports for connections that was taken
// in the window, open or at rest. It is an upper bound: every TCP socket of
// the machine counts, and one port serves connections to several addresses.
// The embedded server's own ends are left out, since they share its one port.

import (
	"fmt"

	"assay/internal/observation"
)

func ports(e *Evidence, _ Limits) Receipt {
	r := blank("ports", "fraction")
	most := -1.0
	r.Note = "the machine was not sampled"
	for _, l := range e.looks() {
		m := l.machine
		switch {
		case m.PortsUnavailable != "":
			r.Note = m.PortsUnavailable
		case m.PortsLimit == 0:
			r.Note = "this was not looked at when the run was made"
		default:
			taken := max(0, m.Ports-l.descriptors(observation.Embedded))
			if share := min(1, float64(taken)/float64(m.PortsLimit)); share > most {
				most = share
				r.Note = fmt.Sprintf("at most %d of %d, open or at rest", taken, m.PortsLimit)
			}
		}
	}
	if most >= 0 {
		r.reports(most, most >= scarce)
	}
	return r
}

// descriptors are the open files of a worker's processes in a look.
func (l look) descriptors(worker int) int {
	n := 0
	for _, o := range l.processes {
		if o.Worker != nil && *o.Worker == worker {
			n += o.Process.FDs
		}
	}
	return n
}
