// What Go's own runtime did to this process: pauses, and goroutines that
// were ready and waited.
package host

import (
	"math"
	"runtime/metrics"

	"assay/internal/observation"
)

// A RuntimeSampler samples this process's runtime over and over. It serves
// one goroutine at a time.
type RuntimeSampler struct {
	samples []metrics.Sample
	pauses  []uint64 // counts at the last sample
	delays  []uint64
}

const (
	pauseMetric = "/sched/pauses/total/gc:seconds"
	delayMetric = "/sched/latencies:seconds"
	countMetric = "/sched/goroutines:goroutines"
	heapMetric  = "/memory/classes/heap/objects:bytes"
)

// NewRuntimeSampler returns a sampler whose first interval begins here.
func NewRuntimeSampler() *RuntimeSampler {
	s := &RuntimeSampler{samples: []metrics.Sample{{Name: pauseMetric}, {Name: delayMetric}, {Name: countMetric}, {Name: heapMetric}}}
	s.Sample()
	return s
}

// Sample returns the longest pause and the p99 of the waiting of goroutines
// since the sample before. Both come from histograms and are upper bounds of
// their buckets, some per cent wide.
func (s *RuntimeSampler) Sample() observation.Runtime {
	metrics.Read(s.samples)
	var r observation.Runtime
	for _, m := range s.samples {
		switch {
		case m.Value.Kind() == metrics.KindBad: // not in this version of Go
		case m.Name == pauseMetric:
			h := m.Value.Float64Histogram()
			r.GCPauseMax = quantile(h.Buckets, since(h.Counts, &s.pauses), 1)
		case m.Name == delayMetric:
			h := m.Value.Float64Histogram()
			r.SchedDelayP99 = quantile(h.Buckets, since(h.Counts, &s.delays), 0.99)
		case m.Name == countMetric:
			r.Goroutines = int(m.Value.Uint64())
		case m.Name == heapMetric:
			r.Heap = int64(m.Value.Uint64())
		}
	}
	return r
}

// since returns how much counts grew over last, and keeps them there.
func since(counts []uint64, last *[]uint64) []uint64 {
	grown := make([]uint64, len(counts))
	for i, n := range counts {
		grown[i] = n
		if i < len(*last) {
			grown[i] -= (*last)[i]
		}
	}
	*last = append((*last)[:0], counts...)
	return grown
}

// quantile is the upper bound in ns of the bucket of the q-quantile by nearest
// rank; 0 of nothing. Bucket i lies between bounds i and i+1.
func quantile(bounds []float64, counts []uint64, q float64) int64 {
	var total uint64
	for _, n := range counts {
		total += n
	}
	rank := uint64(math.Ceil(q * float64(total)))
	var below uint64
	for i, n := range counts {
		below += n
		if n > 0 && below >= rank {
			upper := bounds[i+1]
			if math.IsInf(upper, 1) {
				upper = bounds[i]
			}
			return int64(math.Round(upper * 1e9))
		}
	}
	return 0
}
