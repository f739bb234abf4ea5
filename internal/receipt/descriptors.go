package receipt

// descriptors: the highest share of its limit of open files that any process
// used in the window. A process that has none left can open no connection.

import (
	"fmt"

	"assay/internal/observation"
)

// scarce is the share from which little more load fits.
const scarce = 0.8

func descriptors(e *Evidence, _ Limits) Receipt {
	r := blank("descriptors", "fraction")
	most := -1.0
	note := "no process was sampled"
	for _, o := range e.inWindow(observation.KindProcess, func(o *observation.Observation) int64 { return o.Process.Interval }) {
		p := o.Process
		switch {
		case o.Worker == nil:
		case p.FDs > 0 && p.FDsLimit > 0:
			if share := float64(p.FDs) / float64(p.FDsLimit); share > most {
				most, note = share, fmt.Sprintf("%d of the %d of %s", p.FDs, p.FDsLimit, process(*o.Worker))
			}
		case most >= 0:
		case p.Unavailable != "":
			note = "open files can't be read here either: " + p.Unavailable
		default:
			note = "the open files of a process, or their limit, could not be read"
		}
	}
	if r.Note = note; most >= 0 {
		r.reports(most, most >= scarce)
	}
	return r
}
