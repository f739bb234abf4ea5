package host

import (
	"math"
	"runtime"
	"strings"
	"testing"
)

func TestLimitsThatAreTooSmallAreNamed(t *testing.T) {
	if err := Preflight(1, 1); err != nil {
		t.Errorf("Preflight(1, 1) = %v", err)
	}
	err := Preflight(1, 1<<20)
	if err == nil || !strings.Contains(err.Error(), "1048576 connections") {
		t.Errorf("Preflight for a million ports = %v", err)
	}
	limit, errLimit := RaiseDescriptors()
	if errLimit != nil || limit < 3 {
		t.Fatalf("RaiseDescriptors = %d, %v", limit, errLimit)
	}
	if err := Preflight(math.MaxInt, 1); err == nil || !strings.Contains(err.Error(), "descriptors") {
		t.Errorf("Preflight for all descriptors = %v", err)
	}
}

func TestTheFactsOfThisMachineArePlausible(t *testing.T) {
	f := Info()
	if f.CPUs != runtime.NumCPU() || f.Cores <= 0 || f.Cores > float64(f.CPUs) || f.Kernel == "" {
		t.Errorf("Info() = %+v", f)
	}
}

func TestAPauseOfTheCollectorIsSeenOnce(t *testing.T) {
	s := NewRuntimeSampler()
	runtime.GC()
	r := s.Sample()
	if r.GCPauseMax <= 0 || r.Goroutines < 1 || r.Heap <= 0 {
		t.Errorf("after a collection: %+v", r)
	}
}

func TestAQuantileIsTheUpperBoundOfItsBucket(t *testing.T) {
	bounds := []float64{math.Inf(-1), 0.001, 0.002, 0.003, math.Inf(1)}
	for _, c := range []struct {
		counts []uint64
		q      float64
		want   int64
	}{
		{[]uint64{0, 0, 0, 0}, 1, 0},
		{[]uint64{0, 99, 1, 0}, 0.99, 2_000_000},
		{[]uint64{0, 98, 2, 0}, 0.99, 3_000_000},
		{[]uint64{5, 0, 0, 0}, 0.5, 1_000_000},
		{[]uint64{1, 0, 0, 1}, 1, 3_000_000}, // the last bucket has no upper bound
	} {
		if got := quantile(bounds, c.counts, c.q); got != c.want {
			t.Errorf("quantile(%v, %v) = %d, want %d", c.counts, c.q, got, c.want)
		}
	}
}

func TestCountsAreThoseSinceTheSampleBefore(t *testing.T) {
	var last []uint64
	since([]uint64{1, 2, 3}, &last)
	got := since([]uint64{1, 5, 4}, &last)
	if got[0] != 0 || got[1] != 3 || got[2] != 1 {
		t.Errorf("since = %v, want [0 3 1]", got)
	}
}
