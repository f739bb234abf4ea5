package slo

// Objectives on means, extremes, and the counts of this run.

import (
	"fmt"
	"math"

	"assay/internal/measure"
	"assay/internal/stats"
)

// tolerated is the share of failures beyond which a mean or a maximum over
// what succeeded says too little, unless errors are bounded beside.
const tolerated = 0.01

// judgeMean judges the mean over the requests that have the value.
func judgeMean(j *Judgement, s *measure.Summary, ask measure.Ask, facts Facts) {
	j.Estimate = s.Sample(ask, measure.LeftOut, false).MeanEstimate()
	if survivors(j, s, ask, facts) {
		return
	}
	j.Status = j.Objective.settle(j.Estimate)
	if j.Status != Inconclusive {
		return
	}
	half, away := j.Estimate.High-j.Estimate.Point, math.Abs(j.Objective.Value-j.Estimate.Point)
	j.Why = "the interval of the mean contains the bound"
	if m := half * half / (away * away); m < most {
		j.MoreS = max(0.05, m-1) * s.Window.Seconds()
	}
}

// judgeExtreme judges the largest or smallest value of this run as it was.
func judgeExtreme(j *Judgement, s *measure.Summary, ask measure.Ask, facts Facts) {
	sample := s.Sample(ask, measure.LeftOut, false)
	e := none()
	e.N, e.Method = sample.Count(), "of this run"
	if j.Objective.Stat.Name == "max" {
		e.Point = sample.Max()
		e.Low = e.Point
	} else {
		e.Point = sample.Min()
		e.High = e.Point
	}
	j.Estimate = e
	if survivors(j, s, ask, facts) {
		return
	}
	j.Status = asCounted(j.Objective, e.Point)
}

// survivors tells whether too little is known to judge a statistic over the
// requests that succeeded, and says so.
func survivors(j *Judgement, s *measure.Summary, ask measure.Ask, facts Facts) bool {
	n := s.Counts(ask.Filter)
	lost := n.Failed + n.Censored
	switch {
	case j.Estimate.N == 0:
		j.Why = "no request has a " + ask.Metric
	case float64(lost) > tolerated*float64(n.Population) && !facts.ErrorObjective:
		j.Why = fmt.Sprintf("%d of %d requests failed: a %s over the others needs an error_rate objective beside it", lost, n.Population, j.Objective.Stat)
	default:
		return false
	}
	return true
}

// judgeErrors judges (failed + censored) ÷ due as counted; its
// Clopper–Pearson bound stands beside, and `sure` demands it.
func judgeErrors(j *Judgement, s *measure.Summary, ask measure.Ask, facts Facts) {
	n := s.Counts(ask.Filter)
	due := n.Population
	if onlyStream(ask.Filter) {
		due = max(due, facts.Due)
	}
	j.Estimate = stats.ClopperPearson(n.Failed+n.Censored, due)
	if due == 0 {
		j.Why = "no request was due"
		return
	}
	if !j.Objective.Sure {
		j.Status = asCounted(j.Objective, j.Estimate.Point)
		return
	}
	if j.Status = j.Objective.settle(j.Estimate); j.Status == Inconclusive {
		j.Why = "the interval of the share contains the bound"
		j.MoreS = moreTrials(j.Objective, n.Failed+n.Censored, due, s.Window)
	}
}

func moreTrials(o Objective, x, n int64, w measure.Window) float64 {
	for m := 1.05; m < most; m *= 1.05 {
		e := stats.ClopperPearson(int64(math.Round(float64(x)*m)), int64(math.Round(float64(n)*m)))
		if o.settle(e) != Inconclusive {
			return (m - 1) * w.Seconds()
		}
	}
	return math.NaN()
}

// onlyStream tells whether a filter asks for no more than a stream: then the
// schedule knows how many requests were due.
func onlyStream(f measure.Filter) bool {
	for _, c := range f.Conditions {
		if c.Field != "stream" {
			return false
		}
	}
	return true
}

// judgeGood judges the share of good requests by the exceedance test: "at
// most 1 − B are not good". Where nearly all are, dependence is taken from the
// bounded latencies.
func judgeGood(j *Judgement, s *measure.Summary, ask measure.Ask, facts Facts) {
	sample := s.NotGood(ask.Filter)
	j.Estimate = none()
	if sample.Count() == 0 {
		j.Why = "no request was due"
		return
	}
	t := sample.Tail(0, false)
	if t.Share()*t.Effective < stats.Floor || (1-t.Share())*t.Effective < stats.Floor {
		for _, b := range facts.Good {
			of := s.Sample(measure.Ask{Metric: b.Metric, Filter: ask.Filter}, measure.LeftOut, false)
			t.Effective = min(t.Effective, float64(t.N)/of.Inflation())
		}
	}
	o := j.Objective
	j.Estimate = stats.Estimate{
		Point: 1 - t.Share(), Low: 1 - t.High(), High: 1 - t.Low(), Level: stats.Level,
		N: t.N, Effective: t.Effective, Method: "exceedances by batch means",
	}
	switch {
	case t.Within(1-o.Value) && o.Holds(j.Estimate.Low):
		j.Status = Pass
	case t.Beyond(1-o.Value) && !o.Holds(j.Estimate.High):
		j.Status = Fail
	default:
		j.MoreS = more(t, 1-o.Value, s.Window)
		j.Why = whyOpen(t, 1-o.Value)
	}
	if j.Status != Pass {
		j.Holds = fmt.Sprintf("good_fraction > %s%%", Percent(math.Floor(j.Estimate.Low*1000)/1000))
	}
}

// judgeRate judges a rate of this run as counted; its interval by batch means
// stands beside, and `sure` demands it.
func judgeRate(j *Judgement, s *measure.Summary, ask measure.Ask, facts Facts) {
	o := j.Objective
	e := s.Rate(o.Metric, ask.Filter)
	if o.Metric == "offered_rate" && facts.Due > 0 && onlyStream(ask.Filter) && s.Window.Seconds() > 0 {
		e.Point = float64(facts.Due) / s.Window.Seconds()
	}
	e.N = s.Counts(ask.Filter).Population
	j.Estimate = e
	if math.IsNaN(e.Point) {
		j.Why = "the window has no length"
		return
	}
	if !o.Sure {
		j.Status = asCounted(o, e.Point)
		return
	}
	if j.Status = o.settle(e); j.Status == Inconclusive {
		j.Why = "the interval of the rate contains the bound"
		half, away := e.High-e.Point, math.Abs(o.Value-e.Point)
		if m := half * half / (away * away); m < most {
			j.MoreS = max(0.05, m-1) * s.Window.Seconds()
		}
	}
}

// asCounted judges what happened, not what might have.
func asCounted(o Objective, v float64) Status {
	if o.Holds(v) {
		return Pass
	}
	return Fail
}
