package measure

// Samples against a second reading of random records.

import (
	"fmt"
	"testing"
)

func TestSamplesHoldWhatASecondReadingOfTheRecordsFinds(t *testing.T) {
	for seed := range uint64(2) {
		list := population(seed, 400)
		s := summarize(t, list)
		for _, text := range filters {
			f, _ := ParseFilter(text)
			for _, m := range []string{"ttft", "ttft_due", "tpot", "latency", "stall", "output_rate", ITL} {
				if f.Positional() && m != ITL {
					continue
				}
				for _, failures := range []Failures{LeftOut, AsInfinite} {
					values, never := naive(list, m, text, failures)
					got := s.Sample(Ask{m, f}, failures, false)
					compare(t, fmt.Sprintf("seed %d, %s[%s], failures %d", seed, m, text, failures), got, values, never)
				}
			}
		}
	}
}

func TestANegatedSampleHasTheWorstAtItsUpperEnd(t *testing.T) {
	list := population(7, 300)
	s := summarize(t, list)
	values, never := naive(list, "output_rate", "", AsInfinite)
	for i := range values {
		values[i] = -values[i]
	}
	compare(t, "-output_rate", s.Sample(Ask{Metric: "output_rate"}, AsInfinite, true), values, never)
}

func TestDimensionsPartThePopulation(t *testing.T) {
	list := population(19, 500)
	s := summarize(t, list)
	gaps, _ := naive(list, ITL, "", LeftOut)
	seen := 0
	for _, d := range s.Dimensions() {
		var n int64
		for _, p := range d.Parts {
			n += s.Whole(ITL, p.Filter).Count()
		}
		if n != int64(len(gaps)) {
			t.Errorf("%s: its parts hold %d gaps, the whole %d", d.Name, n, len(gaps))
		}
		seen++
	}
	if seen != 7 {
		t.Errorf("%d dimensions, want stream, endpoint, url, turn, input_tokens, output_tokens, position", seen)
	}
}
