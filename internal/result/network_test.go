package result_test

// The network's share, against round trips that are chosen.

import (
	"testing"

	"assay/internal/observation"
	"assay/internal/record"
	"assay/internal/result"
)

// distant gives every request of the window the round trip 1 ms, the last one
// 30 ms, and those of the warm-up 500 ms.
func distant(list []record.Record) []record.Record {
	for i := range list {
		list[i].RTT = 1 * ms
		if list[i].Phase != record.Measured {
			list[i].RTT = 500 * ms
		}
	}
	list[len(list)-1].RTT = 30 * ms
	return list
}

func TestTheNetworksShareStandsBesideWhatWasMeasured(t *testing.T) {
	c := load(t, quick)
	r := build(t, c, distant(server(c, 80*ms, 10*ms, 0)), machines(0.1))
	n := r.Client.Network
	if n == nil || n.TTFTAdjusted == nil || n.LatencyAdjusted == nil {
		t.Fatalf("network = %+v", n)
	}
	is(t, "rtt p50", n.RTT.P50, 1)
	is(t, "rtt p99", n.RTT.P99, 1) // one of some 400
	is(t, "rtt max", n.RTT.Max, 30)
	is(t, "ttft less rtt p50", n.TTFTAdjusted.P50, 79)
	is(t, "ttft less rtt max", n.TTFTAdjusted.Max, 79) // the farthest request is 50
	is(t, "latency less rtt p99", n.LatencyAdjusted.P99, 80+63*10-1)
	is(t, "ttft p50 as measured", r.Metrics["ttft_ms"].P50, 80)
	is(t, "ttft_adjusted min", r.Metrics["ttft_adjusted_ms"].Min, 50)
	is(t, "latency_adjusted max", r.Metrics["latency_adjusted_ms"].Max, 709)
	is(t, "rtt max among the metrics", r.Metrics["rtt_ms"].Max, 30)
}

func TestSegmentsSentAgainAreThoseOfTheWindowOrUnknown(t *testing.T) {
	c := load(t, quick)
	obs := machines(0.1) // one a second, ending at 1 s, 2 s, … 23 s; the window is from 2 s to 22 s
	for i := range obs {
		if o := &obs[i]; o.Kind == observation.KindMachine {
			o.Machine.Retransmits, o.Machine.PortsLimit = 100, 28232 // a run that looked at both
			if o.T > 2e9 && o.T <= 22e9 {
				o.Machine.Retransmits = 3
			}
		}
	}
	n := build(t, c, distant(server(c, 80*ms, 10*ms, 0)), obs).Client.Network
	if n == nil || n.Retransmits == nil || *n.Retransmits != 3*20 {
		t.Errorf("network = %+v, want 60 segments sent again", n)
	}
	for i := range obs {
		if o := &obs[i]; o.Kind == observation.KindMachine {
			o.Machine.Retransmits, o.Machine.RetransmitsUnavail = 0, "no /proc"
		}
	}
	if n = build(t, c, distant(server(c, 80*ms, 10*ms, 0)), obs).Client.Network; n == nil || n.Retransmits != nil {
		t.Errorf("network = %+v, want an unknown number of segments", n)
	}
}

func TestWhereTheKernelTellsNoRoundTripThereIsNoNetwork(t *testing.T) {
	c := load(t, quick)
	r := build(t, c, server(c, 80*ms, 10*ms, 0), machines(0.1))
	if r.Client.Network != nil {
		t.Errorf("network = %+v of records without a round trip", r.Client.Network)
	}
	for _, key := range []string{"rtt_ms", "ttft_adjusted_ms", "latency_adjusted_ms"} {
		if m, ok := r.Metrics[key]; ok {
			t.Errorf("%s = %+v of records without a round trip", key, m)
		}
	}
}

func TestAnObjectiveMayNameTheAdjustedTime(t *testing.T) {
	// The TTFT is 80 ms and its bound is missed; 79 ms of it are the server's.
	c := load(t, quick[:len(quick)-len("slo: [ttft p50 < 240ms, itl p99 < 30ms, error_rate < 1%]\n")]+
		"slo: [ttft_adjusted p50 < 79.5ms, ttft p50 < 79.5ms]\n")
	r := build(t, c, distant(server(c, 80*ms, 10*ms, 0)), machines(0.1))
	if len(r.Verdict.Objectives) != 2 || r.Verdict.Objectives[0].Status != result.Pass || r.Verdict.Objectives[1].Status != result.Fail {
		t.Errorf("objectives:\n%s", objectives(r))
	}
}
