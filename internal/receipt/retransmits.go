package receipt

// retransmits: TCP segments that this machine sent again in the window, to
// whomever. Each may hold a request up for 200 ms and more, and no latency
// tells that from a slow server. (What the server sends again is known to the
// server alone.)

import "assay/internal/observation"

func retransmits(e *Evidence, _ Limits) Receipt {
	r := blank("retransmits", "count")
	s := e.sum(func(m *observation.Machine) (int64, string) { return m.Retransmits, m.RetransmitsUnavail })
	if s.looks == 0 {
		r.Note = s.reason
		return r
	}
	// More than one for a hundred requests: enough to stand in a p99.
	r.reports(float64(s.n), s.n*100 > e.sent)
	r.Note = s.reason
	if r.Warns {
		r.Note = join("segments sent again are enough to stand in a p99", s.reason)
	}
	return r
}
