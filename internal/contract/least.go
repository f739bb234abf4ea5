// How many requests an objective needs at the least, from the contract alone.

package contract

import (
	"math"

	"assay/internal/measure"
	"assay/internal/slo"
	"assay/internal/stats"
)

// leastForMean is two batches of two requests: with fewer there is no spread
// to make an interval of.
const leastForMean = 4

// LeastRequests is the number of requests below which no run of the stream
// settles the objective, however well the server does: a bound from below, as
// if requests were independent. A count of the run itself (error_rate without
// sure, max) needs one.
func (s *Stream) LeastRequests(o slo.Objective) int {
	if o.Stat.Name != "p" || o.Metric != "itl" {
		return LeastRequests(o)
	}
	// Each request brings as many values as it has gaps.
	gaps := s.meanGaps(o.Filter)
	return max(leastForMean, int(math.Ceil(float64(stats.LeastSamples(o.Stat.Quantile))/gaps)))
}

// LeastRequests is the same for a metric with one value a request.
func LeastRequests(o slo.Objective) int {
	const outside = (1 - stats.Level) / 2
	info, _ := slo.Known(o.Metric)
	switch {
	case o.Stat.Name == "p":
		return int(stats.LeastSamples(o.Stat.Quantile))
	case o.Stat.Name == "mean":
		return leastForMean
	case o.Sure && info.Family == slo.Share && info.HigherIsBetter && o.Value < 1:
		// All n good: the lower Clopper–Pearson bound is outside^(1/n).
		return int(math.Ceil(math.Log(outside) / math.Log(o.Value)))
	case o.Sure && info.Family == slo.Share && !info.HigherIsBetter && o.Value > 0:
		return int(math.Ceil(math.Log(outside) / math.Log1p(-o.Value)))
	case o.Sure && info.Family == slo.Rate:
		return leastForMean
	}
	return 1
}

// meanGaps is how many gaps a reply of mean length has beyond the position
// that a filter asks for; at least a part of one, since some are longer.
func (s *Stream) meanGaps(filter string) float64 {
	mean := meanOutput(s.Workload)
	if mean == 0 {
		return math.Inf(1) // only the file knows: nothing is refused for it
	}
	gaps := mean - 1
	if f, err := measure.ParseFilter(filter); err == nil {
		for _, c := range f.Conditions {
			if c.Field == "pos" && (c.Op == ">" || c.Op == ">=") {
				gaps -= float64(c.Number)
			}
		}
	}
	return max(1, gaps)
}
