package dispatch

// Framings other than server-sent events, and streams that only end.

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"assay/internal/dialect"
	"assay/internal/record"
	"assay/internal/wire/memwire"
)

// exchanged is the record of one request in this dialect, 5 ms from the
// server; the answer comes in pieces, 10 ms before each.
func exchanged(t *testing.T, endpoint, head string, pieces ...string) (r record.Record) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{Down: func(int) time.Duration { return 5 * time.Millisecond }}, func(c *memwire.Conn, _ *http.Request) bool {
			if !write(c, head) {
				return false
			}
			for _, piece := range pieces {
				time.Sleep(10 * time.Millisecond)
				if !write(c, piece) {
					return false
				}
			}
			return pieces[len(pieces)-1] == lastChunk
		})
		s := n.stream()
		s.Dialect, _ = dialect.Find(endpoint)
		schedule(&s, ms, ms)
		records, err := n.run(t.Context(), 0, 1, 60_000*ms, nil, s)
		if err != nil || len(records) != 1 {
			t.Fatalf("%d records, %v", len(records), err)
		}
		r = records[0]
	})
	return r
}

const lineHead = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"

func TestLinesOfJSONAreEventsAtTheTimeOfTheirLastByte(t *testing.T) {
	line := func(text string) string { return `{"message":{"content":"` + text + `"},"done":false}` + "\n" }
	r := exchanged(t, "ollama_chat", lineHead,
		chunk(line("a")), chunk(line("b")[:9]), chunk(line("b")[9:]), chunk(`{"done":true,"done_reason":"stop","eval_count":2}`+"\n"), lastChunk)
	if r.Status != record.OK || len(r.Events) != 2 || r.Output != 2 || r.FinishReason != "stop" {
		t.Fatalf("%v %s %s, %d events, %d tokens, %q", r.Status, r.ErrorKind, r.ErrorMessage, len(r.Events), r.Output, r.FinishReason)
	}
	if first, last := r.First-r.Sent, r.Last-r.Sent; first != 15*ms || last != 35*ms {
		t.Errorf("first %d, last %d ns after the request, want 15 and 35 ms", first, last)
	}
}

func TestServerSentEventsAreNoLinesOfJSON(t *testing.T) {
	r := exchanged(t, "ollama_chat", streamHead, chunk("data: {}\n\n"), lastChunk)
	if r.Status != record.Failed || r.ErrorKind != record.ErrContentType {
		t.Errorf("%v %s, want another content type", r.Status, r.ErrorKind)
	}
}

func TestAStreamWithoutAnEndMarkerEndsWithItsBody(t *testing.T) {
	piece := chunk(`data: {"text_output":"a"}` + "\n\n")
	if r := exchanged(t, "triton_generate", streamHead, piece, piece, lastChunk); r.Status != record.OK || len(r.Events) != 2 {
		t.Errorf("%v %s %s, %d events, want two and no error", r.Status, r.ErrorKind, r.ErrorMessage, len(r.Events))
	}
	if r := exchanged(t, "triton_generate", streamHead, piece, piece); r.Status != record.Failed || r.ErrorKind != record.ErrReset {
		t.Errorf("cut off: %v %s, want a reset", r.Status, r.ErrorKind)
	}
}
