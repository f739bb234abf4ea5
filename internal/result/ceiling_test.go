package result_test

import (
	"slices"
	"strings"
	"testing"

	"assay/internal/record"
)

// A ceiling held back a tenth of the requests for 300 ms each, and the last
// five to the end. The client did what it was told: the run is about the
// server and the ceiling, and says so.
func TestWhatACeilingHeldBackIsCountedAndWaitedForAndNotTheClients(t *testing.T) {
	c := load(t, strings.Replace(quick, "rate: 20/s", "rate: 20/s, max_in_flight: 20", 1)+"good: [ttft_due < 200ms]\n")
	list := server(c, 80*ms, 10*ms, 0)
	held, never := int64(0), 0
	for i := range list {
		r := &list[i]
		if r.Phase != record.Measured {
			continue
		}
		switch {
		case i >= len(list)-5:
			*r = record.New(r.Stream, r.Seq)
			r.Phase, r.Due, r.Release, r.Streamed = record.Measured, list[i-5].Due, record.Ceiling, true
			never++
			held++
		case i%10 == 0:
			later(r, 300*ms)
			r.Free, r.Release = r.Due+300*ms, record.Ceiling
			held++
		}
	}
	r := build(t, c, list, machines(0.1))
	if r.Requests.Held != held || r.Requests.Censored != int64(never) || r.Requests.Due != r.Requests.OK+int64(never) {
		t.Errorf("requests %+v, want %d held back, of them %d to the end", r.Requests, held, never)
	}
	if v := r.Client.Delivered; v == nil || *v != 1 {
		t.Errorf("delivered %v, want 1: the client sent all that it was let", v)
	}
	if lag := r.Client.SendLag; lag.P99 == nil || *lag.P99 > 0.1 {
		t.Errorf("send_lag p99 %v: waiting for a place is not the client's", lag.P99)
	}
	if m := r.Metrics["wait_ms"]; m.Max == nil || *m.Max != 300 || *m.P50 != 0 {
		t.Errorf("wait %+v, want half at 0 and 300 ms at most", m)
	}
	due, sent := r.Metrics["ttft_due_ms"], r.Metrics["ttft_ms"]
	if *due.Max-*sent.Max < 300 || due.Count != sent.Count {
		t.Errorf("ttft_due max %v of %d, ttft max %v of %d: want the wait in the one and not in the other", *due.Max, due.Count, *sent.Max, sent.Count)
	}
	good := float64(r.Requests.OK-(held-int64(never))) / float64(r.Requests.Due)
	is(t, "good_fraction", r.Rates.GoodFraction, good)
	if r.Arrivals.Holds != nil || !strings.Contains(r.Arrivals.Test, "a ceiling held back") {
		t.Errorf("arrivals %v %q, want no judgement: a ceiling moved them", r.Arrivals.Holds, r.Arrivals.Test)
	}
	if slices.Contains(reasons(r), "delivered") {
		t.Errorf("reasons %v blame the client", r.Verdict.Reasons)
	}
}

// later moves what came after the due instant of a request.
func later(r *record.Record, by int64) {
	for _, at := range []*int64{&r.Released, &r.Ready, &r.Sent, &r.Written, &r.First, &r.FirstOutput, &r.Last, &r.Ended} {
		*at += by
	}
	for i, e := range r.Events {
		r.Events[i] = record.NewEvent(e.Arrived+by, e.Read()+by, e.Kind(), e.Tokens(), true)
	}
}
