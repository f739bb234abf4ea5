package slo

// The drift test: had the run settled? A queue that still grows says how long
// the run was, not how fast the server is.

import (
	"fmt"
	"math"

	"assay/internal/measure"
	"assay/internal/stats"
)

const (
	driftRequests  = 200    // fewer tell nothing of a trend
	driftChance    = 0.0005 // of calling a settled run unsettled, per line
	driftChange    = 0.25   // of the mean, over the window: less is no drift worth a word
	driftStretches = 16
	littleSlack    = 0.1
)

// Drift says why stationary traffic had not settled; "" when it had, or when
// there are too few requests to tell. Only open loop can build up a queue.
func Drift(s *measure.Summary, openLoop bool) string {
	n := s.Counts(measure.Filter{})
	if n.Population < driftRequests || s.Window.Seconds() <= 0 {
		return ""
	}
	if openLoop {
		if why := queueGrowth(s); why != "" {
			return why
		}
	}
	metrics := []string{"ttft", "latency"}
	if n.Held > 0 { // a ceiling keeps the queue away from the server, where it would be seen
		metrics = append(metrics, "wait")
	}
	for _, metric := range metrics {
		values := s.InOrder(metric)
		if len(values) < driftRequests {
			continue
		}
		if t := stats.TrendOf(stats.Means(values, driftStretches)); drifts(t) {
			return fmt.Sprintf("the mean %s went from %.4g to %.4g ms over the window", metric, t.Mean-t.Change/2, t.Mean+t.Change/2)
		}
	}
	return ""
}

func drifts(t stats.Trend) bool {
	return t.P < driftChance && math.Abs(t.Change) > driftChange*math.Abs(t.Mean)
}

// queueGrowth looks at the number in flight: its trend, and Little's law
// N = X·R, which does not hold while a backlog builds up.
func queueGrowth(s *measure.Summary) string {
	f := &s.Flow
	mean := f.Mean()
	if mean < 1 {
		return "" // no queue to speak of
	}
	if t := stats.TrendOf(stats.Means(f.InFlight[:], driftStretches)); drifts(t) && math.Abs(t.Change) > 1 {
		return fmt.Sprintf("requests in flight went from %.3g to %.3g over the window", max(0, t.Mean-t.Change/2), t.Mean+t.Change/2)
	}
	if f.Completed < driftRequests {
		return ""
	}
	stay := f.TimeInside / float64(f.Completed)
	arrived := f.TimeInside / s.Window.Seconds() // X·R
	// What was in flight at the edges of the window is counted on one side
	// only: as much as stays inside on average.
	slack := littleSlack + 2*stay/s.Window.Seconds()
	if math.Abs(mean-arrived) > slack*mean {
		return fmt.Sprintf("%.3g requests were in flight on average, and throughput times stay says %.3g (Little's law): a backlog was building up or draining", mean, arrived)
	}
	return ""
}
