package contract

import (
	"strings"
	"testing"
)

// dealtOut is a contract of two streams behind a head.
func dealtOut(traffic, first, second string) string {
	return "target: {simulate: fixed}\ntraffic: {duration: 1m, " + traffic + "}\nstreams:\n" +
		"  - {name: chat, " + first + "workload: {input_tokens: 9}}\n  - {name: code, " + second + "workload: {input_tokens: 90}}\n"
}

func TestSharesOfARateAreTheSameContractAsTheRates(t *testing.T) {
	for _, c := range []struct{ traffic, first, second, wantFirst, wantSecond string }{
		{"rate: 40/s", "share: 70%, ", "share: 0.3, ", "{rate: 28/s}", "{rate: 12/s}"},
		{"rate: 600/min", "share: 7%, ", "share: 93%, ", "{rate: 0.7/s}", "{rate: 9.3/s}"},
		{"rate: 40/s, arrivals: gamma, cv: 3", "share: 25%, ", "share: 75%, ", "{rate: 10/s, arrivals: gamma, cv: 3}", "{rate: 30/s, arrivals: gamma, cv: 3}"},
		{"rate: 40/s, arrivals: gamma, cv: 3", "share: 25%, traffic: {arrivals: constant}, ", "share: 75%, ", "{rate: 10/s, arrivals: constant}", "{rate: 30/s, arrivals: gamma, cv: 3}"},
		{"rate: 40/s, arrivals: flash, shape: {peak: 10x, hold: 5s, at: [10s]}", "share: 50%, ", "share: 50%, ", "{rate: 20/s, arrivals: flash, shape: {peak: 10x, hold: 5s, at: [10s]}}", "{rate: 20/s, arrivals: flash, shape: {peak: 10x, hold: 5s, at: [10s]}}"},
		{"rate: 40/s, arrivals: flash, shape: {peak: 400/s, hold: 5s, at: [10s]}", "share: 75%, ", "share: 25%, ", "{rate: 30/s, arrivals: flash, shape: {peak: 300/s, hold: 5s, at: [10s]}}", "{rate: 10/s, arrivals: flash, shape: {peak: 100/s, hold: 5s, at: [10s]}}"},
	} {
		got := resolved(t, dealtOut(c.traffic, c.first, c.second))
		want := resolved(t, dealtOut("warmup: 6s", "traffic: "+c.wantFirst+", ", "traffic: "+c.wantSecond+", "))
		text := string(canonicalOf(t, got))
		if other := string(canonicalOf(t, want)); text != other {
			t.Errorf("%s, %s%s:\n%s\nwant\n%s", c.traffic, c.first, c.second, text, other)
		}
		if got.Digest() != want.Digest() {
			t.Errorf("%s: two digests for one traffic", c.traffic)
		}
		if err := got.Resolve(); err != nil || string(canonicalOf(t, got)) != text {
			t.Errorf("%s: resolved again it is another (%v):\n%s", c.traffic, err, canonicalOf(t, got))
		}
		if again := string(canonicalOf(t, resolved(t, text))); again != text {
			t.Errorf("%s: the canonical form gives another:\n%s", c.traffic, again)
		}
	}
}

func TestTheRateThatIsDealtCanBeSet(t *testing.T) {
	c := load(t, dealtOut("rate: 40/s", "share: 70%, ", "share: 30%, "))
	if err := c.Set("traffic.rate", "100/s"); err != nil {
		t.Fatal(err)
	}
	if err := c.Resolve(); err != nil {
		t.Fatal(err)
	}
	if a, b := c.Streams[0].Traffic.Rate, c.Streams[1].Traffic.Rate; a != 70 || b != 30 {
		t.Errorf("rates %v and %v, want 70/s and 30/s", a, b)
	}
}

func TestSharesThatMakeNoWholeAreRefusedWhereTheyStand(t *testing.T) {
	for _, c := range []struct{ traffic, first, second, want string }{
		{"rate: 40/s", "share: 70%, ", "share: 20%, ", "c.yaml:5:25: streams[1].share: makes the shares 90% of the rate"},
		{"rate: 40/s", "share: 70%, ", "share: 40%, ", "c.yaml:5:25: streams[1].share: makes the shares 110% of the rate"},
		{"rate: 40/s", "share: 70%, ", "", "streams[1].share: is missing, and other streams have one"},
		{"rate: 40/s", "share: 0%, ", "share: 100%, ", "c.yaml:4:25: streams[0].share: is zero"},
		{"warmup: 1s", "share: 70%, ", "share: 30%, ", "streams[1].share: is a share of no rate"},
		{"rate: 40/s", "share: 70%, traffic: {rate: 5/s}, ", "share: 30%, ", "c.yaml:4:46: streams[0].traffic.rate: stands beside shares of a common rate"},
		{"rate: 40/s", "share: 70%, traffic: {concurrency: 5}, ", "share: 30%, ", "streams[0].traffic.concurrency: stands beside shares"},
		{"arrivals: ramp, shape: {to: 5/s}", "share: 70%, ", "share: 30%, ", "traffic.arrivals: ramp says its rates itself"},
		{"rate: 40/s", "traffic: {rate: 1/s}, ", "traffic: {rate: 1/s}, ", "traffic.rate: stands beside streams, each of which has its own"},
		{"concurrency: 4", "share: 70%, ", "share: 30%, ", "traffic.concurrency: stands beside streams"},
		{"rate: 40/s, arrivals: gamma, cv: -1", "share: 70%, ", "share: 30%, ", "c.yaml:2:"},
	} {
		k, err := Load("c.yaml", []byte(dealtOut(c.traffic, c.first, c.second)))
		if err == nil {
			err = k.Resolve()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s%s: %v, want %s", c.traffic, c.first, c.second, err, c.want)
		}
	}
}
