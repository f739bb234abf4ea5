package dispatch

import (
	"context"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"assay/internal/record"
	"assay/internal/wire/memwire"
)

// contextAfter is a context that ends after some virtual time.
func contextAfter(t *testing.T, d time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithCancel(t.Context())
	timer := time.AfterFunc(d, cancel)
	return ctx, func() { timer.Stop(); cancel() }
}

func TestAClientHangsUpWhereTheContractSays(t *testing.T) {
	// The first token comes after 100 ms, then one each 10 ms, 20 in all.
	for _, c := range []struct {
		name   string
		cancel Cancel
		status record.Status
		ended  int64
		tokens int
	}{
		{"never", Cancel{}, record.OK, 290 * ms, 20},
		{"before the first token", Cancel{After: 50 * ms}, record.Cancelled, 50 * ms, 0},
		{"in the middle", Cancel{After: 145 * ms}, record.Cancelled, 145 * ms, 5},
		{"after the end", Cancel{After: 400 * ms}, record.OK, 290 * ms, 20},
		{"after seven tokens", Cancel{Tokens: 7}, record.Cancelled, 160 * ms, 7},
		{"after more than there are", Cancel{Tokens: 21}, record.OK, 290 * ms, 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			written := 0
			r := one(t, func(conn *memwire.Conn, _ *http.Request) bool {
				if !write(conn, streamHead) {
					return false
				}
				time.Sleep(100 * time.Millisecond)
				for i := range 20 {
					if i > 0 {
						time.Sleep(10 * time.Millisecond)
					}
					if !write(conn, event("w")) {
						return false
					}
					written++
				}
				return write(conn, doneEvent+lastChunk)
			}, func(s *Stream) { s.Cancel = func(uint64) Cancel { return c.cancel } })
			if r.Status != c.status || r.ErrorKind != "" || r.Ended != c.ended || len(r.Events) != c.tokens {
				t.Errorf("%v (%s) at %d with %d events, want %v at %d with %d", r.Status, r.ErrorKind, r.Ended, len(r.Events), c.status, c.ended, c.tokens)
			}
			if c.tokens > 0 && r.Output != c.tokens {
				t.Errorf("%d output tokens, want the %d that came", r.Output, c.tokens)
			}
			if c.status == record.Cancelled && written > c.tokens+1 {
				t.Errorf("the server wrote %d tokens and did not see that the client hung up", written)
			}
		})
	}
}

func TestAReplyThatIsNoGoodIsAFailureThoughItsClientWouldHaveHungUp(t *testing.T) {
	late := func(s *Stream) { s.Cancel = func(uint64) Cancel { return Cancel{After: 2000 * ms, Tokens: 5} } }
	r := one(t, says(whole("503 Service Unavailable", "text/plain", "no")), late)
	if r.Status != record.Failed || r.ErrorKind != "http_503" {
		t.Errorf("%v %s, want failed, http_503", r.Status, r.ErrorKind)
	}
	r = one(t, func(c *memwire.Conn, _ *http.Request) bool {
		write(c, streamHead+event("a"))
		time.Sleep(time.Minute)
		return false
	}, late) // silent: the idle limit of 1 s comes first
	if r.Status != record.Failed || r.ErrorKind != record.ErrIdle || r.Ended != 1000*ms {
		t.Errorf("%v %s at %d, want failed, idle at 1 s", r.Status, r.ErrorKind, r.Ended)
	}
	r = one(t, func(*memwire.Conn, *http.Request) bool { time.Sleep(time.Minute); return false },
		func(s *Stream) { s.Cancel = func(uint64) Cancel { return Cancel{After: 9000 * ms} } }) // beyond the request limit of 5 s
	if r.Status != record.Failed || r.ErrorKind != record.ErrTimeout || r.Ended != 5000*ms {
		t.Errorf("%v %s at %d, want failed, timeout at 5 s", r.Status, r.ErrorKind, r.Ended)
	}
}

func TestTheServerSeesThatItsClientHungUp(t *testing.T) {
	for name, cancel := range map[string]Cancel{"by the clock": {After: 45 * ms}, "by tokens": {Tokens: 5}} {
		synctest.Test(t, func(t *testing.T) {
			var written [2]int
			n := newNetwork(t, memwire.Link{}, func(c *memwire.Conn, r *http.Request) bool {
				seq, err := strconv.Atoi(r.Header.Get("X-Seq"))
				if err != nil {
					t.Error(err)
				}
				write(c, streamHead)
				for range 100 {
					if !write(c, event("w")) {
						return false
					}
					written[seq]++
					time.Sleep(10 * time.Millisecond)
				}
				return write(c, doneEvent+lastChunk)
			})
			s := n.stream()
			schedule(&s, 10*ms, 20*ms)
			s.Cancel = func(seq uint64) Cancel {
				if seq == 0 {
					return cancel
				}
				return Cancel{}
			}
			records, err := n.run(t.Context(), 0, 1, 5000*ms, nil, s)
			if err != nil || records[0].Status != record.Cancelled || records[1].Status != record.OK {
				t.Fatalf("%s: %v, %v, %v", name, err, records[0].Status, records[1].Status)
			}
			// One may be on its way when the connection closes.
			if written[0] > 6 || written[1] != 100 {
				t.Errorf("%s: the server wrote %d tokens to the one that hung up after 5, and %d to the other", name, written[0], written[1])
			}
		})
	}
}

func TestTokensThatComeSeveralAtATimeAreAllCounted(t *testing.T) {
	c := Cancel{Tokens: 7}
	for i, want := range []bool{false, false, true} {
		if got := c.enough(3); got != want {
			t.Errorf("after %d tokens of 7: enough is %v", 3*(i+1), got)
		}
	}
}

func TestASlotGoesOnAfterItsClientHungUpAndTheOthersDoNotNotice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		n := newNetwork(t, memwire.Link{}, func(c *memwire.Conn, r *http.Request) bool {
			asked.Add(1)
			return answer(40*time.Millisecond, 0, 1)(c, r)
		})
		s := n.stream()
		s.Concurrency, s.WindowEnd = 1, 100*ms
		s.Cancel = func(seq uint64) Cancel {
			if seq%2 == 1 {
				return Cancel{After: 10 * ms}
			}
			return Cancel{}
		}
		records, err := n.run(t.Context(), 0, 1, 1000*ms, nil, s)
		if err != nil || len(records) != 4 || asked.Load() != 4 {
			t.Fatalf("%d records, %d asked, %v, want 4", len(records), asked.Load(), err)
		}
		for i, want := range []int64{0, 40 * ms, 50 * ms, 90 * ms} {
			if records[i].Released != want {
				t.Errorf("request %d was released at %d, want %d", i, records[i].Released, want)
			}
		}
	})
}
