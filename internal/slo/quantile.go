package slo

// `X pQ < B` is the statement "at most 1 − Q of X exceed B".

import (
	"fmt"
	"math"

	"assay/internal/measure"
	"assay/internal/stats"
)

// judgeQuantile judges a percentile by the exceedance test, inverted. A
// request that failed is a value that never came.
func judgeQuantile(j *Judgement, s *measure.Summary, ask measure.Ask, info MetricInfo) {
	o := j.Objective
	q, bound := o.Stat.Quantile, o.Value
	sample := s.Sample(ask, measure.AsInfinite, info.HigherIsBetter)
	if sample.Count() == 0 {
		j.Estimate = none()
		j.Why = "no request has a " + o.Metric
		return
	}
	if info.HigherIsBetter {
		// At most Q of X below B: the same statement of −X at 1 − Q.
		q, bound = 1-q, -bound
		j.Estimate = mirror(sample.Quantile(q), -sample.Order(sample.Count()+1-stats.Rank(o.Stat.Quantile, sample.Count())))
	} else {
		j.Estimate = sample.Quantile(q)
	}
	j.Status = o.settle(j.Estimate)
	if math.IsInf(j.Estimate.Point, 0) {
		j.Why = fmt.Sprintf("%d of %d values never came: failures reach the percentile", sample.Infinite(), sample.Count())
	}
	if j.Status == Pass {
		return
	}
	strict := o.Op == Less || o.Op == Greater
	tail := sample.Tail(bound, strict)
	if j.Status == Inconclusive && tail.Within(1-q) {
		// At the bound alone the statement would hold; further out the values
		// are too few or too dependent, and a lucky threshold proves nothing.
		j.Why = joinWhy(j.Why, "at the bound alone it would hold, but the values further out depend on each other too much to be sure: a longer run settles it")
		return
	}
	j.Holds = holds(o, tail, info.HigherIsBetter)
	if j.Status == Inconclusive {
		j.MoreS = more(tail, 1-q, s.Window)
		j.Why = joinWhy(j.Why, whyOpen(tail, 1-q))
	}
}

// mirror turns an estimate of −X into one of X.
func mirror(e stats.Estimate, point float64) stats.Estimate {
	e.Point, e.Low, e.High = point, -e.High, -e.Low
	return e
}

// holds is the sharpest percentile that does keep the bound, in tenths of a
// hundredth: "p98.2 < 500ms"; "" when hardly any does.
func holds(o Objective, tail stats.Tail, higher bool) string {
	share := math.Floor((1-tail.High())*1000) / 1000
	if !(share >= 0.01) {
		return ""
	}
	if higher {
		share = 1 - share // of the values, this share may lie below
	}
	name := o.Metric
	if o.Filter != "" {
		name += "[" + o.Filter + "]"
	}
	return name + " p" + Percent(math.Round(share*1000)/1000) + " " + o.bound()
}

// most is by how many times a run may be told to grow before the answer is
// that nobody can tell.
const most = 1000

// more is how many seconds of window would settle the share at the bound, were
// it to stay what it is.
func more(t stats.Tail, allowed float64, w measure.Window) float64 {
	for m := 1.05; m < most; m *= 1.05 {
		longer := t
		longer.Effective *= m
		if longer.Within(allowed) || longer.Beyond(allowed) {
			return (m - 1) * w.Seconds()
		}
	}
	return math.NaN()
}

func whyOpen(t stats.Tail, allowed float64) string {
	if t.Effective*allowed < stats.Floor {
		return fmt.Sprintf("%d values are worth %.0f independent ones, too few to speak of %s%% of them", t.N, t.Effective, Percent(allowed))
	}
	return fmt.Sprintf("the share beyond the bound is %s%% and may be %s%%: too close to the allowed %s%% to call",
		percent3(t.Share()), percent3(t.High()), Percent(allowed))
}

func percent3(f float64) string { return fmt.Sprintf("%.3g", f*100) }

func joinWhy(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

func none() stats.Estimate {
	return stats.Estimate{Point: math.NaN(), Low: math.Inf(-1), High: math.Inf(1), Level: stats.Level}
}
