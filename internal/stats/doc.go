// Package stats makes estimates with intervals from dependent samples:
// consecutive requests share a queue, so none of it assumes independence. A
// number leaves this package as an Estimate, or as an exact statistic of the
// values at hand. It refuses to close an interval that the data can't carry:
// an open end is ±Inf, never a guess. It knows no metric and no objective.
package stats

// An Estimate is a number with what it is worth.
type Estimate struct {
	Point     float64 // NaN when there is no value; +Inf when failures reach the quantile
	Low, High float64 // an open end is -Inf or +Inf
	Level     float64 // 0.95
	N         int64   // values
	Effective float64 // independent values that would tell as much
	Method    string
	Warnings  []string
}

// Level is the confidence of every interval here, two-sided.
const Level = 0.95

// alpha is what lies outside on each side.
const alpha = (1 - Level) / 2

// Floor is the least number of effective exceedances on which a statement
// about a tail may rest: expected at the bound before a tail may be called
// short enough, seen before it may be called too long.
const Floor = 5
