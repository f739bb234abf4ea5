package slo

// Objectives judged on runs that are made by hand.

import (
	"math"
	"strings"
	"testing"

	"assay/internal/record"
)

func TestObjectivesAreSettledByTheWholeInterval(t *testing.T) {
	for _, c := range []struct {
		name, objective string
		list            []record.Record
		facts           Facts
		status          Status
		value           float64
		why, holds      string
	}{
		{"far inside", "ttft p99 < 100ms", steady(1000), Facts{}, Pass, 50, "", ""},
		{"at the bound is not below it", "ttft p50 < 50ms", steady(1000), Facts{}, Fail, 50, "", ""},
		{"at the bound is not above it", "ttft p50 <= 50ms", steady(1000), Facts{}, Pass, 50, "", ""},
		{"far outside", "itl p50 < 5ms", steady(1000), Facts{}, Fail, 10, "", ""},
		{"a tail of 5 in 100", "ttft p99 < 100ms", every(steady(2000), 20, slow), Facts{}, Fail, 1050, "", "ttft p9"},
		{"a tail of 1 in 500", "ttft p99 < 100ms", every(steady(4000), 500, slow), Facts{}, Pass, 50, "", ""},
		{"a tail right at the bound", "ttft p99 < 100ms", every(steady(2000), 100, slow), Facts{}, Inconclusive, 50, "too close", "ttft p98"},
		{"a tail right beyond the bound", "ttft p99 < 100ms", every(steady(2000), 90, slow), Facts{}, Inconclusive, 1050, "too close", "ttft p98"},
		{"too few", "ttft p99 < 100ms", steady(200), Facts{}, Inconclusive, 50, "too few", "ttft p9"},
		{"failing fast does not help", "ttft p99 < 100ms", every(steady(2000), 20, failed), Facts{}, Fail, math.Inf(1), "never came", "ttft p9"},
		{"nor for gaps: each owes eleven tokens", "itl p99 < 100ms", every(steady(2000), 20, failed), Facts{}, Fail, math.Inf(1), "never came", "itl p9"},
		{"all failed", "ttft p50 < 100ms", every(steady(500), 1, failed), Facts{}, Fail, math.Inf(1), "never came", ""},
		{"no request has it", "ttfo[input>5] p50 < 1s", steady(500), Facts{}, Inconclusive, math.NaN(), "no request has a ttfo", ""},
		{"higher is better", "output_rate p5 > 50/s", steady(1000), Facts{}, Pass, 100, "", ""},
		{"higher is better and is not", "output_rate p5 > 200/s", steady(1000), Facts{}, Fail, 100, "", ""},
		{"failures are slow too", "output_rate p5 > 50/s", every(steady(1000), 5, failed), Facts{}, Fail, math.Inf(-1), "never came", "output_rate p2"},

		{"mean inside", "tpot mean < 11ms", steady(500), Facts{}, Pass, 10, "", ""},
		{"mean outside", "tpot mean < 9ms", steady(500), Facts{}, Fail, 10, "", ""},
		{"mean of survivors", "ttft mean < 100ms", every(steady(500), 20, failed), Facts{}, Inconclusive, 50, "needs an error_rate objective", ""},
		{"mean beside an error_rate objective", "ttft mean < 100ms", every(steady(500), 20, failed), Facts{ErrorObjective: true}, Pass, 50, "", ""},
		{"max of this run", "ttft max < 1s", every(steady(500), 250, slow), Facts{}, Fail, 1050, "", ""},
		{"max holds", "ttft max < 2s", every(steady(500), 250, slow), Facts{}, Pass, 1050, "", ""},

		{"errors as counted", "error_rate < 1%", every(steady(1000), 200, failed), Facts{}, Pass, 0.005, "", ""},
		{"errors as counted, too many", "error_rate < 0.5%", every(steady(1000), 200, failed), Facts{}, Fail, 0.005, "", ""},
		{"errors, and sure of it", "error_rate < 1% sure", every(steady(1000), 200, failed), Facts{}, Inconclusive, 0.005, "contains the bound", ""},
		{"errors, and sure enough", "error_rate < 2% sure", every(steady(1000), 200, failed), Facts{}, Pass, 0.005, "", ""},
		{"what has no record counts as due", "error_rate < 1%", every(steady(1000), 100, failed), Facts{Due: 2000}, Pass, 0.005, "", ""},

		{"good", "good_fraction > 95%", every(steady(2000), 100, slow), Facts{}, Pass, 0.99, "", ""},
		{"not good", "good_fraction > 95%", every(steady(2000), 10, slow), Facts{}, Fail, 0.9, "", "good_fraction > 8"},
		{"failures are not good", "good_fraction > 95%", every(steady(2000), 10, failed), Facts{}, Fail, 0.9, "", "good_fraction > 8"},
		{"good, too close", "good_fraction > 99%", every(steady(2000), 100, slow), Facts{}, Inconclusive, 0.99, "too close", "good_fraction > 98"},

		{"rate as counted", "request_rate > 9/s", steady(1000), Facts{}, Pass, 10, "", ""},
		{"rate not reached", "request_rate > 11/s", steady(1000), Facts{}, Fail, 10, "", ""},
		{"tokens", "output_token_rate > 100/s", steady(1000), Facts{}, Pass, 110, "", ""},
		{"goodput", "goodput >= 9/s", every(steady(1000), 5, slow), Facts{}, Fail, 8, "", ""},
		{"offered counts what was due", "offered_rate > 15/s", steady(1000), Facts{Due: 2000}, Pass, 20, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := judge(t, c.list, c.objective, c.facts)
			same := j.Estimate.Point == c.value || math.IsNaN(c.value) && math.IsNaN(j.Estimate.Point) || math.Abs(j.Estimate.Point-c.value) < 0.02*math.Abs(c.value)
			if j.Status != c.status || !same || !strings.Contains(j.Why, c.why) || c.why == "" && j.Why != "" || !strings.HasPrefix(j.Holds, c.holds) || c.holds == "" && j.Holds != "" {
				t.Errorf("%s: %s, %g [%g, %g], why %q, holds %q; want %s, %g, why %q, holds %q", c.objective, j.Status,
					j.Estimate.Point, j.Estimate.Low, j.Estimate.High, j.Why, j.Holds, c.status, c.value, c.why, c.holds)
			}
		})
	}
}

func TestWhatIsNotSettledSaysWhatHoldsAndHowMuchLonger(t *testing.T) {
	// A run that is longer by as much as is said settles it.
	short := judge(t, steady(200), "ttft p99 < 100ms", Facts{})
	if short.Status != Inconclusive || !(short.MoreS > 0) || !strings.HasSuffix(short.Holds, " < 100ms") {
		t.Fatalf("200 requests: %s, more %g, holds %q", short.Status, short.MoreS, short.Holds)
	}
	n := int(math.Ceil(200 * (100 + short.MoreS) / 100))
	if longer := judge(t, steady(n), "ttft p99 < 100ms", Facts{}); longer.Status != Pass {
		t.Errorf("%g s more were to settle it, and %d requests did not", short.MoreS, n)
	}
	if again := judge(t, steady(200), short.Holds, Facts{}); again.Objective.Stat.Quantile >= 0.99 || again.Objective.Stat.Quantile < 0.9 {
		t.Errorf("holds now: %q", short.Holds)
	}
	sure := judge(t, every(steady(1000), 200, failed), "error_rate < 1% sure", Facts{})
	if !(sure.MoreS > 0) {
		t.Errorf("error_rate: more %g", sure.MoreS)
	}
	n = 200 * int(math.Ceil(5*(100+sure.MoreS)/100))
	if longer := judge(t, every(steady(n), 200, failed), "error_rate < 1% sure", Facts{}); longer.Status != Pass {
		t.Errorf("%g s more were to settle it, and %d requests did not", sure.MoreS, n)
	}
}

func TestFiltersChooseGapsByTokenPosition(t *testing.T) {
	var list []record.Record
	for i := range 200 {
		gaps := make([]float64, 40)
		for j := range gaps {
			gaps[j] = 10
			if j+2 > 32 { // gap j ends at token j+2
				gaps[j] = 30
			}
		}
		list = append(list, request(i, 200, 50, gaps...))
	}
	for _, c := range []struct {
		text string
		want Status
		n    int64
	}{{"itl[pos<=32] p99 < 11ms", Pass, 200 * 31}, {"itl[pos>32] p50 < 11ms", Fail, 200 * 9}, {"itl p50 < 11ms", Pass, 200 * 40}} {
		if j := judge(t, list, c.text, Facts{}); j.Status != c.want || j.Estimate.N != c.n {
			t.Errorf("%s: %s on %d gaps, want %s on %d", c.text, j.Status, j.Estimate.N, c.want, c.n)
		}
	}
}

func TestAnObjectiveOfAStreamSeesItsRequestsOnly(t *testing.T) {
	list := every(steady(1000), 2, func(r *record.Record) { slow(r); r.Stream = "batch" })
	o, _ := Parse("ttft p90 < 100ms")
	s := summary(t, list)
	if j := Judge(o, "main", s, Facts{}); j.Status != Pass || j.Estimate.N != 500 {
		t.Errorf("main: %s on %d", j.Status, j.Estimate.N)
	}
	if j := Judge(o, "batch", s, Facts{}); j.Status != Fail || j.Estimate.N != 500 {
		t.Errorf("batch: %s on %d", j.Status, j.Estimate.N)
	}
}
