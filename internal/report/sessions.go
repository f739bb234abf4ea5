package report

import (
	"strings"

	"assay/internal/result"
)

// writeSessions says what became of whole sessions, and what those took that
// are complete.
func writeSessions(p *page, r *result.Result) {
	for _, s := range r.Sessions {
		heading := "sessions"
		if len(r.By["stream"]) > 1 {
			heading += " of " + oneLine(s.Stream, 40)
		}
		p.heading(heading)
		p.line("  " + sessionCounts(p, s))
		if line := unsentTurns(s.Turns); line != "" {
			p.line("  " + line)
		}
		writeWhole(p, s.Metrics)
		if manyCut*s.Censored > s.Started {
			p.line("  " + p.paint(doubt, "many were cut by the end") + ": complete ones lean to the short; a longer window cuts fewer, and with --requests sessions run to their end")
		}
	}
}

// manyCut is the part of sessions from which on it shows in the others that
// some were cut: one in so many.
const manyCut = 10

func sessionCounts(p *page, s result.Sessions) string {
	parts := []string{count(s.Started) + " started in the window", count(s.Complete) + " complete"}
	if s.Broken > 0 {
		parts = append(parts, p.paint(bad, count(s.Broken)+" broken"))
	}
	if s.Cancelled > 0 {
		parts = append(parts, count(s.Cancelled)+" hung up")
	}
	if s.Censored > 0 {
		parts = append(parts, count(s.Censored)+" cut by the end")
	}
	return strings.Join(parts, " · ")
}

// unsentTurns tells of the turns that nobody waits for any more: they are no
// lost requests.
func unsentTurns(t result.SessionTurns) string {
	var why []string
	for _, w := range []struct {
		n     int64
		words string
	}{{t.AfterFailure, " after a failure"}, {t.AfterCancel, " after hanging up"}, {t.AfterEnd, " at the end"}} {
		if w.n > 0 {
			why = append(why, count(w.n)+w.words)
		}
	}
	if len(why) == 0 {
		return ""
	}
	return count(t.Sent) + " of their " + count(t.Planned) + " turns were sent; never due: " + strings.Join(why, ", ")
}

// writeWhole is a table of what complete sessions took.
func writeWhole(p *page, metrics map[string]result.Metric) {
	t := table{align: "llrrrrrr"}
	t.row(header("", "", "n", "mean", "p50", "p90", "p99", "max")...)
	for _, row := range []struct{ key, name string }{
		{"latency_ms", "latency"}, {"served_ms", "served"}, {"calls", "calls"},
		{"input_tokens", "input tokens"}, {"output_tokens", "output tokens"},
		{"verifier_tokens", "verifier tokens"}, {"verifier_share", "verifier share"},
	} {
		m, ok := metrics[row.key]
		if !ok {
			continue
		}
		mean, show, unit := number, whole, ""
		switch m.Unit {
		case "ms":
			show, unit = number, m.Unit
		case "fraction":
			show = func(v *float64) string { return amount(v, "fraction") }
			mean = show
		}
		t.text(row.name, unit, count(m.Count), mean(m.Mean), show(m.P50), show(m.P90), show(m.P99), show(m.Max))
	}
	if len(t.rows) > 1 {
		t.write(p, "  ")
	}
}
