package contract

import (
	"testing"

	"assay/internal/slo"
	"assay/internal/stats"
)

func objective(t *testing.T, text string) slo.Objective {
	t.Helper()
	o, err := slo.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestASureCountNeedsWhatItsExactBoundNeeds(t *testing.T) {
	// By search with the interval that will judge it: the fewest requests
	// that settle the bound if not one of them fails.
	for text, settles := range map[string]func(n int64) bool{
		"error_rate < 0.1% sure":   func(n int64) bool { return stats.ClopperPearson(0, n).High < 0.001 },
		"error_rate < 5% sure":     func(n int64) bool { return stats.ClopperPearson(0, n).High < 0.05 },
		"good_fraction > 99% sure": func(n int64) bool { return stats.ClopperPearson(n, n).Low > 0.99 },
	} {
		want := int64(1)
		for !settles(want) {
			want++
		}
		if got := LeastRequests(objective(t, text)); int64(got) != want {
			t.Errorf("LeastRequests(%s) = %d, want %d", text, got, want)
		}
	}
}

func TestACountOfThisRunNeedsOne(t *testing.T) {
	for _, text := range []string{"error_rate < 0.1%", "latency max < 9s", "request_rate > 3/s", "good_fraction > 99%"} {
		if got := LeastRequests(objective(t, text)); got != 1 {
			t.Errorf("LeastRequests(%s) = %d, want 1", text, got)
		}
	}
}

func TestATailNeedsMoreTheFartherOutItIs(t *testing.T) {
	last := 0
	for _, text := range []string{"ttft mean < 1s", "ttft p50 < 1s", "ttft p90 < 1s", "ttft p99 < 1s", "ttft p99.9 < 1s"} {
		got := LeastRequests(objective(t, text))
		if got <= last {
			t.Errorf("LeastRequests(%s) = %d, not more than %d", text, got, last)
		}
		last = got
	}
	// Without an exceedance p99 is at least the exact bound of 0 of n.
	if got, exact := LeastRequests(objective(t, "ttft p99 < 1s")), LeastRequests(objective(t, "error_rate < 1% sure")); got < exact {
		t.Errorf("p99 needs %d, less than the %d of a proportion of 1%%", got, exact)
	}
}

func TestARequestBringsAllItsGaps(t *testing.T) {
	c := resolved(t, least+"workload: {output_tokens: 101}\nslo: [itl p99.9 < 1s, 'itl[pos>90] p99.9 < 1s', 'itl[pos>1] p50 < 1s']\n")
	s := &c.Streams[0]
	values := int(stats.LeastSamples(0.999))
	for i, want := range []int{(values + 99) / 100, (values + 9) / 10, leastForMean} {
		if got := s.LeastRequests(s.SLO[i]); got != max(want, leastForMean) {
			t.Errorf("LeastRequests(%s) = %d, want %d", s.SLO[i].Text, got, want)
		}
	}
}
