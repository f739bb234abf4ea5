// Instants that were recorded: they are taken as they are.

package arrival

import (
	"math"
	"sort"
)

// openTrace is due when the trace says, from the window's start on. The
// warm-up has independent users at the rate with which the trace begins: that
// of its first stretch as long as the warm-up.
func openTrace(s Spec, warmup int64, draws draws) func() float64 {
	at := s.Recorded.Times
	warm := openRenewal(Spec{Shape: Poisson, Rate: firstRate(at, warmup)}, 0, draws)
	warming, i := warmup > 0, 0
	return func() float64 {
		if warming {
			if due := warm(); due < float64(warmup) {
				return due
			}
			warming = false
		}
		if i == len(at) {
			return math.Inf(1)
		}
		i++
		return float64(warmup + at[i-1])
	}
}

// firstRate is the rate of the first stretch as long as the warm-up; with
// nothing in it, as if one were.
func firstRate(at []int64, warmup int64) float64 {
	stretch := max(warmup, 1)
	n := max(1, before(at, stretch))
	return float64(n) * second / float64(stretch)
}

// before is how many times are before t.
func before(at []int64, t int64) int {
	return sort.Search(len(at), func(i int) bool { return at[i] >= t })
}

// traceCount is what is due in the window, and what the warm-up sends.
func traceCount(s Spec, warmup, window int64) float64 {
	at := s.recorded().Times
	return firstRate(at, warmup)*float64(warmup)/second + float64(before(at, window))
}

func checkTrace(s Spec) error {
	switch {
	case s.Handed && s.File != "":
		return wrong("file", "excludes the times of the workload's file", "drop file")
	case s.Handed && (s.Time != "" || s.Unit != ""):
		return wrong("time", "is of a file of times; here they are those of the workload's file, whose format says what they mean", "drop time and unit")
	case s.File == "" && !s.Handed:
		return missing("file", "write file: trace.csv, or .jsonl, with the time of each request")
	case s.Speedup != 0 && !(s.Speedup > 1e-6 && s.Speedup < 1e6):
		return wrong("speedup", "is out of range", "write speedup: 2 for twice as fast")
	case s.End != 0 && s.End <= s.Start:
		return wrong("end", "is not after start", "write the end of what is used, counted from the trace's first line")
	}
	return s.checkFields()
}

// traceMost is the most in any one second.
func traceMost(s Spec) float64 {
	at := s.recorded().Times
	most, low := 0, 0
	for high := range at {
		for at[high]-at[low] >= second {
			low++
		}
		most = max(most, high-low+1)
	}
	return float64(most)
}

func traceMean(s Spec) float64 {
	at := s.recorded().Times
	if n := len(at); n > 1 && at[n-1] > 0 {
		return float64(n-1) / float64(at[n-1]) * second
	}
	return 0
}

// Skipped is how many of the times, which are in order, come before the part
// that is used.
func (s Spec) Skipped(times []int64) int {
	if len(times) == 0 {
		return 0
	}
	return sort.Search(len(times), func(i int) bool { return times[i]-times[0] >= int64(s.Start) })
}
