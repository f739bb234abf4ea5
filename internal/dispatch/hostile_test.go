package dispatch

// Servers that are broken or mean it: whatever they send, and for as long as
// they like, this client holds a bounded number of bytes for it, and the
// record says what came of the request. Bytes are counted and not measured:
// what the process uses is the collector's business.

import (
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"assay/internal/record"
	"assay/internal/wire"
	"assay/internal/wire/memwire"
)

// A flood is what came of requests to a hostile server.
type flood struct {
	records []record.Record
	peak    int64 // bytes held for replies at the most, whenever the client had read all there was
	sent    int64 // bytes that the client took
}

// pipe is how much a connection holds on its way.
const pipe = 64 << 10

// attack sends requests, one each millisecond, to a server that answers with
// start and then with what next gives for i = 0, 1, …, until the client has
// had enough; an empty next waits for a minute.
func attack(t *testing.T, requests int, bounds Bounds, change func(*Stream), start string, next func(i int) string) flood {
	t.Helper()
	var f flood
	synctest.Test(t, func(t *testing.T) {
		var n *network
		n = newNetwork(t, memwire.Link{DownWindow: pipe}, func(c *memwire.Conn, _ *http.Request) bool {
			send := func(s string) bool {
				took, err := io.WriteString(c, s)
				n.mu.Lock()
				f.sent += int64(took)
				f.peak = max(f.peak, n.d.held.Load())
				n.mu.Unlock()
				return err == nil
			}
			for ok, i := send(start), 0; ok; i++ {
				s := next(i)
				if s == "" {
					time.Sleep(time.Minute)
				}
				ok = send(s)
			}
			return false
		})
		n.bounds = bounds
		s := n.stream()
		s.Limits = Limits{Idle: 1000 * ms, Request: 5000 * ms}
		schedule(&s, ms, int64(requests)*ms)
		if change != nil {
			change(&s)
		}
		var err error
		if f.records, err = n.run(t.Context(), 0, 1, 60_000*ms, nil, s); err != nil || len(f.records) != requests {
			t.Fatalf("%d records, %v, want %d", len(f.records), err, requests)
		}
	})
	return f
}

func always(s string) func(int) string { return func(int) string { return s } }

const plainHead = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"

func TestNoServerMakesAReplyTakeMemoryWithoutBound(t *testing.T) {
	notStreamed := func(s *Stream) { s.Streamed = false }
	slowly := func(s string) func(int) string {
		return func(int) string { time.Sleep(time.Millisecond); return s }
	}
	contentless := chunk(`data: {"choices":[{"index":0,"delta":{"role":"assistant"}}]}` + "\n\n")
	bounds := Bounds{Events: 5000, Stream: 4 << 20, Body: 256 << 10}
	for _, c := range []struct {
		name   string
		start  string
		next   func(int) string
		change func(*Stream)
		kind   string
		events int   // kept
		peak   int64 // bytes held for it at the most
	}{
		{"events without end", streamHead, always(strings.Repeat(event("word "), 100)), nil, record.ErrBodyTooLarge, 5000, 5000*20 + 64<<10},
		{"events without content and end", streamHead, always(strings.Repeat(contentless, 100)), nil, record.ErrBodyTooLarge, 0, 64 << 10},
		{"comments without end", streamHead, always(chunk(strings.Repeat(": still there\n\n", 100))), nil, record.ErrBodyTooLarge, 0, 64 << 10},
		{"an event without end", streamHead, always(chunk("data: " + strings.Repeat("x", 1000))), nil, record.ErrEventTooLarge, 0, 4 * wire.MaxEvent},
		{"data lines without end", streamHead, always(chunk(strings.Repeat("data:\n", 1000))), nil, record.ErrEventTooLarge, 0, 4 * wire.MaxEvent},
		{"a head without end", "HTTP/1.1 200 OK\r\n", always("X-Header: and one more\r\n"), nil, record.ErrProtocol, 0, 64 << 10},
		{"a header without end", "HTTP/1.1 200 OK\r\nX-Header: ", always("and more "), nil, record.ErrProtocol, 0, 64 << 10},
		{"heads without end", "", always("HTTP/1.1 100 Continue\r\n\r\n"), nil, record.ErrProtocol, 0, 64 << 10},
		{"a chunk extension without end", streamHead + "5;", always("name=value;"), nil, record.ErrProtocol, 0, 64 << 10},
		{"a long extension for each byte", streamHead, slowly("1;" + strings.Repeat("x", 4000) + "\r\n:\r\n"), nil, record.ErrBodyTooLarge, 0, 64 << 10},
		{"trailers without end", streamHead + event("a") + "0\r\n", always("X-Trailer: and one more\r\n"), nil, record.ErrProtocol, 1, 64 << 10},
		{"a body without end", plainHead, always(strings.Repeat(" ", 1000)), notStreamed, record.ErrBodyTooLarge, 0, 512 << 10},
		{"a page without end for events", plainHead, always("<p>"), nil, record.ErrBodyTooLarge, 0, 512 << 10},
		{"an error without end", "HTTP/1.1 500 Oops\r\n\r\n", always("and so on "), nil, "http_500", 0, 64 << 10},
		{"a byte now and then", streamHead, slowly(chunk(":")), nil, record.ErrTimeout, 0, 64 << 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := attack(t, 1, bounds, c.change, c.start, c.next)
			r := f.records[0]
			if r.Status != record.Failed || r.ErrorKind != c.kind || len(r.Events) != c.events || len(r.Marks) > record.MaxMarks {
				t.Errorf("%v, %q with %d events and %d marks, want failed, %q with %d (%s)", r.Status, r.ErrorKind, len(r.Events), len(r.Marks), c.kind, c.events, r.ErrorMessage)
			}
			if f.peak > c.peak {
				t.Errorf("held %d bytes for it, want at most %d", f.peak, c.peak)
			}
			if most := bounds.Stream + 2*pipe; f.sent > most {
				t.Errorf("took %d bytes of it, want at most %d", f.sent, most)
			}
		})
	}
}

func TestThousandsOfTinyEventsAreAllKept(t *testing.T) {
	const events = 4200 // just beyond 4096: memory that is doubled would show
	f := attack(t, 1, Bounds{}, nil, streamHead, func(i int) string {
		switch {
		case i < events/100:
			return strings.Repeat(event("a"), 100)
		case i == events/100:
			return doneEvent + lastChunk
		}
		return ""
	})
	r := f.records[0]
	if r.Status != record.OK || len(r.Events) != events {
		t.Errorf("%v with %d events (%s), want ok with %d", r.Status, len(r.Events), r.ErrorMessage, events)
	}
	if most := int64(events*20 + 16<<10); f.peak > most {
		t.Errorf("held %d bytes, want at most %d: 20 an event", f.peak, most)
	}
}

func TestAllRepliesTogetherHoldNoMoreThanTheWorkerMay(t *testing.T) {
	const requests, memory = 20, 4 << 20
	unfinished := func(i int) string {
		if i < 900 {
			return chunk("data: " + strings.Repeat("x", 1000)) // no more than one event may have
		}
		return "" // and then silence
	}
	f := attack(t, requests, Bounds{Memory: memory}, nil, streamHead, unfinished)
	kinds := map[string]int{}
	for _, r := range f.records {
		kinds[r.Status.String()+" "+r.ErrorKind]++
	}
	if kinds["local local"] == 0 || kinds["local local"]+kinds["failed idle"] != requests {
		t.Errorf("outcomes %v, want some given up by this client and the others silent", kinds)
	}
	if most := int64(memory + 2*wire.MaxEvent); f.peak > most {
		t.Errorf("held %d bytes, want at most %d", f.peak, most)
	}
	i := slices.IndexFunc(f.records, func(r record.Record) bool { return r.Status == record.Local })
	if words := f.records[i].ErrorMessage; !strings.Contains(words, "memory") {
		t.Errorf("message %q does not name what was short", words)
	}
}

func TestTheLargestRecordFitsAFrame(t *testing.T) {
	r := record.New("main", math.MaxUint64)
	for i := range maxEvents {
		at := int64(1) << 61 // as far apart as the difference can be told
		if i%2 == 1 {
			at = -at
		}
		r.Events = append(r.Events, record.NewEvent(at, math.MaxInt64, record.Text, math.MaxInt, false))
	}
	if n := len(record.Append(nil, &r)); n > record.MaxFrame {
		t.Errorf("a record of %d events takes %d bytes, a frame has %d", maxEvents, n, record.MaxFrame)
	}
}
