package receipt

// throttling: the share of the window in which the control group's quota held
// tasks back, summed over CPUs and at most 1. The receipt cpu sees only what
// the kernel counts of it as waiting, which is less: what is late because of
// it shows in send_lag and read_lag.

import (
	"fmt"

	"assay/internal/observation"
)

func throttling(e *Evidence, _ Limits) Receipt {
	r := blank("throttling", "fraction")
	s := e.sum(func(m *observation.Machine) (int64, string) { return m.Throttled, m.ThrottledUnavail })
	if s.looks == 0 {
		r.Note = s.reason
		return r
	}
	r.reports(s.share(), s.n > 0)
	r.Spread.Max = min(1, s.most)
	r.Note = s.reason
	if r.Warns {
		r.Note = join(fmt.Sprintf("the quota of CPU held this client back for %.0f ms in all, in the worst second %.0f%%", ms(s.n), 100*r.Spread.Max), s.reason)
	}
	return r
}
