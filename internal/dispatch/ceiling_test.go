package dispatch

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"assay/internal/record"
	"assay/internal/wire/memwire"
)

// times are the stamps that a ceiling decides.
type times struct{ due, free, released int64 }

func timesOf(records []record.Record) []times {
	var list []times
	for _, r := range records {
		list = append(list, times{r.Due, r.Free, r.Released})
	}
	return list
}

// ceiled sends a request each 10 ms for 60 ms to a server whose replies take
// 25 ms, the first token after 15.
func ceiled(t *testing.T, c Ceiling) (records []record.Record) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{}, answer(15*time.Millisecond, 10*time.Millisecond, 2))
		s := n.stream()
		schedule(&s, 10*ms, 60*ms)
		s.Ceiling = c
		var err error
		if records, err = n.run(t.Context(), 0, 1, 1000*ms, nil, s); err != nil {
			t.Fatal(err)
		}
	})
	return records
}

func TestWhatACeilingHoldsBackIsFreeWhenAPlaceOpens(t *testing.T) {
	for _, c := range []struct {
		name    string
		ceiling Ceiling
		want    []times // worked out by hand, ms
	}{
		// Two places for 25 ms each: the third, due at 20, takes that of the
		// first at 25; the fourth that of the second at 35.
		{"two in flight", Ceiling{InFlight: 2}, []times{{0, 0, 0}, {10, 10, 10}, {20, 25, 25}, {30, 35, 35}, {40, 50, 50}, {50, 60, 60}}},
		// One without a first token: each waits for the first token of the last.
		{"one in prefill", Ceiling{Prefill: 1}, []times{{0, 0, 0}, {10, 15, 15}, {20, 30, 30}, {30, 45, 45}, {40, 60, 60}, {50, 75, 75}}},
		// Both: the third has a place in prefill at 30, the first has ended by
		// then; so it goes on.
		{"both", Ceiling{InFlight: 2, Prefill: 1}, []times{{0, 0, 0}, {10, 15, 15}, {20, 30, 30}, {30, 45, 45}, {40, 60, 60}, {50, 75, 75}}},
		{"one in flight", Ceiling{InFlight: 1}, []times{{0, 0, 0}, {10, 25, 25}, {20, 50, 50}, {30, 75, 75}, {40, 100, 100}, {50, 125, 125}}},
		{"high enough", Ceiling{InFlight: 3}, []times{{0, 0, 0}, {10, 10, 10}, {20, 20, 20}, {30, 30, 30}, {40, 40, 40}, {50, 50, 50}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			records := ceiled(t, c.ceiling)
			for i := range c.want {
				c.want[i] = times{c.want[i].due * ms, c.want[i].free * ms, c.want[i].released * ms}
			}
			if got := timesOf(records); !slices.Equal(got, c.want) {
				t.Errorf("due, free, released are\n%v, want\n%v", got, c.want)
			}
			for i, r := range records {
				want := record.AtDue
				if c.want[i].free > c.want[i].due {
					want = record.Ceiling
				}
				if r.Release != want || r.Status != record.OK {
					t.Errorf("request %d was released by %v and is %v, want by %v and ok", i, r.Release, r.Status, want)
				}
			}
		})
	}
}

func TestAClientThatIsLateUnderACeilingSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{}, answer(0, 0, 1))
		n.late = 3 * time.Millisecond
		s := n.stream()
		schedule(&s, 10*ms, 40*ms)
		s.Ceiling = Ceiling{InFlight: 1}
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records[1:] {
			if r.Free != r.Due || r.Released != r.Due+3*ms || r.Release != record.AtDue {
				t.Errorf("request %d: due %d free %d released %d by %v, want the client's 3 ms between free and released", r.Seq, r.Due, r.Free, r.Released, r.Release)
			}
		}
	})
}

func TestPlacesOfFailedRequestsOpenToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{}, says(whole("503 Service Unavailable", "text/plain", "no")))
		s := n.stream()
		schedule(&s, 10*ms, 100*ms)
		s.Ceiling = Ceiling{InFlight: 1, Prefill: 1}
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if err != nil || len(records) != 10 {
			t.Fatalf("%d records, %v, want 10", len(records), err)
		}
		for _, r := range records {
			if r.Released != r.Due || r.Status != record.Failed {
				t.Errorf("request %d: released %d, %v, want at its due time %d, failed", r.Seq, r.Released, r.Status, r.Due)
			}
		}
	})
}

func TestWhatACeilingHoldsBackBeyondTheDrainIsCensoredAndNeverReleased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{}, answer(80*time.Millisecond, 0, 1))
		s := n.stream()
		schedule(&s, 10*ms, 100*ms)
		s.Ceiling = Ceiling{InFlight: 1}
		records, err := n.run(t.Context(), 0, 1, 100*ms, nil, s)
		if err != nil || len(records) != 10 {
			t.Fatalf("%d records, %v, want all 10 that were due", len(records), err)
		}
		if at := records[2].Ended; at != 200*ms {
			t.Errorf("the one in flight was given up at %d, want at the drain limit, 200 ms", at)
		}
		for i, r := range records { // released at 0, 80 and 160 ms
			switch {
			case i < 2 && r.Status != record.OK, i == 2 && r.Status != record.Censored:
				t.Errorf("request %d is %v", i, r.Status)
			case i > 2 && (r.Status != record.Censored || r.Released != record.None || r.Free != record.None || r.Release != record.Ceiling || r.Due != int64(i)*10*ms || r.URL == ""):
				t.Errorf("request %d: %v, due %d free %d released %d by %v at %q, want censored, due at %d and never released", i, r.Status, r.Due, r.Free, r.Released, r.Release, r.URL, int64(i)*10*ms)
			}
		}
	})
}

func TestTheDrainUnderACeilingBeginsAtTheEndOfTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{}, answer(80*time.Millisecond, 0, 1))
		s := n.stream()
		schedule(&s, 40*ms, 100*ms)
		s.Ceiling = Ceiling{InFlight: 1}
		records, err := n.run(t.Context(), 0, 1, 100*ms, nil, s)
		if err != nil || len(records) != 3 {
			t.Fatalf("%d records, %v, want 3", len(records), err)
		}
		// Released at 0, 80 and 160 ms: the last would end at 240.
		if r := records[2]; r.Released != 160*ms || r.Status != record.Censored || r.Ended != 200*ms {
			t.Errorf("the last was released at %d and is %v at %d, want censored at 200 ms", r.Released, r.Status, r.Ended)
		}
	})
}

func TestStoppingDoesNotWaitForAPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{}, answer(300*time.Millisecond, 0, 1))
		s := n.stream()
		schedule(&s, 10*ms, 10_000*ms)
		s.Ceiling = Ceiling{InFlight: 1}
		ctx, stop := contextAfter(t, 105*time.Millisecond)
		defer stop()
		records, err := n.run(ctx, 0, 1, 5000*ms, nil, s)
		if err != nil || len(records) != 1 || n.now() != 300*ms {
			t.Errorf("%d records, %v, after %d, want the one in flight, after its 300 ms", len(records), err, n.now())
		}
	})
}

func TestWorkersShareACeilingAndItsRequests(t *testing.T) {
	for _, c := range []struct {
		ceiling Ceiling
		workers int
		most    []int // in flight, by worker
		sent    []int
	}{
		{Ceiling{InFlight: 5}, 3, []int{2, 2, 1}, []int{16, 16, 8}},
		{Ceiling{InFlight: 2}, 4, []int{1, 1, 0, 0}, []int{20, 20, 0, 0}},
		{Ceiling{InFlight: 8, Prefill: 2}, 4, []int{4, 4, 0, 0}, []int{20, 20, 0, 0}},
	} {
		seen, peaks, sent := map[uint64]bool{}, make([]int, c.workers), make([]int, c.workers)
		for worker := range c.workers {
			synctest.Test(t, func(t *testing.T) {
				n := newNetwork(t, memwire.Link{}, answer(0, 500*time.Millisecond, 2))
				s := n.stream()
				schedule(&s, 10*ms, 400*ms)
				s.Ceiling = c.ceiling
				records, err := n.run(t.Context(), worker, c.workers, 10_000*ms, nil, s)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range records {
					if seen[r.Seq] || r.Status != record.OK {
						t.Errorf("request %d is %v, or was sent twice", r.Seq, r.Status)
					}
					seen[r.Seq] = true
				}
				peaks[worker], sent[worker] = peak(records), len(records)
			})
		}
		if len(seen) != 40 || !slices.Equal(peaks, c.most) || !slices.Equal(sent, c.sent) {
			t.Errorf("%+v over %d workers: %d requests, sent %v, at most %v in flight, want 40, %v and %v", c.ceiling, c.workers, len(seen), sent, peaks, c.sent, c.most)
		}
	}
}

// peak is the most requests that were in flight at once.
func peak(records []record.Record) int {
	most := 0
	for _, a := range records {
		n := 0
		for _, b := range records {
			if b.Released <= a.Released && b.Ended > a.Released {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}
