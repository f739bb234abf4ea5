package report

import (
	"bytes"
	"strings"
	"testing"

	"assay/internal/result"
)

// talks is a result of sessions, some of which came to no good end.
func talks() *result.Result {
	r := settled()
	metric := func(unit string, n int64, mean, p50, p90, p99, most float64) result.Metric {
		return result.Metric{Unit: unit, Count: n, Mean: ptr(mean), P50: ptr(p50), P90: ptr(p90), P99: ptr(p99), Max: ptr(most)}
	}
	r.Sessions = []result.Sessions{{
		Stream: "main", Started: 160, Complete: 130, Broken: 4, Cancelled: 6, Censored: 20,
		Turns: result.SessionTurns{Planned: 640, Sent: 585, AfterFailure: 7, AfterCancel: 13, AfterEnd: 35},
		Metrics: map[string]result.Metric{
			"latency_ms": metric("ms", 130, 4120, 4010.4, 5200, 6100, 6233), "served_ms": metric("ms", 130, 2120, 2010.4, 3200, 4100, 4233),
			"calls": metric("requests", 130, 4, 4, 4, 4, 4), "input_tokens": metric("tokens", 130, 1204.5, 1200, 1300, 1400, 1411),
			"output_tokens": metric("tokens", 130, 240, 240, 240, 240, 240), "verifier_tokens": metric("tokens", 130, 310, 310, 312, 319, 320),
			"verifier_share": metric("fraction", 130, 0.2146, 0.215, 0.22, 0.23, 0.2345),
		},
	}}
	ttft := func(p50 float64) map[string]result.Metric {
		return map[string]result.Metric{"ttft_ms": {Unit: "ms", Count: 200, P50: ptr(p50), P90: ptr(p50 + 1), P99: ptr(p50 + 2), P999: ptr(p50 + 3), Max: ptr(p50 + 4)}}
	}
	r.By = map[string]map[string]map[string]result.Metric{"stream": {"main": ttft(60)}, "turn": {"first": ttft(81), "later": ttft(45)}}
	r.Tokens.Input.Verifier, r.Tokens.Output.Verifier = 12000, 2000
	return r
}

func TestSessionsSayWhatBecameOfThemAndWhatWholeOnesTook(t *testing.T) {
	golden(t, "sessions", talks(), Options{})
}

func TestWhereAllSessionsCameThroughNothingIsSaidOfUnsentTurns(t *testing.T) {
	if got := unsentTurns(result.SessionTurns{Planned: 12, Sent: 12}); got != "" {
		t.Errorf("unsentTurns = %q, want nothing", got)
	}
}

func TestAFewSessionsThatTheEndCutAreNoDoubt(t *testing.T) {
	r := talks()
	for cut, doubted := range map[int64]bool{16: false, 17: true} { // of 160
		r.Sessions[0].Censored = cut
		var b bytes.Buffer
		if err := Text(&b, r, Options{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), "many were cut by the end"); got != doubted {
			t.Errorf("%d of 160 cut: doubted %v, want %v", cut, got, doubted)
		}
	}
}
