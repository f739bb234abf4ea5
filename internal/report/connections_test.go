package report

import (
	"strings"
	"testing"

	"assay/internal/result"
)

func TestTheOrdinaryWayHasNoWords(t *testing.T) {
	r := settled()
	r.Connections = result.Connections{Policy: "pooled"}
	var b strings.Builder
	if err := Text(&b, r, Options{}); err != nil || strings.Contains(b.String(), "connections") || strings.Contains(b.String(), "refused") {
		t.Errorf("a report of an ordinary run (%v):\n%s", err, b.String())
	}
}

func TestWhatStoodBetweenAndWhatWasWaitedForIsSaid(t *testing.T) {
	r := settled()
	r.Throttled = &result.Throttled{Count: 1200, RetryAfterS: &result.RetryAfter{P50: 2, Max: 30}}
	r.Errors = []result.ErrorCount{{Kind: "http_429", Count: 1200, Example: "slow down"}}
	r.Connections = result.Connections{
		Policy: "per_request", HTTP: "2", Multiplex: 4, Proxies: []string{"http://proxy:3128 before http://far"}, Insecure: []string{"main"}, Waited: 412,
		Connect: &result.Lag{P50: ptr(12), P99: ptr(20)}, TLS: &result.Lag{P50: ptr(7), P99: ptr(9)},
		URLs: []result.URL{{URL: "http://a/", Due: 300, OK: 300}, {URL: "http://b/", Due: 112, Failed: 112}},
	}
	golden(t, "connections", r, Options{})
}
