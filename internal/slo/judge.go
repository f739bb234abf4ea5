package slo

// Judging one objective. An objective is settled when the whole interval lies
// on one side of the bound; what is not settled is inconclusive, never a pass.

import (
	"math"
	"strings"

	"assay/internal/measure"
	"assay/internal/stats"
)

// A Status is what a run says of an objective. The zero value is the cautious one.
type Status uint8

const (
	Inconclusive Status = iota
	Pass
	Fail
)

func (s Status) String() string { return [...]string{"inconclusive", "pass", "fail"}[s] }

// A Judgement is one objective, judged. Missing numbers are NaN, open ends ±Inf.
type Judgement struct {
	Objective Objective
	Stream    string // "" when it speaks of all streams
	Unit      string
	Estimate  stats.Estimate
	Status    Status
	Holds     string  // what does hold now, when the objective does not (yet)
	MoreS     float64 // seconds of window that would settle it; NaN when nobody can tell
	Why       string
}

// Facts are what a judge must know beside the summary.
type Facts struct {
	Due            int64 // requests of the stream (or of all) that were due
	ErrorObjective bool  // an error_rate objective stands beside
	Good           []Objective
}

// Ask is the question that an objective puts. stream is the stream it was
// written under, "" for the whole run.
func (o Objective) Ask(stream string) measure.Ask {
	f, err := measure.ParseFilter(o.Filter)
	if err != nil {
		panic("internal error: an objective with a filter that was not parsed: " + o.Text)
	}
	if stream != "" {
		f.Conditions = append(f.Conditions, measure.Condition{Field: "stream", Op: "=", Text: stream})
	}
	return measure.Ask{Metric: o.Metric, Filter: f}
}

// Judge holds an objective against a summary.
func Judge(o Objective, stream string, s *measure.Summary, facts Facts) Judgement {
	info, ok := Known(o.Metric)
	if !ok {
		panic("internal error: an objective on no metric: " + o.Text)
	}
	j := Judgement{Objective: o, Stream: stream, Unit: info.Unit, MoreS: math.NaN()}
	ask := o.Ask(stream)
	switch {
	case info.Family == Distribution && o.Stat.Name == "p":
		judgeQuantile(&j, s, ask, info)
	case info.Family == Distribution && o.Stat.Name == "mean":
		judgeMean(&j, s, ask, facts)
	case info.Family == Distribution:
		judgeExtreme(&j, s, ask, facts)
	case o.Metric == "error_rate":
		judgeErrors(&j, s, ask, facts)
	case o.Metric == "good_fraction":
		judgeGood(&j, s, ask, facts)
	default:
		judgeRate(&j, s, ask, facts)
	}
	return j
}

// Holds tells whether a value keeps the bound. NaN keeps none.
func (o Objective) Holds(v float64) bool {
	switch o.Op {
	case Less:
		return v < o.Value
	case LessEqual:
		return v <= o.Value
	case Greater:
		return v > o.Value
	}
	return v >= o.Value
}

// settle compares the interval with the bound: inside when both ends keep it,
// outside when neither does. The end on the far side decides.
func (o Objective) settle(e stats.Estimate) Status {
	worst, best := e.High, e.Low
	if o.Op == Greater || o.Op == GreaterEqual {
		worst, best = e.Low, e.High
	}
	switch {
	case math.IsNaN(e.Point):
		return Inconclusive
	case !math.IsInf(worst, 0) && o.Holds(worst):
		return Pass
	case !o.Holds(best):
		return Fail
	}
	return Inconclusive
}

// bound is the text of OP VALUE, as it was written.
func (o Objective) bound() string {
	op := " " + string(o.Op) + " "
	_, value, _ := strings.Cut(o.Text, op)
	return string(o.Op) + " " + strings.TrimSuffix(value, " sure")
}
