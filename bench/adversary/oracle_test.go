//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// reply is a server's account in ms: accepted, then the events, each written
// within a tenth of a millisecond.
func reply(id string, accepted float64, events ...float64) written {
	w := written{RequestID: id, Accepted: int64(accepted * 1e6)}
	text := fmt.Sprintf(`{"kind":"role","before_ns":%d,"after_ns":%d}`, w.Accepted, w.Accepted+1)
	for _, at := range events {
		text += fmt.Sprintf(`,{"kind":"text","before_ns":%d,"after_ns":%d}`, int64(at*1e6), int64((at+0.1)*1e6))
	}
	if err := json.Unmarshal([]byte("["+text+"]"), &w.Events); err != nil {
		panic(err)
	}
	return w
}

// scenario is two requests, due 0 and 10 ms after an epoch of 1,000 ms, that
// left 0.2 ms late; true TTFT 50 and 60 ms, true gaps 10, 20 and 30 ms.
func scenario(t *testing.T, ttft50, ttft99, itl50, itl99 float64) (said, []recorded, map[string]written) {
	t.Helper()
	s := said{epoch: 1_000_000_000}
	text := fmt.Sprintf(`{"requests":{"due":2,"ok":2},"metrics":{"ttft_ms":{"p50":%g,"p99":%g},"itl_ms":{"p50":%g,"p99":%g}}}`, ttft50, ttft99, itl50, itl99)
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	due := []int64{0, 10_000_000}
	records := []recorded{
		{RequestID: "a", Phase: "measured", Status: "ok", Free: &due[0], Tokens: []int{1, 1}},
		{RequestID: "b", Phase: "measured", Status: "ok", Free: &due[1], Tokens: []int{1, 1, 1}},
		{RequestID: "w", Phase: "warmup", Status: "ok", Tokens: []int{1}},
	}
	truth := map[string]written{"a": reply("a", 1000.2, 1050.2, 1060.2), "b": reply("b", 1010.2, 1070.2, 1090.2, 1120.2)}
	return s, records, truth
}

// wants wants exactly these checks to fail, by the beginnings of their names.
func wants(t *testing.T, list []check, names ...string) {
	t.Helper()
	bad := failed(list)
	if len(bad) != len(names) {
		t.Fatalf("%d checks failed (%v), want %q", len(bad), bad, names)
	}
	for i, name := range names {
		if !strings.HasPrefix(bad[i].Name, name) {
			t.Errorf("failed %q, want %q", bad[i].Name, name)
		}
	}
}

func TestAServerThatReadsLateIsSlow(t *testing.T) {
	// Both requests had arrived 5 ms before the server read them: TTFT is 50 to
	// 55 and 60 to 65 ms, and they had left in time.
	s, records, truth := scenario(t, 54, 64, 20, 30)
	wants(t, hold(s, records, truth, 0.5), "ttft p50", "ttft p99")
	for id, w := range truth {
		w.Arrived = w.Accepted - 5_000_000
		truth[id] = w
	}
	records[0].Free, records[1].Free = ptr(-4_900_000), ptr(5_100_000)
	wants(t, hold(s, records, truth, 0.5))
	records[0].Free, records[1].Free = ptr(-6_900_000), ptr(3_100_000)
	wants(t, hold(s, records, truth, 0.5), "accepted")
}

func ptr(v int64) *int64 { return &v }

func TestAReportWithinTheTruthAndItsSlackIsRight(t *testing.T) {
	s, records, truth := scenario(t, 50.05, 62.9, 20.9, 31.4) // 5 % of 60 is 3 ms, of 30 1.5 ms; else 1 ms
	wants(t, hold(s, records, truth, 5))
}

func TestAPercentileThatIsOffByMoreIsFound(t *testing.T) {
	for _, c := range []struct {
		report [4]float64
		name   string
	}{
		{[4]float64{53.0, 60, 20, 30}, "ttft p50"}, // 5 % of 50 is 2.5
		{[4]float64{50, 63.2, 20, 30}, "ttft p99"},
		{[4]float64{50, 60, 18.8, 30}, "itl p50"},
		{[4]float64{50, 60, 20, 28.2}, "itl p99"},
	} {
		s, records, truth := scenario(t, c.report[0], c.report[1], c.report[2], c.report[3])
		wants(t, hold(s, records, truth, 5), c.name)
	}
}

func TestRequestsThatLeftLateAreFoundAndOneIsNone(t *testing.T) {
	s, records, truth := scenario(t, 50, 60, 20, 30)
	for i, want := range [][]string{nil, {"accepted − due"}} {
		early := *records[i].Free - 6_500_000 // beyond 5 and its slack of 1
		records[i].Free = &early
		wants(t, hold(s, records, truth, 5), want...)
	}
}

func TestRequestsThatTheServerNeverHadAreFound(t *testing.T) {
	s, records, truth := scenario(t, 50, 50, 10, 10)
	records[1].Status = "failed"
	s.Requests.OK = 1
	delete(truth, "b")
	wants(t, hold(s, records, truth, 5), "requests that the server had")
}

func TestCountsThatAreNotThoseOfTheRecordsAreFound(t *testing.T) {
	s, records, truth := scenario(t, 50, 60, 20, 30)
	s.Requests.Due, s.Requests.OK = 3, 3
	wants(t, hold(s, records, truth, 5), "requests that the server had", "requests in the records", "requests that are ok")
}

func TestAReplyThatLostAnEventIsFound(t *testing.T) {
	s, records, truth := scenario(t, 50, 60, 20, 30)
	records[0].Tokens = records[0].Tokens[:1]
	wants(t, hold(s, records, truth, 5), "replies with other events")
}

func TestALatencyThatIsNotReportedIsNotRight(t *testing.T) {
	s, records, truth := scenario(t, 50, 60, 20, 30)
	delete(s.Metrics, "itl_ms")
	wants(t, hold(s, records, truth, 5), "itl p50", "itl p99")
}

func TestOthersHaveWhatWasNeitherIdleNorTheTrials(t *testing.T) {
	// A second of two cores: 1.2 s idle, 0.5 s the trial's; 0.3 s of 2 are left.
	got := others(look{0, 5e8, 1e8}, look{1e9, 17e8, 6e8}, 2)
	if want := 0.15; got < want-1e-9 || got > want+1e-9 {
		t.Errorf("others = %g, want %g", got, want)
	}
}

func TestOnlyAWrongRulingOrARefusedHealthyRunMakesTheTableBad(t *testing.T) {
	off := []check{{Name: "itl p99", Reported: 9, Low: 1, High: 1, Slack: 1}}
	for _, c := range []struct {
		name string
		one  trial
		good bool
	}{
		{"right", trial{Kind: "slow disk", Exit: 0}, true},
		{"refused and off", trial{Kind: "slow disk", Exit: 4, Refused: []string{"cpu"}, Checks: off}, true},
		{"impossible", trial{Kind: "slow disk", Exit: -1}, true},
		{"wrong", trial{Kind: "slow disk", Exit: 3, Checks: off}, false},
		{"healthy and right", trial{Kind: healthyKind, Exit: 1}, true},
		{"healthy and refused", trial{Kind: healthyKind, Exit: 4, Refused: []string{"cpu"}}, false},
		{"disturbed and refused", trial{Kind: disturbedKind, Exit: 4, Refused: []string{"cpu"}}, true},
	} {
		table := table{trials: []trial{c.one}}
		if got := table.good(); got != c.good {
			t.Errorf("%s: good = %t, want %t", c.name, got, c.good)
		}
	}
}
