package receipt

// local_faults: no descriptors, ports or memory here; a worker that died; a
// full disk. Not one is allowed: they are faults of the harness.

import (
	"fmt"

	"assay/internal/observation"
)

func localFaults(e *Evidence, _ Limits) Receipt {
	r := blank("local_faults", "count")
	r.bound(Limit{})
	n := e.local
	if e.local > 0 {
		r.Note = fmt.Sprintf("%d requests met a limit of this machine: %s", e.local, e.localFault)
	}
	for i := range e.Observations {
		o := &e.Observations[i]
		switch {
		case o.Kind == observation.KindDeath:
			n++
			r.Note = join(r.Note, fmt.Sprintf("%s died: %s", who(o.Worker), o.Death.Reason))
		case o.Kind == observation.KindNote && o.Note.Code == observation.NoteDiskFull:
			n++
			r.Note = join(r.Note, "disk full: "+o.Note.Text)
		}
	}
	r.Value = float64(n)
	if r.Status = Holds; n > 0 {
		r.Status = Broken
	}
	return r
}

func who(worker *int) string {
	if worker == nil {
		return "a process"
	}
	return process(*worker)
}

func join(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + "; " + b
}
