package receipt

// ports: the highest share of the local ports for connections that this
// client had taken in the window, with those that rest after anybody's
// connection. It is an upper bound, of two: the descriptors of the fleet, and
// the sockets of the machine without the embedded server's ends, which share
// its one port. Somebody else's connections to other addresses take no port
// from this client.

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
			taken := max(0, m.Ports-l.descriptors(func(worker int) bool { return worker == observation.Embedded }))
			if fleet := l.descriptors(func(worker int) bool { return worker >= 0 }); fleet > 0 {
				taken = min(taken, fleet+m.PortsResting)
			}
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

// descriptors are the open files of the processes that are wanted.
func (l look) descriptors(wanted func(worker int) bool) int {
	n := 0
	for _, o := range l.processes {
		if o.Worker != nil && wanted(*o.Worker) {
			n += o.Process.FDs
		}
	}
	return n
}
