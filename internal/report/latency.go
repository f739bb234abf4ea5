package report

import (
	"slices"
	"sort"
	"strings"

	"assay/internal/result"
)

// order is the order in which metrics are shown; the first mains are shown
// without being asked for.
var order = []string{
	"ttft_ms", "ttft_due_ms", "itl_ms", "tpot_ms", "latency_ms",
	"ttfo_ms", "stall_ms", "latency_due_ms", "decode_ms", "output_rate", "fluidity",
	"wait_ms", "connect_ms", "dns_ms", "tls_ms", "ttfb_ms",
	"rtt_ms", "ttft_adjusted_ms", "latency_adjusted_ms",
}

const mains = 5

func writeLatencies(p *page, r *result.Result, verbose bool) {
	keys := chosen(r, verbose)
	if len(keys) == 0 {
		return
	}
	p.heading("latencies")
	t := table{align: "llrrrrrr"}
	t.row(header("", "", "n", "p50", "p90", "p99", "p99.9", "max")...)
	for _, key := range keys {
		distribution(&t, strings.TrimSuffix(key, "_ms"), r.Metrics[key])
	}
	t.write(p, "  ")
}

func header(names ...string) []cell {
	row := make([]cell, len(names))
	for i, n := range names {
		row[i] = cell{n, faint}
	}
	return row
}

// distribution adds a metric and, below it, the 95 % intervals of its p50 and p99.
func distribution(t *table, name string, m result.Metric) {
	t.text(name, m.Unit, count(m.Count), number(m.P50), number(m.P90), number(m.P99), number(m.P999), number(m.Max))
	if m.CI == nil {
		return
	}
	t.row(plain(""), cell{"95%", faint}, plain(""), cell{span(m.CI.P50), faint}, plain(""), cell{span(m.CI.P99), faint})
}

func span(ci [2]*float64) string {
	end := func(v *float64) string {
		if v == nil {
			return "open"
		}
		return digits(*v)
	}
	if ci[0] == nil && ci[1] == nil {
		return "open"
	}
	return end(ci[0]) + "–" + end(ci[1])
}

// chosen returns the keys of the metrics to show: the main ones, those that
// an objective names, the wait where a ceiling made some, and with verbose all.
func chosen(r *result.Result, verbose bool) []string {
	var keys []string
	for i, key := range order {
		if _, ok := r.Metrics[key]; ok && (verbose || i < mains || asked(r, key)) {
			keys = append(keys, key)
		}
	}
	if !verbose {
		return keys
	}
	for _, key := range sorted(r.Metrics) {
		if !slices.Contains(order, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

func asked(r *result.Result, key string) bool {
	if key == "wait_ms" && r.Requests.Held > 0 {
		return true
	}
	for _, o := range r.Verdict.Objectives {
		name := o.Objective
		if i := strings.IndexAny(name, " [<>="); i >= 0 {
			name = name[:i]
		}
		if name == strings.TrimSuffix(key, "_ms") {
			return true
		}
	}
	return false
}

// writeBy shows ttft and itl by dimension: by stream and URL where there are
// several of them, by turn where there are later ones, with verbose by every
// dimension.
func writeBy(p *page, r *result.Result, verbose bool) {
	t := table{align: "llrrrrrr"}
	for _, dimension := range sorted(r.By) {
		values := r.By[dimension]
		if !verbose && (len(values) < 2 || dimension != "stream" && dimension != "url" && dimension != "turn") {
			continue
		}
		for _, value := range sorted(values) {
			for _, key := range []string{"ttft_ms", "itl_ms"} {
				if m, ok := values[value][key]; ok {
					distribution(&t, dimension+" "+oneLine(value, 40)+" "+strings.TrimSuffix(key, "_ms"), m)
				}
			}
		}
	}
	if len(t.rows) == 0 {
		return
	}
	p.heading("by part")
	head := table{align: t.align, rows: append([][]cell{header("", "", "n", "p50", "p90", "p99", "p99.9", "max")}, t.rows...)}
	head.write(p, "  ")
}

func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
