package result

// Two runs of the same traffic as pairs of intervals, for the doubling check.

import "assay/internal/observation"

// Compare pairs the request rate, and the p50 and p99 of TTFT and ITL, of two
// runs; of replies that are not streamed, those of the latency. A pair that
// either run lacks is left out.
func Compare(this, other *Result) []observation.Comparison {
	list := []observation.Comparison{}
	add := func(name string, a, b *float64, aCI, bCI [2]*float64) {
		if a != nil && b != nil {
			list = append(list, observation.Comparison{Name: name, This: a, CI: aCI, Other: b, OtherCI: bCI})
		}
	}
	add("request_rate", this.Rates.Request, other.Rates.Request, this.Rates.RequestCI, other.Rates.RequestCI)
	names := []string{"ttft_ms", "itl_ms"}
	if _, streamed := this.Metrics["ttft_ms"]; !streamed {
		names = []string{"latency_ms"}
	}
	for _, name := range names {
		a, b := this.Metrics[name], other.Metrics[name]
		if a.CI == nil || b.CI == nil {
			continue
		}
		add(name+" p50", a.P50, b.P50, a.CI.P50, b.CI.P50)
		add(name+" p99", a.P99, b.P99, a.CI.P99, b.CI.P99)
	}
	return list
}
