package simserver

// The counters that an engine of this kind shows to Prometheus, under vLLM's
// names. They tell what the engine meant, not when the sockets got it: that is
// the truth's.

import "assay/internal/sim"

// An account is what the metrics know of a request.
type account struct {
	input, output         int
	admitted, began, last int64
	first                 int64 // of its emissions
}

// metrics are guarded by the driver's lock.
type metrics struct {
	prompt, generated      uint64
	ended                  map[string]uint64 // by reason
	ttft, itl, e2e         histogram
	queue, prefill, decode histogram
	inputs, outputs        histogram
}

// The bounds are vLLM's own.
var (
	ttftBounds    = []float64{0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560}
	itlBounds     = []float64{0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80}
	latencyBounds = []float64{0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680}
	tokenBounds   = []float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000}
)

func newMetrics() metrics {
	latency := func() histogram { return newHistogram(latencyBounds) }
	return metrics{
		ended: map[string]uint64{"stop": 0, "length": 0, "abort": 0},
		ttft:  newHistogram(ttftBounds), itl: newHistogram(itlBounds), e2e: latency(),
		queue: latency(), prefill: latency(), decode: latency(),
		inputs: newHistogram(tokenBounds), outputs: newHistogram(tokenBounds),
	}
}

func (m *metrics) emitted(a *account, e sim.Emission) {
	tokens := e.Events * e.Tokens
	m.generated += uint64(tokens)
	if a.output == 0 {
		m.prompt += uint64(a.input)
		a.began, a.first = e.Began, e.At
		m.ttft.observe(seconds(e.At - a.admitted))
	} else {
		m.itl.observe(seconds(e.At - a.last))
	}
	a.output += tokens
	a.last = e.At
}

// finished counts the end of a request. What left before it had a token has no
// times.
func (m *metrics) finished(a *account, at int64, reason string) {
	m.ended[reason]++
	if a.output == 0 {
		return
	}
	m.e2e.observe(seconds(at - a.admitted))
	m.queue.observe(seconds(a.began - a.admitted))
	m.prefill.observe(seconds(a.first - a.began))
	m.decode.observe(seconds(a.last - a.first))
	m.inputs.observe(float64(a.input))
	m.outputs.observe(float64(a.output))
}

func seconds(ns int64) float64 { return float64(max(0, ns)) / 1e9 }

// A histogram counts values up to each bound.
type histogram struct {
	bounds []float64
	counts []uint64 // one more than bounds
	sum    float64
}

func newHistogram(bounds []float64) histogram {
	return histogram{bounds: bounds, counts: make([]uint64, len(bounds)+1)}
}

func (h *histogram) observe(x float64) {
	i := 0
	for i < len(h.bounds) && x > h.bounds[i] {
		i++
	}
	h.counts[i]++
	h.sum += x
}
