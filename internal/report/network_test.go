package report

import (
	"strings"
	"testing"

	"assay/internal/result"
)

func TestTheNetworkHasALineOnlyWhereItIsKnown(t *testing.T) {
	rtt := result.Lag{P50: ptr(10.2), P99: ptr(12), Max: ptr(13)}
	for _, c := range []struct {
		n    *result.Network
		want string
	}{
		{nil, ""},
		{&result.Network{RTT: rtt}, "  network rtt p50 10.2 ms, p99 12.0 ms\n"},
		{
			&result.Network{RTT: rtt, LatencyAdjusted: &result.Lag{P50: ptr(-0.5), P99: ptr(300)}},
			"  network rtt p50 10.2 ms, p99 12.0 ms; latency less rtt p50 -0.50 ms, p99 300.0 ms\n",
		},
	} {
		p := &page{}
		writeNetwork(p, c.n)
		if got := p.b.String(); got != c.want {
			t.Errorf("writeNetwork(%+v) = %q, want %q", c.n, got, c.want)
		}
	}
	r := settled()
	r.Client.Network = nil
	var b strings.Builder
	if err := Text(&b, r, Options{}); err != nil || strings.Contains(b.String(), "rtt") {
		t.Errorf("a report without a network (%v):\n%s", err, b.String())
	}
}
