package receipt

// pressure: the share of the window in which some task waited for a CPU, as
// the kernel tells (PSI, "some"): of this control group, or of the machine.
// The receipt cpu counts the waiting of each process; this one tells whether
// there were enough CPUs at all.

import (
	"fmt"

	"assay/internal/observation"
)

// pressed is the share from which waiting was the rule.
const pressed = 0.5

func pressure(e *Evidence, _ Limits) Receipt {
	r := blank("pressure", "fraction")
	s := e.sum(func(m *observation.Machine) (int64, string) { return m.Pressure, m.PressureUnavailable })
	if s.looks == 0 {
		r.Note = s.reason
		return r
	}
	r.reports(s.share(), s.share() >= pressed)
	r.Spread.Max = min(1, s.most)
	r.Note = join(fmt.Sprintf("of the time some task waited for a CPU; highest second %.0f%%", 100*r.Spread.Max), s.reason)
	return r
}
