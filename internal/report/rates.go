package report

import (
	"strings"

	"assay/internal/result"
)

// writeRates prints the throughput and, beside it, the latencies at which it
// was reached: a rate alone says nothing about a server.
func writeRates(p *page, r *result.Result) {
	t := table{align: "lr"}
	for _, row := range []struct {
		name  string
		value *float64
	}{
		{"offered", r.Rates.Offered}, {"request", r.Rates.Request}, {"good", r.Rates.Good},
		{"output tokens", r.Rates.OutputToken}, {"input tokens", r.Rates.InputToken},
	} {
		if row.value != nil {
			t.text(row.name, amount(row.value, "1/s"))
		}
	}
	itemRates(&t, r.Items)
	if r.Rates.GoodFraction != nil {
		t.text("good fraction", amount(r.Rates.GoodFraction, "fraction"))
	}
	if len(t.rows) == 0 {
		return
	}
	p.heading("rates" + reached(r))
	t.write(p, "  ")
	writeArrivals(p, r.Arrivals)
}

func reached(r *result.Result) string {
	var parts []string
	for _, key := range []string{"ttft_ms", "itl_ms", "latency_ms"} {
		m, ok := r.Metrics[key]
		if !ok || m.Count == 0 || key == "latency_ms" && len(parts) > 0 {
			continue
		}
		parts = append(parts, strings.TrimSuffix(key, "_ms")+" p50 "+number(m.P50)+", p99 "+number(m.P99)+" ms")
	}
	if len(parts) == 0 {
		return "  (no latency was reached)"
	}
	return "  at " + strings.Join(parts, "; ")
}

func writeTokens(p *page, r *result.Result) {
	in, out := r.Tokens.Input, r.Tokens.Output
	p.heading("tokens")
	t := table{align: "lrrrrrrl"}
	t.row(header("", "measured", "warm-up", "preflight", "discarded", "cached", "reasoning", "counted by")...)
	t.text("input", count(in.Measured), count(in.Warmup), count(in.Preflight), count(in.Discarded), count(in.Cached), "", r.Tokens.InputSource)
	if r.Rates.OutputToken != nil || len(r.Items) == 0 {
		t.text("output", count(out.Measured), count(out.Warmup), count(out.Preflight), count(out.Discarded), "", count(out.Reasoning), r.Tokens.Source)
	}
	t.write(p, "  ")
	writeItems(p, r.Items)
	if all := float64(in.Measured + in.Warmup + in.Discarded + out.Measured + out.Warmup + out.Discarded); in.Verifier+out.Verifier > 0 {
		share := float64(in.Verifier+out.Verifier) / all
		p.line("  verifiers took " + count(in.Verifier) + " of the input and " + count(out.Verifier) + " of the output, " + amount(&share, "fraction") + " of all that the load took")
	}
	writeCache(p, r.Cache)
	if n := r.Tokens.UsageMismatch; n > 0 {
		p.line("  " + p.paint(doubt, count(n)+" replies") + ": the server's count and the tokenizer's are more than 10% apart")
	}
}
