package dispatch

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"assay/internal/record"
	"assay/internal/wire/memwire"
)

func TestAUserThinksAndSendsRequestsOfHisOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{}, answer(20*time.Millisecond, 0, 1))
		s := n.stream()
		s.Concurrency, s.WindowStart, s.WindowEnd = 2, 100*ms, 400*ms
		s.Pace = Pace{
			Own:   true,
			Opens: func(user int) int64 { return int64(user)*30*ms + 10*ms },
			// User 0 thinks 50 ms, user 1 130 ms, and 1 ms more each time.
			Pause: func(n uint64) int64 { return []int64{50 * ms, 130 * ms}[n%2] + int64(n/2)*ms },
		}
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if err != nil {
			t.Fatal(err)
		}
		// User 0: 10, +20+51 = 81, +20+52 = 153, 226, 300, 375. User 1: 40, 191, 343.
		want := map[uint64]int64{0: 10, 2: 81, 4: 153, 6: 226, 8: 300, 10: 375, 1: 40, 3: 191, 5: 343}
		if len(records) != len(want) {
			t.Errorf("%d records, want %d", len(records), len(want))
		}
		for _, r := range records {
			at, ok := want[r.Seq]
			at *= ms
			if !ok || r.Free != at || r.Due != at || r.Released != at || r.Release != record.Slot {
				t.Errorf("request %d: due %d free %d released %d by %v, want %d by slot", r.Seq, r.Due, r.Free, r.Released, r.Release, at)
			}
			if measured := at >= 100*ms; (r.Phase == record.Measured) != measured {
				t.Errorf("request %d at %d is %v", r.Seq, at, r.Phase)
			}
		}
	})
}

func TestUsersAndSlotsDoTheSameWhateverTheWorkers(t *testing.T) {
	for name, pace := range map[string]Pace{
		"users": {Own: true, Opens: func(u int) int64 { return int64(7*u) * ms }, Pause: func(n uint64) int64 { return int64(n%13+1) * ms }},
		"slots": {Opens: func(u int) int64 { return int64(7*u) * ms }, Pause: func(n uint64) int64 { return int64(n%13+1) * ms }},
	} {
		var first []int64
		for _, workers := range []int{1, 3, 8} {
			var free []int64
			seen := map[uint64]bool{}
			for worker := range workers {
				synctest.Test(t, func(t *testing.T) {
					n := newNetwork(t, memwire.Link{}, answer(5*time.Millisecond, 0, 1))
					s := n.stream()
					s.Concurrency, s.WindowEnd, s.Pace = 5, 200*ms, pace
					records, err := n.run(t.Context(), worker, workers, 1000*ms, nil, s)
					if err != nil {
						t.Fatal(err)
					}
					for _, r := range records {
						key := r.Free
						if pace.Own {
							key = key<<16 | int64(r.Seq) // each request at its own time
						}
						free = append(free, key)
						if seen[r.Seq] {
							t.Errorf("%s: request %d was sent twice", name, r.Seq)
						}
						seen[r.Seq] = true
					}
				})
			}
			slices.Sort(free)
			if workers == 1 {
				first = free
			}
			if len(free) < 50 || !slices.Equal(free, first) {
				t.Errorf("%s: %d workers send %d requests, one sends %d, or at other times", name, workers, len(free), len(first))
			}
		}
	}
}

func TestSlotsOpenOneAfterAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{}, answer(35*time.Millisecond, 0, 1))
		s := n.stream()
		s.Concurrency, s.WindowEnd = 4, 100*ms
		s.Pace = Pace{Opens: func(slot int) int64 { return int64(slot) * 10 * ms }}
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if err != nil {
			t.Fatal(err)
		}
		var at []int64
		for _, r := range records {
			at = append(at, r.Free/ms)
			if r.Released != r.Free {
				t.Errorf("request %d was free at %d and released at %d", r.Seq, r.Free, r.Released)
			}
		}
		// Without a pause each goes as soon as its slot is free; shared
		// requests go in their order.
		if want := []int64{0, 10, 20, 30, 35, 45, 55, 65, 70, 80, 90}; !slices.Equal(at, want) {
			t.Errorf("released at %v, want %v", at, want)
		}
	})
}

func TestAPausedLoopOfNRequestsHasExactlyN(t *testing.T) {
	for _, workers := range []int{1, 3} {
		seen := map[uint64]bool{}
		for worker := range workers {
			synctest.Test(t, func(t *testing.T) {
				n := newNetwork(t, memwire.Link{}, answer(5*time.Millisecond, 0, 1))
				s := n.stream()
				s.Concurrency, s.Requests = 5, 23
				s.Pace = Pace{Pause: func(n uint64) int64 { return int64(n%3) * ms }}
				records, err := n.run(t.Context(), worker, workers, 1000*ms, nil, s)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range records {
					seen[r.Seq] = true
				}
			})
		}
		for seq := range uint64(23) {
			if !seen[seq] {
				t.Errorf("%d workers: request %d is missing", workers, seq)
			}
		}
		if len(seen) != 23 {
			t.Errorf("%d workers sent %d requests, want 23", workers, len(seen))
		}
	}
}

func TestUsersWhoCannotBeServedEndTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{}, answer(time.Millisecond, 0, 1))
		s := n.stream()
		s.Concurrency, s.WindowEnd = 3, 1000*ms
		s.Pace = Pace{Own: true, Pause: func(uint64) int64 { return 10 * ms }}
		prepare, broken := s.Prepare, errors.New("line 4 is no prompt")
		s.Prepare = func(seq uint64) (Prepared, error) {
			if seq == 4 { // the second request of user 1
				return Prepared{}, broken
			}
			return prepare(seq)
		}
		if records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s); !errors.Is(err, broken) || len(records) < 3 || n.now() > 20*ms {
			t.Errorf("%d records, %v, at %d, want the error soon after the first three", len(records), err, n.now())
		}
	})
}

func TestStoppingDoesNotWaitForThoseWhoThink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{}, answer(20*time.Millisecond, 0, 1))
		s := n.stream()
		s.Concurrency, s.WindowEnd = 2, 10_000*ms
		s.Pace = Pace{Own: true, Pause: func(uint64) int64 { return 5000 * ms }}
		ctx, stop := contextAfter(t, 105*time.Millisecond)
		defer stop()
		records, err := n.run(ctx, 0, 1, 5000*ms, nil, s)
		if err != nil || len(records) != 2 || n.now() != 105*ms {
			t.Errorf("%d records, %v, at %d, want 2 at 105 ms", len(records), err, n.now())
		}
	})
}

func TestAClientThatIsLateForAUserSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{}, answer(20*time.Millisecond, 0, 1))
		n.late = 3 * time.Millisecond
		s := n.stream()
		s.Concurrency, s.WindowEnd = 1, 100*ms
		s.Pace = Pace{Own: true, Opens: func(int) int64 { return 10 * ms }, Pause: func(uint64) int64 { return 30 * ms }}
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if err != nil || len(records) != 2 {
			t.Fatalf("%d records, %v, want 2", len(records), err)
		}
		for i, want := range []times{{10 * ms, 10 * ms, 13 * ms}, {63 * ms, 63 * ms, 66 * ms}} {
			if got := timesOf(records)[i]; got != want {
				t.Errorf("request %d: due, free, released %v, want %v", i, got, want)
			}
		}
	})
}
