package measure

// One function a metric: its comment is its formula and its edge cases. Each
// takes a request that succeeded and says whether the request has the value.

import "assay/internal/record"

// A Metric is one line of the table of values that a request has once.
type Metric struct {
	ID       string
	Unit     string                               // "ms", "ms/token", "tokens/s", "fraction"
	Streamed bool                                 // only a streamed reply has it
	Gaps     bool                                 // only a reply with a gap has it
	of       func(*record.Record) (float64, bool) // nil for fluidity, which asks for deadlines too
}

// perRequest is the table, in the order in which people read it. ITL, one
// value per gap, is beside it.
var perRequest = [...]Metric{
	{ID: "ttft", Unit: "ms", Streamed: true, of: ttft},
	{ID: "ttft_due", Unit: "ms", Streamed: true, of: ttftDue},
	{ID: "ttfo", Unit: "ms", Streamed: true, of: ttfo},
	{ID: "stall", Unit: "ms", Streamed: true, Gaps: true, of: stall},
	{ID: "tpot", Unit: "ms/token", Streamed: true, Gaps: true, of: tpot},
	{ID: "latency", Unit: "ms", of: latency},
	{ID: "latency_due", Unit: "ms", of: latencyDue},
	{ID: "decode", Unit: "ms", Streamed: true, Gaps: true, of: decode},
	{ID: "output_rate", Unit: "tokens/s", Streamed: true, Gaps: true, of: outputRate},
	{ID: Fluidity, Unit: "fraction", Streamed: true},
	{ID: "wait", Unit: "ms", of: wait},
	{ID: "connect", Unit: "ms", of: connect},
	{ID: "dns", Unit: "ms", of: dns},
	{ID: "tls", Unit: "ms", of: tls},
	{ID: "ttfb", Unit: "ms", of: ttfb},
	{ID: RTT, Unit: "ms", of: rtt},
	{ID: TTFTAdjusted, Unit: "ms", Streamed: true, of: ttftAdjusted},
	{ID: LatencyAdjusted, Unit: "ms", of: latencyAdjusted},
}

// ITL is the metric with one value per gap: t[i] − t[i−1], i = 2…m, pooled
// over all requests.
const ITL = "itl"

// Fluidity is the metric that counts against the stream's objectives.
const Fluidity = "fluidity"

// The network's share: the round trip, and latencies without it. They stand
// beside those that were measured, never instead.
const (
	RTT             = "rtt"
	TTFTAdjusted    = "ttft_adjusted"
	LatencyAdjusted = "latency_adjusted"
)

// PerRequest returns the table.
func PerRequest() []Metric { return append([]Metric(nil), perRequest[:]...) }

func column(id string) int {
	for i, m := range perRequest {
		if m.ID == id {
			return i
		}
	}
	return -1
}

// ttft = t[1] − sent: time to first token, reasoning included; the connection
// is outside.
func ttft(r *record.Record) (float64, bool) { return between(r.Sent, r.First) }

// ttftDue = t[1] − due: what the user waits, connecting, queueing in the client
// and below a ceiling included. Open loop: elsewhere due is not a promise to anybody.
func ttftDue(r *record.Record) (float64, bool) { return sinceDue(r, r.First) }

// ttfo = first content that is not reasoning − sent; missing in a reply that
// only reasons.
func ttfo(r *record.Record) (float64, bool) { return between(r.Sent, r.FirstOutput) }

// stall is the largest gap of the request; missing with fewer than two events.
func stall(r *record.Record) (float64, bool) {
	if len(r.Events) < 2 {
		return 0, false
	}
	var most int64
	for i := 1; i < len(r.Events); i++ {
		most = max(most, r.Events[i].Arrived-r.Events[i-1].Arrived)
	}
	return ms(most), true
}

// tpot = (t[m] − t[1]) / (N − k[1]): all tokens of the first event leave the
// divisor, not just one. Missing with fewer than two events, or when no token
// came after the first event.
func tpot(r *record.Record) (float64, bool) {
	d, ok := decode(r)
	if !ok {
		return 0, false
	}
	rest := Tokens(r) - int64(r.Events[0].Tokens())
	if rest <= 0 {
		return 0, false
	}
	return d / float64(rest), true
}

// latency = t[m] − sent: it ends at the last content-bearing event; usage, end
// marker and close do not move it.
func latency(r *record.Record) (float64, bool) { return between(r.Sent, r.Last) }

// latencyDue = t[m] − due; open loop.
func latencyDue(r *record.Record) (float64, bool) { return sinceDue(r, r.Last) }

// decode = t[m] − t[1]; missing with fewer than two events.
func decode(r *record.Record) (float64, bool) {
	if len(r.Events) < 2 {
		return 0, false
	}
	return between(r.First, r.Last)
}

// outputRate = 1 / tpot in tokens per second; missing where tpot is, and where
// it is 0: all tokens in one instant have no rate.
func outputRate(r *record.Record) (float64, bool) {
	t, ok := tpot(r)
	if !ok || t <= 0 {
		return 0, false
	}
	return 1000 / t, true
}

// wait = free − due: for a turn or a ceiling, never for the client; 0 in closed loop.
func wait(r *record.Record) (float64, bool) { return between(r.Due, r.Free) }

// connect = ready − dial start, DNS and TLS included; missing on a connection
// that was there.
func connect(r *record.Record) (float64, bool) { return part(r, r.Connect) }

// dns is the part of connect that resolved the name.
func dns(r *record.Record) (float64, bool) { return part(r, r.DNS) }

// tls is the part of connect that shook hands.
func tls(r *record.Record) (float64, bool) { return part(r, r.TLS) }

// ttfb = first byte − sent.
func ttfb(r *record.Record) (float64, bool) {
	if r.TTFB == record.None {
		return 0, false
	}
	return ms(r.TTFB), true
}

// rtt is the smallest round trip of the request's connection, as TCP measured
// it; missing where the system tells none.
func rtt(r *record.Record) (float64, bool) {
	if r.RTT == record.None {
		return 0, false
	}
	return ms(r.RTT), true
}

// ttftAdjusted = ttft − rtt; missing where either is. The round trip is the
// smallest of several, in whole microseconds, and may be another request's:
// against a server that answers at once the difference may lie just below 0,
// and is kept as it is.
func ttftAdjusted(r *record.Record) (float64, bool) { return lessRTT(r, r.First) }

// latencyAdjusted = latency − rtt, like ttftAdjusted. One round trip leaves
// it, since the events follow each other without waiting for the client.
func latencyAdjusted(r *record.Record) (float64, bool) { return lessRTT(r, r.Last) }

func lessRTT(r *record.Record, t int64) (float64, bool) {
	if r.RTT == record.None || r.Sent == record.None || t == record.None {
		return 0, false
	}
	return ms(t - r.Sent - r.RTT), true
}

func part(r *record.Record, d int64) (float64, bool) {
	if r.Reused || d == record.None {
		return 0, false
	}
	return ms(d), true
}

func sinceDue(r *record.Record, t int64) (float64, bool) {
	if r.Release != record.AtDue && r.Release != record.Ceiling {
		return 0, false
	}
	return between(r.Due, t)
}

func between(from, to int64) (float64, bool) {
	if from == record.None || to == record.None {
		return 0, false
	}
	return ms(to - from), true
}

func ms(ns int64) float64 { return float64(ns) / 1e6 }

// Tokens is N, the output tokens of the request by its best source; where
// nothing tells, the sum over its events.
func Tokens(r *record.Record) int64 {
	if r.Output != record.NoCount {
		return int64(r.Output)
	}
	return delivered(r)
}

// delivered is Σ k[i].
func delivered(r *record.Record) int64 {
	var n int64
	for _, e := range r.Events {
		n += int64(e.Tokens())
	}
	return n
}
