// The size of the fleet must not be seen in what it sends.

package arrival

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheFleetSendsTheSameScheduleWhateverItsSize(t *testing.T) {
	for shape, spec := range examples(t, 500) {
		schedule := func() []Due {
			return slices.Collect(Schedule(spec, 3, "main", sec, 4*sec, 0))
		}
		want := schedule()
		for workers := 1; workers <= 16; workers++ {
			var got []Due
			for worker := range workers {
				share := 0
				for _, due := range schedule() {
					if Stripe(due.Seq, worker, workers) {
						got = append(got, due)
						share++
					}
				}
				if share < len(want)/workers || share > len(want)/workers+1 {
					t.Errorf("%s: worker %d of %d has %d of %d", shape, worker, workers, share, len(want))
				}
			}
			slices.SortFunc(got, func(a, b Due) int { return int(a.Seq) - int(b.Seq) })
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s: %d workers together (-want +got):\n%s", shape, workers, diff)
			}
		}
	}
}

func TestSlotsAreDealtRoundAndWorkersBeyondThemStayIdle(t *testing.T) {
	for _, c := range []struct {
		concurrency, workers int
		want                 [][]int
	}{
		{5, 2, [][]int{{0, 2, 4}, {1, 3}}},
		{3, 3, [][]int{{0}, {1}, {2}}},
		{2, 4, [][]int{{0}, {1}, nil, nil}},
		{1, 1, [][]int{{0}}},
	} {
		var got [][]int
		for worker := range c.workers {
			got = append(got, Slots(c.concurrency, worker, c.workers))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("Slots(%d, …, %d) (-want +got):\n%s", c.concurrency, c.workers, diff)
		}
	}
}

func TestEveryClosedLoopRequestHasOneOwnerWhoHasItsSlot(t *testing.T) {
	for concurrency := 1; concurrency <= 20; concurrency++ {
		for workers := 1; workers <= 16; workers++ {
			for seq := range uint64(100) {
				owners := 0
				for worker := range workers {
					if !OwnsSlot(seq, concurrency, worker, workers) {
						continue
					}
					owners++
					slot := int(seq % uint64(concurrency))
					if !slices.Contains(Slots(concurrency, worker, workers), slot) {
						t.Fatalf("request %d is worker %d's, slot %d of %d is not (%d workers)",
							seq, worker, slot, concurrency, workers)
					}
				}
				if owners != 1 {
					t.Fatalf("request %d has %d owners (concurrency %d, %d workers)", seq, owners, concurrency, workers)
				}
			}
		}
	}
}
