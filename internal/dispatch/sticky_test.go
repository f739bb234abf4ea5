package dispatch

// Whose connection a request takes: its session's, else its slot's.

import (
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"assay/internal/arrival"
	"assay/internal/record"
	"assay/internal/wire"
	"assay/internal/wire/http1"
	"assay/internal/wire/memwire"
)

// sticks has the stream's requests stick to their connections.
func sticks(n *network, s *Stream) {
	s.Targets[0].Pool = http1.NewPool(http1.Config{URL: serverURL, Dial: n.listener.Dial, Now: n.now, Policy: wire.Sticky})
}

// leavers is a pool that notes whom it is to forget.
type leavers struct {
	wire.Pool
	mu      sync.Mutex
	holders []uint64
}

func (l *leavers) Forget(holder uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holders = append(l.holders, holder)
	l.Pool.Forget(holder)
}

// fresh counts the records that had to wait for a connection.
func fresh(records []record.Record) int {
	n := 0
	for _, r := range records {
		if !r.Reused {
			n++
		}
	}
	return n
}

func TestTheTurnsOfASessionHaveOneConnectionThatEndsWithIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &listener{after: 40 * time.Millisecond}
		n := newNetwork(t, memwire.Link{}, l.answer)
		s := n.stream()
		sticks(n, &s)
		schedule(&s, 100*ms, 300*ms)
		talking(n, &s, Turn{Number: 1}, Turn{Number: 2, Waits: []int{0}}, Turn{Number: 3, Waits: []int{1}})
		s.WindowEnd = 5000 * ms
		left := &leavers{Pool: s.Targets[0].Pool}
		s.Targets[0].Pool = left
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if err != nil || len(records) != 9 {
			t.Fatalf("%d records, %v, want 9", len(records), err)
		}
		for _, r := range records {
			if r.Status != record.OK || r.Reused != (r.Turn > 1) {
				t.Errorf("session %s turn %d: %v, reused %v", r.Session, r.Turn, r.Status, r.Reused)
			}
		}
		if !slices.Equal(left.holders, []uint64{1, 2, 3}) {
			t.Errorf("forgotten are %v, want each of the three sessions once", left.holders)
		}
	})
}

func TestAUserKeepsHisConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		users := map[*memwire.Conn]map[int]bool{} // of each connection
		reply := answer(40*time.Millisecond, 0, 1)
		n := newNetwork(t, memwire.Link{}, func(c *memwire.Conn, r *http.Request) bool {
			seq, _ := strconv.Atoi(r.Header.Get("X-Seq"))
			mu.Lock()
			if users[c] == nil {
				users[c] = map[int]bool{}
			}
			users[c][seq%3] = true
			mu.Unlock()
			return reply(c, r)
		})
		s := n.stream()
		sticks(n, &s)
		s.Concurrency, s.WindowEnd = 3, 600*ms
		s.Pace = Pace{Own: true, Pause: func(k uint64) int64 { return int64(k*7%50) * ms }}
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if err != nil || len(records) < 20 || fresh(records) != 3 || len(users) != 3 {
			t.Fatalf("%d records on %d connections, %v; want 3 connections", len(records), len(users), err)
		}
		for _, whose := range users {
			if len(whose) != 1 {
				t.Errorf("a connection carried the requests of users %v", whose)
			}
		}
	})
}

// The next request of a slot leaves before the end of the answer's body has
// been read, which comes a little after its last event.
func TestASlotWaitsForItsConnectionWhoseAnswerEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{}, func(c *memwire.Conn, _ *http.Request) bool {
			time.Sleep(40 * time.Millisecond)
			write(c, streamHead+event("word ")+doneEvent)
			time.Sleep(2 * time.Millisecond)
			return write(c, lastChunk)
		})
		s := n.stream()
		sticks(n, &s)
		s.Concurrency, s.WindowEnd = 3, 600*ms
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if err != nil || len(records) != 45 || fresh(records) != 3 {
			t.Fatalf("%d records, %d made a connection (%v); want 45 on one a slot", len(records), fresh(records), err)
		}
		for _, r := range records[3:] {
			if r.Released != r.Free || r.Ready != r.Free+2*ms {
				t.Errorf("request %d: free %d, released %d, ready %d; want it to wait 2 ms for its connection", r.Seq, r.Free, r.Released, r.Ready)
			}
		}
	})
}

func TestRequestsOfNobodyShareWhatIsThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{}, answer(time.Millisecond, 0, 1))
		s := n.stream()
		s.Schedule = func(yield func(arrival.Due) bool) {
			for i := range 5 {
				if !yield(arrival.Due{Seq: uint64(i), At: int64(i) * 10 * ms, Measured: true}) {
					return
				}
			}
		}
		s.WindowEnd = 50 * ms
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if err != nil || len(records) != 5 || fresh(records) != 1 {
			t.Errorf("%d records, %d made a connection (%v); want 5 on 1", len(records), fresh(records), err)
		}
	})
}
