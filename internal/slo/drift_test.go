package slo

// The drift test on queues that settle and queues that do not.

import (
	"math/rand/v2"
	"strings"
	"testing"

	"assay/internal/record"
)

// queue is n requests at 20/s through a single server whose service is
// exponential with the given mean (ms): its sojourn is the TTFT.
func queue(rng *rand.Rand, n int, mean float64) []record.Record {
	var list []record.Record
	at, free := 0.0, 0.0 // s
	for i := range n {
		at += rng.ExpFloat64() / 20
		free = max(free, at) + rng.ExpFloat64()*mean/1000
		r := request(i, n, 1)
		r.Due = int64(at * 1e9)
		r.Free, r.Released, r.Ready, r.Sent = r.Due, r.Due, r.Due, r.Due
		r.First = int64(free * 1e9)
		r.FirstOutput, r.Last, r.Ended = r.First, r.First, r.First
		r.Events = []record.Event{record.NewEvent(r.First, r.First, record.Text, 1, true)}
		list = append(list, r)
	}
	return list
}

// Seeds (0…99, 6). Were a settled queue at 0.7 load called unsettled in one run
// of 100, and one at 1.1 load missed in one, more than 8 of 100 would come with
// a chance of 1e-6.
func TestDriftFindsAGrowingQueueAndLeavesASettledOne(t *testing.T) {
	false1, found := 0, 0
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 6))
		if why := Drift(summary(t, queue(rng, 2000, 35)), true); why != "" {
			false1++
		}
		if why := Drift(summary(t, queue(rng, 2000, 55)), true); why != "" {
			found++
		}
	}
	t.Logf("settled called unsettled %d of 100, growing found %d of 100", false1, found)
	if false1 > 8 || found < 92 {
		t.Errorf("settled called unsettled %d of 100, growing found %d of 100", false1, found)
	}
	if why := Drift(summary(t, queue(rand.New(rand.NewPCG(1, 1)), 199, 99)), true); why != "" {
		t.Errorf("199 requests tell nothing of a trend, and did: %s", why)
	}
}

func TestDriftHoldsTheNumberInFlightAgainstThroughputTimesStay(t *testing.T) {
	steadily := steady(1000)
	if why := Drift(summary(t, steadily), true); why != "" {
		t.Errorf("a steady run drifts: %s", why)
	}
	// Five that were sent before the window and never end: the number in
	// flight does not grow, and still Little's law does not hold.
	for i := range 5 {
		r := request(i, 1000, 50)
		r.Phase, r.Status, r.Ended = record.Warmup, record.Censored, record.None
		r.Due, r.Free, r.Released, r.Ready, r.Sent = -second, -second, -second, -second, -second
		steadily = append(steadily, r)
	}
	if why := Drift(summary(t, steadily), true); !strings.Contains(why, "Little") {
		t.Errorf("with five that never end: %q", why)
	}
	if why := Drift(summary(t, steadily), false); why != "" {
		t.Errorf("in closed loop: %q", why)
	}
	// Replies that take longer and longer, as throughput keeps up.
	var slower []record.Record
	for i := range 1000 {
		slower = append(slower, request(i, 1000, 150+0.5*float64(i)))
	}
	if why := Drift(summary(t, slower), true); !strings.Contains(why, "in flight went from") {
		t.Errorf("replies that take longer: %q", why)
	}
	if why := Drift(summary(t, slower), false); !strings.Contains(why, "mean ttft went from") {
		t.Errorf("replies that take longer, closed loop: %q", why)
	}
}

// The same queues behind a ceiling of one request: the server is never seen to
// have a queue, and what grows is the wait. Seeds (0…99, 6), as above.
func TestDriftFindsAQueueThatACeilingKeepsFromTheServer(t *testing.T) {
	behind := func(seed uint64, mean float64) string {
		list := queue(rand.New(rand.NewPCG(seed, 6)), 2000, mean)
		for i := 1; i < len(list); i++ {
			r, free := &list[i], list[i-1].Ended
			if free > r.Due {
				r.Free, r.Released, r.Ready, r.Sent, r.Release = free, free, free, free, record.Ceiling
			}
		}
		return Drift(summary(t, list), true)
	}
	false1, found := 0, 0
	for seed := range uint64(100) {
		if behind(seed, 35) != "" {
			false1++
		}
		if strings.Contains(behind(seed, 55), "the mean wait went") {
			found++
		}
	}
	if false1 > 8 || found < 92 {
		t.Errorf("settled called unsettled %d of 100, growing found %d of 100", false1, found)
	}
}
