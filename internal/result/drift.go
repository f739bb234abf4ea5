package result

import "assay/internal/slo"

// drift returns a reason when the run had not settled: a queue that still
// grows, or latencies that still rise, say more of the length of the run than
// of the server. The verdict stands without it; a claim does not.
func (b *builder) drift() []Reason {
	open := true
	for i := range b.c.Streams {
		open = open && b.c.Streams[i].OpenLoop()
	}
	if why := slo.Drift(b.s, open); why != "" {
		return []Reason{{"drift", why}}
	}
	return nil
}
