package dispatch

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"assay/internal/arrival"
	"assay/internal/record"
	"assay/internal/wire/memwire"
)

func TestSendsOnTimeThoughTheServerStalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		silent := func(*memwire.Conn, *http.Request) bool { time.Sleep(time.Hour); return false }
		n := newNetwork(t, memwire.Link{}, silent)
		s := n.stream()
		schedule(&s, 10*ms, 1000*ms)
		records, err := n.run(t.Context(), 0, 1, 5000*ms, nil, s)
		if err != nil || len(records) != 100 {
			t.Fatalf("%d records, %v, want 100", len(records), err)
		}
		for i, r := range records {
			want := int64(i) * 10 * ms
			if r.Due != want || r.Free != want || r.Released != want || r.Sent != want || r.Written != want {
				t.Fatalf("request %d: due %d free %d released %d sent %d written %d, want all %d", i, r.Due, r.Free, r.Released, r.Sent, r.Written, want)
			}
			if r.Status != record.Censored || r.Ended != 6000*ms {
				t.Fatalf("request %d: %v at %d, want censored at the drain limit, %d", i, r.Status, r.Ended, 6000*ms)
			}
		}
	})
}

func TestALateTimerIsALagAndMovesNoDueTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{}, answer(time.Millisecond, 0, 1))
		n.late = 25 * time.Millisecond
		s := n.stream()
		schedule(&s, 10*ms, 100*ms)
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if err != nil || len(records) != 10 {
			t.Fatalf("%d records, %v, want 10: nothing is skipped", len(records), err)
		}
		// Request 0 is due at once. Each later sleep ends 25 ms late; what has
		// become due meanwhile goes at once.
		want := []int64{0, 35, 35, 35, 65, 65, 65, 95, 95, 95}
		for i, r := range records {
			if r.Due != int64(i)*10*ms || r.Free != r.Due || r.Released != want[i]*ms {
				t.Errorf("request %d: due %d free %d released %d, want due %d, released %d ms", i, r.Due, r.Free, r.Released, int64(i)*10*ms, want[i])
			}
		}
	})
}

func TestStampsAreTheArrivalsOfTheEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		up := func(int) time.Duration { return 3 * time.Millisecond }
		down := func(int) time.Duration { return 2 * time.Millisecond }
		n := newNetwork(t, memwire.Link{Up: up, Down: down}, answer(80*time.Millisecond, 10*time.Millisecond, 5))
		s := n.stream()
		schedule(&s, 1000*ms, 1000*ms)
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if err != nil || len(records) != 1 {
			t.Fatalf("%d records, %v", len(records), err)
		}
		r := records[0]
		if r.Status != record.OK || r.Clock != record.Kernel || r.HTTPStatus != 200 || r.TTFB != 5*ms {
			t.Errorf("status %v, clock %v, http %d, ttfb %d", r.Status, r.Clock, r.HTTPStatus, r.TTFB)
		}
		for i, e := range r.Events {
			if want := int64(85+10*i) * ms; e.Arrived != want || e.Read() != want {
				t.Errorf("event %d arrived at %d, read at %d, want %d", i, e.Arrived, e.Read(), want)
			}
		}
		if r.First != 85*ms || r.FirstOutput != 85*ms || r.Last != 125*ms || r.Ended != 125*ms {
			t.Errorf("first %d first output %d last %d ended %d", r.First, r.FirstOutput, r.Last, r.Ended)
		}
		if r.Output != 5 || r.TokenSource != record.FromEvents || r.Input != 7 || r.InputSource != record.FromWords {
			t.Errorf("output %d by %v, input %d by %v", r.Output, r.TokenSource, r.Input, r.InputSource)
		}
	})
}

func TestACountOfThePromptIsOfTheTokenizerThatMadeIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{}, answer(0, 0, 1))
		s := n.stream()
		s.InputSource = record.FromTokenizer
		schedule(&s, 1000*ms, 1000*ms)
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if err != nil || len(records) != 1 {
			t.Fatalf("%d records, %v", len(records), err)
		}
		if r := records[0]; r.Input != 7 || r.InputSource != record.FromTokenizer {
			t.Errorf("input %d by %v, want 7 by the tokenizer", r.Input, r.InputSource)
		}
	})
}

func TestASlotSendsItsNextWhenItsLastHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{}, answer(40*time.Millisecond, 0, 1))
		s := n.stream()
		s.Concurrency, s.WindowStart, s.WindowEnd = 2, 100*ms, 400*ms
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if err != nil {
			t.Fatal(err)
		}
		if len(records) != 20 { // two slots, a request each 40 ms over 400 ms
			t.Fatalf("%d records, want 20", len(records))
		}
		warmup := 0
		for i, r := range records {
			want := int64(i/2) * 40 * ms
			if r.Free != want || r.Due != want || r.Released != want || r.Release != record.Slot {
				t.Errorf("request %d: free %d due %d released %d by %v, want %d by slot", i, r.Free, r.Due, r.Released, r.Release, want)
			}
			if r.Phase == record.Warmup {
				warmup++
			}
			if r.Released >= s.WindowEnd {
				t.Errorf("request %d was released at %d, after the window's end", i, r.Released)
			}
		}
		if warmup != 6 { // released at 0, 40 and 80 ms
			t.Errorf("%d in the warm-up, want 6", warmup)
		}
	})
}

func TestAClosedLoopOfNRequestsHasExactlyNWhateverTheWorkers(t *testing.T) {
	for _, workers := range []int{1, 3, 8} {
		synctest.Test(t, func(t *testing.T) {
			seen := map[uint64]int{}
			for worker := range workers {
				n := newNetwork(t, memwire.Link{}, answer(time.Millisecond, 0, 1))
				s := n.stream()
				s.Concurrency, s.Requests = 5, 17
				records, err := n.run(t.Context(), worker, workers, 1000*ms, nil, s)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range records {
					seen[r.Seq]++
				}
			}
			if len(seen) != 17 {
				t.Errorf("%d workers sent %d different requests, want 17", workers, len(seen))
			}
			for seq, times := range seen {
				if times != 1 || seq >= 17 {
					t.Errorf("%d workers: request %d sent %d times", workers, seq, times)
				}
			}
		})
	}
}

func TestWorkersShareAScheduleWithoutGapOrOverlap(t *testing.T) {
	due := map[uint64]int64{}
	for _, workers := range []int{1, 8} {
		synctest.Test(t, func(t *testing.T) {
			seen := map[uint64]int64{}
			for worker := range workers {
				n := newNetwork(t, memwire.Link{}, answer(time.Millisecond, 0, 1))
				s := n.stream()
				s.WindowEnd = 1000 * ms
				s.Schedule = arrival.Schedule(arrival.Spec{Shape: arrival.Poisson, Rate: 50}, 1, "main", 0, 1000*ms, 0)
				records, err := n.run(t.Context(), worker, workers, 1000*ms, nil, s)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range records {
					if _, twice := seen[r.Seq]; twice || r.Worker != worker {
						t.Errorf("request %d sent twice, or by worker %d for %d", r.Seq, r.Worker, worker)
					}
					seen[r.Seq] = r.Due
				}
			}
			if workers == 1 {
				due = seen
			}
			if len(seen) != len(due) || len(seen) < 20 {
				t.Fatalf("%d workers sent %d requests, one sent %d", workers, len(seen), len(due))
			}
			for seq, at := range seen {
				if due[seq] != at {
					t.Errorf("request %d due at %d with %d workers, at %d with one", seq, at, workers, due[seq])
				}
			}
		})
	}
}

func TestStoppingEndsTheSendingAndDrainsTheRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{}, answer(300*time.Millisecond, 0, 1))
		s := n.stream()
		schedule(&s, 10*ms, 10_000*ms)
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(105*time.Millisecond, stop)
		records, err := n.run(ctx, 0, 1, 5000*ms, nil, s)
		if err != nil || len(records) != 11 {
			t.Fatalf("%d records, %v, want the 11 due until 100 ms", len(records), err)
		}
		for _, r := range records {
			if r.Status != record.OK {
				t.Errorf("request %d: %v, want ok: what was in flight drains", r.Seq, r.Status)
			}
		}
		if took := n.now(); took != 400*ms {
			t.Errorf("the run took %d, want 400 ms: no longer than the last reply", took)
		}
	})
}

func TestARequestThatCannotBeBuiltEndsTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{}, answer(time.Millisecond, 0, 1))
		s := n.stream()
		schedule(&s, 10*ms, 1000*ms)
		prepare, broken := s.Prepare, errors.New("line 4 is no prompt")
		s.Prepare = func(seq uint64) (Prepared, error) {
			if seq == 3 {
				return Prepared{}, broken
			}
			return prepare(seq)
		}
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if !errors.Is(err, broken) || len(records) != 3 {
			t.Errorf("%d records, %v, want the 3 before it and its error", len(records), err)
		}
	})
}

func TestRequestsGoRoundTheTargets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{}, answer(time.Millisecond, 0, 1))
		s := n.stream()
		second := n.stream().Targets[0]
		second.URL = "http://second/"
		s.Targets = append(s.Targets, second)
		schedule(&s, 10*ms, 100*ms)
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			if want := s.Targets[r.Seq%2].URL; r.URL != want {
				t.Errorf("request %d went to %s, want %s", r.Seq, r.URL, want)
			}
		}
	})
}

func TestConnectionsAreReusedAndNewOnesAreTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{Connect: 7 * time.Millisecond}, answer(time.Millisecond, 0, 1))
		s := n.stream()
		schedule(&s, 100*ms, 300*ms)
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if err != nil || len(records) != 3 {
			t.Fatalf("%d records, %v", len(records), err)
		}
		for i, r := range records {
			wantReady := r.Released
			if i == 0 {
				wantReady += 7 * ms
			}
			if r.Reused != (i > 0) || r.Ready != wantReady {
				t.Errorf("request %s: reused %v, ready %d, want %v at %d", strconv.Itoa(i), r.Reused, r.Ready, i > 0, wantReady)
			}
		}
	})
}
