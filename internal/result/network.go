package result

// The network's share of what was measured, kept apart from it.

import (
	"assay/internal/measure"
	"assay/internal/receipt"
	"assay/internal/stats"
)

// network is nil where the kernel told no round trip, as on other systems than
// Linux and in records that were made before it was asked.
func (b *builder) network() *Network {
	rtt := spread(b.whole(measure.RTT))
	if rtt == nil {
		return nil
	}
	n := &Network{
		RTT:             *rtt,
		TTFTAdjusted:    spread(b.whole(measure.TTFTAdjusted)),
		LatencyAdjusted: spread(b.whole(measure.LatencyAdjusted)),
	}
	// The receipt's number, so that the two never differ.
	if v := receipt.Find(b.receipts, "retransmits").Value; finite(v) {
		segments := int64(v)
		n.Retransmits = &segments
	}
	return n
}

// whole is a metric over the requests of the window that succeeded.
func (b *builder) whole(metric string) *stats.Sample { return b.s.Whole(metric, measure.Filter{}) }

func spread(s *stats.Sample) *Lag {
	if s.Count() == 0 {
		return nil
	}
	return &Lag{P50: number(s.Percentile(0.5)), P99: number(s.Percentile(0.99)), Max: number(s.Max())}
}
