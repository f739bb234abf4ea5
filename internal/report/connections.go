package report

// How the requests travelled, where that is not the ordinary way: what stood
// between, what was not checked, and what had to be made first.

import (
	"strings"

	"assay/internal/result"
)

func writeConnections(p *page, r *result.Result) {
	c := r.Connections
	var lines []string
	if c.Policy != "" && c.Policy != "pooled" {
		lines = append(lines, "policy "+strings.ReplaceAll(c.Policy, "_", " "))
	}
	if c.Multiplex > 0 {
		lines = append(lines, version(c))
	}
	for _, proxy := range c.Proxies {
		lines = append(lines, p.paint(doubt, "through a proxy")+": "+oneLine(proxy, 160)+"; its time is in every number")
	}
	if len(c.Insecure) > 0 {
		lines = append(lines, p.paint(doubt, "insecure")+": any certificate was taken (stream "+oneLine(strings.Join(c.Insecure, ", "), 160)+")")
	}
	if c.Waited > 0 {
		lines = append(lines, setUp(c))
	}
	if len(lines) == 0 && len(c.URLs) == 0 {
		return
	}
	p.heading("connections")
	for _, line := range lines {
		p.line("  " + line)
	}
	writeURLs(p, c.URLs)
}

// version is one line on HTTP/2 and what its stamps are.
func version(c result.Connections) string {
	if c.Multiplex == 1 {
		return "HTTP/2, one stream a connection"
	}
	return "HTTP/2, up to " + count(int64(c.Multiplex)) + " streams a connection: an event's stamp is that of the read that brought its last byte, and other streams' bytes may be in it"
}

// setUp is one line on what requests waited for before they were sent.
func setUp(c result.Connections) string {
	line := count(c.Waited) + " requests waited for a connection: " + middleAndTail(c.Connect)
	var parts []string
	if c.DNS != nil {
		parts = append(parts, "dns "+middleAndTail(c.DNS))
	}
	if c.TLS != nil {
		parts = append(parts, "tls "+middleAndTail(c.TLS))
	}
	if len(parts) > 0 {
		line += " (" + strings.Join(parts, "; ") + ")"
	}
	return line + "; in no latency that counts from sent"
}

// writeURLs is a row for each of several addresses. Their latencies stand by part.
func writeURLs(p *page, urls []result.URL) {
	if len(urls) == 0 {
		return
	}
	t := table{align: "lrrrr"}
	t.row(header("", "due", "ok", "failed", "censored")...)
	for _, u := range urls {
		t.text(oneLine(u.URL, 80), count(u.Due), count(u.OK), count(u.Failed), count(u.Censored))
	}
	t.write(p, "  ")
}

// writeThrottled is one line below the errors.
func writeThrottled(p *page, t *result.Throttled) {
	if t == nil {
		return
	}
	line := count(t.Count) + " refused with 429 or 503, and not sent again"
	if t.RetryAfterS != nil {
		line += "; Retry-After p50 " + digits(t.RetryAfterS.P50) + " s, max " + digits(t.RetryAfterS.Max) + " s"
	}
	p.line("  " + line)
}
