package dispatch

import (
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"assay/internal/record"
	"assay/internal/wire/memwire"
)

// mallocs sends requests one after the other to a server that answers with so
// many events in one write, and returns the allocations of one request once
// the dispatcher's memory is warm.
func mallocs(t *testing.T, events int) float64 {
	t.Helper()
	reply := streamHead + strings.Repeat(event("word "), events) + doneEvent + lastChunk
	n := newNetwork(t, memwire.Link{}, func(c *memwire.Conn, _ *http.Request) bool { return write(c, reply) })
	s := n.stream()
	s.Concurrency, s.Requests = 1, 60
	const warm = 20
	var before, after runtime.MemStats
	done := 0
	d := &Dispatcher{Workers: 1, Now: n.now, Sleep: n.sleep, Emit: func(r *record.Record) {
		if len(r.Events) != events {
			t.Errorf("%d events, want %d", len(r.Events), events)
		}
		switch done++; done {
		case warm:
			runtime.ReadMemStats(&before)
		case s.Requests:
			runtime.ReadMemStats(&after)
		}
	}}
	if err := d.Run(t.Context(), []Stream{s}, int64(time.Minute)); err != nil {
		t.Fatal(err)
	}
	n.close([]Stream{s})
	return float64(after.Mallocs-before.Mallocs) / float64(s.Requests-warm)
}

func TestAnEventCostsNoAllocation(t *testing.T) {
	few, many := mallocs(t, 100), mallocs(t, 2100)
	if each := (many - few) / 2000; each > 0.05 { // memory that a collection took back is made anew
		t.Errorf("%.3f allocations an event (a request has %.0f with 100 events, %.0f with 2,100)", each, few, many)
	}
	t.Logf("a request has %.0f allocations with 100 events, %.0f with 2,100", few, many)
}
