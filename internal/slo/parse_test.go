package slo

// Objectives read and refused, each case written by hand.

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseReadsWhatPeopleWrite(t *testing.T) {
	for _, c := range []struct {
		in   string
		want Objective
	}{
		{"ttft p50 < 500ms", Objective{Text: "ttft p50 < 500ms", Metric: "ttft", Stat: Stat{"p", 0.5}, Op: Less, Value: 500}},
		{"  itl   p99.9<=100ms ", Objective{Text: "itl p99.9 <= 100ms", Metric: "itl", Stat: Stat{"p", 0.999}, Op: LessEqual, Value: 100}},
		{"tpot mean < 40ms", Objective{Text: "tpot mean < 40ms", Metric: "tpot", Stat: Stat{Name: "mean"}, Op: Less, Value: 40}},
		{"tpot mean < 40ms/token", Objective{Text: "tpot mean < 40ms/token", Metric: "tpot", Stat: Stat{Name: "mean"}, Op: Less, Value: 40}},
		{"latency max < 1m30s", Objective{Text: "latency max < 1m30s", Metric: "latency", Stat: Stat{Name: "max"}, Op: Less, Value: 90000}},
		{"error_rate < 0.1%", Objective{Text: "error_rate < 0.1%", Metric: "error_rate", Op: Less, Value: 0.001}},
		{"error_rate < 0.001 sure", Objective{Text: "error_rate < 0.001 sure", Metric: "error_rate", Op: Less, Value: 0.001, Sure: true}},
		{"request_rate > 38/s", Objective{Text: "request_rate > 38/s", Metric: "request_rate", Op: Greater, Value: 38}},
		{"request_rate > 120/min", Objective{Text: "request_rate > 120/min", Metric: "request_rate", Op: Greater, Value: 2}},
		{"output_token_rate >= 900tokens/s", Objective{Text: "output_token_rate >= 900tokens/s", Metric: "output_token_rate", Op: GreaterEqual, Value: 900}},
		{"good_fraction > 99%", Objective{Text: "good_fraction > 99%", Metric: "good_fraction", Op: Greater, Value: 0.99}},
		{"output_rate p5 > 20/s", Objective{Text: "output_rate p5 > 20/s", Metric: "output_rate", Stat: Stat{"p", 0.05}, Op: Greater, Value: 20}},
		{"itl[pos>1024] p99 < 100ms", Objective{Text: "itl[pos>1024] p99 < 100ms", Metric: "itl", Filter: "pos>1024", Stat: Stat{"p", 0.99}, Op: Less, Value: 100}},
		{"ttft[ stream = chat , input>4096 ] p99 < 1s", Objective{Text: "ttft[stream=chat,input>4096] p99 < 1s", Metric: "ttft", Filter: "stream=chat,input>4096", Stat: Stat{"p", 0.99}, Op: Less, Value: 1000}},
		{"ttft[turn=first] p99 < 1s", Objective{Text: "ttft[turn=first] p99 < 1s", Metric: "ttft", Filter: "turn=first", Stat: Stat{"p", 0.99}, Op: Less, Value: 1000}},
	} {
		got, err := Parse(c.in)
		if err != nil {
			t.Errorf("Parse(%q): %v", c.in, err)
			continue
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("Parse(%q) (-want +got):\n%s", c.in, d)
		}
		again, err := Parse(got.Text)
		if d := cmp.Diff(got, again); err != nil || d != "" {
			t.Errorf("Parse of its own text %q: %v\n%s", got.Text, err, d)
		}
	}
}

func TestParseRefusesAndSaysWhy(t *testing.T) {
	for _, c := range []struct{ in, why string }{
		{"ttft", "is not METRIC"},
		{"", "is not METRIC"},
		{"speed p50 < 5ms", `no metric "speed"`},
		{"ttft p50 < 500", "write its unit"},
		{"ttft p50 < 500/s", "write its unit"},
		{"ttft p50 < 5ms/token", "write its unit"},
		{"ttft p100 < 5ms", "no statistic"},
		{"ttft p0 < 5ms", "no statistic"},
		{"ttft pInf < 5ms", "no statistic"},
		{"ttft p1e1 < 5ms", "no statistic"},
		{"ttft avg < 5ms", "no statistic"},
		{"ttft < 5ms", "needs a statistic"},
		{"ttft p50 > 5ms", "better when it is lower"},
		{"output_rate p50 < 5/s", "better when it is higher"},
		{"error_rate p50 < 1%", "one number a run"},
		{"error_rate < 1ms", "is a fraction"},
		{"error_rate < 120%", "between 0% and 100%"},
		{"request_rate > 5", "write its unit"},
		{"ttft[pos>5] p50 < 5ms", "only itl"},
		{"ttft[depth>5] p50 < 5ms", `no field "depth"`},
		{"ttft[turn=2] p50 < 5ms", "first or later"},
		{"ttft[stream>chat] p50 < 5ms", "only be compared by ="},
		{"ttft[input>many] p50 < 5ms", "whole number"},
		{"ttft p50 < 5ms sure", "sure is for counts"},
		{"ttft p50 = 5ms", "is not METRIC"},
	} {
		_, err := Parse(c.in)
		if err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("Parse(%q) = %v, want an error with %q", c.in, err, c.why)
		}
	}
}

func TestGoodBoundsHaveNoStatistic(t *testing.T) {
	got, err := ParseGood("tpot<50ms")
	want := Objective{Text: "tpot < 50ms", Metric: "tpot", Op: Less, Value: 50}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("ParseGood: %v\n%s", err, d)
	}
	for _, c := range []struct{ in, why string }{
		{"itl < 50ms", "bound stall"},
		{"ttft p99 < 50ms", "METRIC OP VALUE"},
		{"error_rate < 1%", "not a value of one request"},
	} {
		if _, err := ParseGood(c.in); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("ParseGood(%q) = %v, want an error with %q", c.in, err, c.why)
		}
	}
	var o Objective
	if err := o.UnmarshalText([]byte("ttft < 500ms")); err != nil || o.Check(true) != nil || o.Check(false) == nil {
		t.Errorf("UnmarshalText of a bound: %v; Check(true) = %v, Check(false) = %v", err, o.Check(true), o.Check(false))
	}
}
