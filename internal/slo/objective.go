// Package slo turns objectives into questions for measure and the answers
// into a verdict. It refuses an objective that it cannot read or that the
// endpoint cannot have; it never adjusts one.
package slo

// An Objective is METRIC[FILTER] [STAT] OP VALUE, as in `itl[pos>1024] p99 < 100ms`,
// `tpot mean < 40ms`, `error_rate < 0.1% sure`, `good_fraction > 99%`.
type Objective struct {
	Text   string // as written, spaces normalised
	Metric string // ttft, itl, error_rate, request_rate, …
	Filter string // inside the brackets, "" without
	Stat   Stat
	Op     Op
	Value  float64 // in the metric's unit: ms, ms/token, fraction, 1/s
	Sure   bool    // the bound, not the count, must hold
}

// A Stat is the statistic of a distribution that an objective bounds.
type Stat struct {
	Name     string  // "p", "mean", "max", "min", "" for rates and fractions
	Quantile float64 // in [0,1] for "p"
}

// Op is <, <=, > or >=.
type Op string
