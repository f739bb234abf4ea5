package run

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestThePlanSaysInWordsWhatTrafficDoesBesideItsRate(t *testing.T) {
	for traffic, want := range map[string][]PlannedHabit{
		"{rate: 1/s}": nil,
		"{users: 200, think: 'normal(5s, 1s)'}": {
			{"think", "normal(5s, 1s) (mean 5s) from the end of a request to the next, so at most 40 requests/s; at the start each user is somewhere in a pause"},
		},
		"{concurrency: 60, think: 500ms, ramp: 30s, duration: 1m}": {
			{"think", "500ms (mean 500ms) from the end of a request to the next, so at most 120 requests/s"},
			{"ramp", "slots open one after another over 30s; the last 23.5s into the window"},
		},
		"{concurrency: 60, ramp: 5s, duration: 1m}": {{"ramp", "slots open one after another over 5s"}},
		"{rate: 1/s, max_in_flight: 9}":             {{"ceiling", "at most 9 in flight; what is held back is counted, and its wait is in ttft_due"}},
		"{rate: 1/s, max_in_flight: 9, max_prefill: 2, cancel: {fraction: 5%, after: 2s}}": {
			{"ceiling", "at most 9 in flight and 2 without a first token; what is held back is counted, and its wait is in ttft_due"},
			{"cancel", "5% of the requests, drawn by the seed, are given up 2s after their release, unless they are over by then"},
		},
		"{rate: 1/s, cancel: {fraction: 0.5%, after_tokens: 20}}": {{"cancel", "0.5% of the requests, drawn by the seed, are given up after 20 tokens"}},
	} {
		if diff := cmp.Diff(want, habits(streamWith(t, traffic))); diff != "" {
			t.Errorf("%s: -want +got\n%s", traffic, diff)
		}
	}
}

func TestThePlanMarksTheRequestsWhoseClientHangsUp(t *testing.T) {
	p := planned(t, *streamWith(t, "{rate: 100/s, duration: 20s, warmup: 0s, cancel: {fraction: 10%, after_tokens: 3}}"))
	n, all := 0, 0
	for r := range p.Requests() {
		all++
		if r.CancelAfterTokens == 3 {
			n++
		}
	}
	// 2,000 requests at 10 %: 200, five standard deviations are 67 (6e-7).
	if all < 1700 || n < 200-67 || n > 200+67 {
		t.Errorf("%d of %d are given up, want about a tenth", n, all)
	}
}
