package receipt

// The looks at the machine and at its processes, of which several receipts
// are sums: one a second.

import "assay/internal/observation"

// A look is one at the machine and, just before it, at each process.
type look struct {
	machine   *observation.Machine
	processes []*observation.Observation
}

// looks are those of the window, or all of a run too short for one inside.
func (e *Evidence) looks() []look {
	var inside, all []look
	var processes []*observation.Observation
	for i := range e.Observations {
		o := &e.Observations[i]
		switch o.Kind {
		case observation.KindProcess:
			processes = append(processes, o)
		case observation.KindMachine:
			l := look{o.Machine, processes}
			all = append(all, l)
			if o.T > e.From && o.T-o.Machine.Interval < e.To {
				inside = append(inside, l)
			}
			processes = nil
		}
	}
	if len(inside) == 0 {
		return all
	}
	return inside
}

// cpu is the CPU time in a look of the processes that are wanted; why not,
// where one of them can't be read.
func (l look) cpu(wanted func(worker int) bool) (ns int64, n int, unavailable string) {
	for _, o := range l.processes {
		if o.Worker == nil || !wanted(*o.Worker) {
			continue
		}
		n++
		ns += o.Process.CPU
		if o.Process.Unavailable != "" {
			unavailable = o.Process.Unavailable
		}
	}
	return ns, n, unavailable
}

// before says that the observations are of a version that did not look at
// more than the CPU: its zeros are no counts.
func (l look) before() bool {
	m := l.machine
	return m.PortsLimit == 0 && m.PortsUnavailable == ""
}

// A sum is a count of the machine over the looks of the window.
type sum struct {
	n, wall int64   // ns of looking
	most    float64 // the highest share of one look
	looks   int
	reason  string // why there is none, or not all
}

// sum adds a count up, of the looks that have it.
func (e *Evidence) sum(of func(*observation.Machine) (n int64, unavailable string)) sum {
	s := sum{reason: "the machine was not sampled"}
	for i, l := range e.looks() {
		n, unavailable := of(l.machine)
		switch {
		case l.before():
			s.reason = "this was not looked at when the run was made"
		case unavailable != "":
			s.reason = unavailable
		case l.machine.Interval > 0:
			s.n, s.wall, s.looks = s.n+n, s.wall+l.machine.Interval, s.looks+1
			s.most = max(s.most, float64(n)/float64(l.machine.Interval))
			if s.looks == i+1 {
				s.reason = ""
			}
		}
	}
	if s.looks > 0 && s.reason != "" {
		s.reason = "not of every second: " + s.reason
	}
	return s
}

func (s sum) share() float64 { return min(1, float64(s.n)/float64(s.wall)) }
