package report

import "assay/internal/result"

// writeNetwork is one line on how far away the server was, and what it took
// without that. The measured times stand above, whole.
func writeNetwork(p *page, n *result.Network) {
	if n == nil {
		return
	}
	line := "network rtt " + middleAndTail(&n.RTT)
	switch {
	case n.TTFTAdjusted != nil:
		line += "; ttft less rtt " + middleAndTail(n.TTFTAdjusted)
	case n.LatencyAdjusted != nil:
		line += "; latency less rtt " + middleAndTail(n.LatencyAdjusted)
	}
	p.line("  " + line)
}

func middleAndTail(l *result.Lag) string {
	return "p50 " + amount(l.P50, "ms") + ", p99 " + amount(l.P99, "ms")
}
