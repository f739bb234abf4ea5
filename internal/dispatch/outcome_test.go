package dispatch

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"assay/internal/record"
	"assay/internal/wire/memwire"
)

// one sends a single request to a server and returns its record.
func one(t *testing.T, h handler, change func(*Stream), secrets ...string) record.Record {
	t.Helper()
	var got record.Record
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(t, memwire.Link{}, h)
		s := n.stream()
		s.Limits = Limits{Idle: 1000 * ms, Request: 5000 * ms}
		schedule(&s, 1000*ms, 1000*ms)
		if change != nil {
			change(&s)
		}
		records, err := n.run(t.Context(), 0, 1, 60_000*ms, secrets, s)
		if err != nil || len(records) != 1 {
			t.Fatalf("%d records, %v, want 1", len(records), err)
		}
		got = records[0]
	})
	return got
}

// says answers with fixed bytes and closes the connection.
func says(s string) handler {
	return func(c *memwire.Conn, _ *http.Request) bool { write(c, s); return false }
}

func whole(status, contentType, body string) string {
	return "HTTP/1.1 " + status + "\r\nContent-Type: " + contentType + "\r\nConnection: close\r\n\r\n" + body
}

const finish = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"

func TestEveryBadReplyIsACountedKindWithTheServersWords(t *testing.T) {
	big := strings.Repeat("x", 2<<20)
	for _, c := range []struct {
		name, reply, kind, words string
		http                     int
	}{
		{"no endpoint", whole("404 Not Found", "application/json", `{"detail":"no such path"}`), "http_404", "no such path", 404},
		{"busy", whole("429 Too Many Requests", "text/plain", "slow down"), "http_429", "slow down", 429},
		{"broken", whole("503 Service Unavailable", "text/html", "<h1>down</h1>"), "http_503", "down", 503},
		{"moved", "HTTP/1.1 302 Found\r\nLocation: http://u:p@other/x?key=1\r\nContent-Length: 0\r\n\r\n", record.ErrRedirect, "http://other/x", 302},
		{"an error for 200", whole("200 OK", "application/json", `{"error":{"message":"model not loaded"}}`), record.ErrBody, "model not loaded", 200},
		{"JSON for events", whole("200 OK", "application/json", `{"choices":[{"message":{"content":"hi"}}]}`), record.ErrContentType, "text/event-stream", 200},
		{"a page for events", whole("200 OK", "text/html", "<html>login</html>"), record.ErrContentType, "login", 200},
		{"nothing", whole("200 OK", "text/event-stream", ""), record.ErrEmpty, "no content", 200},
		{"only the end", streamHead + doneEvent + lastChunk, record.ErrEmpty, "no content", 200},
		{"no end marker", streamHead + event("a") + event("b") + lastChunk, record.ErrTruncated, "end marker", 200},
		{"cut", streamHead + event("a"), record.ErrReset, "", 200},
		{"an error in the stream", streamHead + event("a") + chunk(`data: {"error":{"message":"out of memory"}}`+"\n\n") + lastChunk, record.ErrStream, "out of memory", 200},
		{"no JSON", streamHead + event("a") + chunk("data: <oops>\n\n") + lastChunk, record.ErrDecode, "", 200},
		{"an event of megabytes", streamHead + chunk("data: "+big+"\n\n") + lastChunk, record.ErrEventTooLarge, "larger", 200},
		{"not HTTP", "SSH-2.0-OpenSSH_9.2\r\n", record.ErrProtocol, "", 0},
		{"hung up", "", record.ErrReset, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := one(t, says(c.reply), nil)
			if r.Status != record.Failed || r.ErrorKind != c.kind || r.HTTPStatus != c.http {
				t.Errorf("status %v, kind %q, http %d, want failed, %q, %d (%s)", r.Status, r.ErrorKind, r.HTTPStatus, c.kind, c.http, r.ErrorMessage)
			}
			if !strings.Contains(r.ErrorMessage, c.words) {
				t.Errorf("message %q does not have the words %q", r.ErrorMessage, c.words)
			}
			if strings.Contains(r.ErrorMessage, "u:p@") || strings.Contains(r.ErrorMessage, "key=1") || len(r.ErrorMessage) > maxWords {
				t.Errorf("message %q says too much", r.ErrorMessage)
			}
		})
	}
}

func TestALastEventWithoutBlankLineAndAFinishReasonWillDo(t *testing.T) {
	r := one(t, says(streamHead+event("a")+chunk(strings.TrimRight(finish, "\n"))+lastChunk), nil)
	if r.Status != record.OK || r.FinishReason != "stop" {
		t.Errorf("status %v, finish %q (%s %s), want ok, stop", r.Status, r.FinishReason, r.ErrorKind, r.ErrorMessage)
	}
}

func TestWhatFollowsTheEndMarkerChangesNothing(t *testing.T) {
	r := one(t, says(streamHead+event("a")+doneEvent+event("late")+chunk("data: <oops>\n\n")+lastChunk), nil)
	if r.Status != record.OK || len(r.Events) != 1 {
		t.Errorf("status %v with %d events, want ok with 1", r.Status, len(r.Events))
	}
}

func TestASlowUsageDoesNotExtendTheLatency(t *testing.T) {
	usage := chunk(`data: {"choices":[],"usage":{"prompt_tokens":11,"completion_tokens":3}}` + "\n\n")
	r := one(t, func(c *memwire.Conn, _ *http.Request) bool {
		write(c, streamHead+event("a"))
		time.Sleep(500 * time.Millisecond)
		return write(c, usage) && write(c, doneEvent+lastChunk)
	}, nil)
	if r.Last != 0 || r.Ended != 500*ms || r.Output != 3 || r.Input != 11 || r.TokenSource != record.FromUsage {
		t.Errorf("last %d ended %d output %d input %d by %v, want 0, 500 ms, 3, 11 by usage", r.Last, r.Ended, r.Output, r.Input, r.TokenSource)
	}
	if len(r.Marks) != 2 || r.Marks[0].Kind != record.Usage || r.Marks[0].T != 500*ms || r.Marks[1].Kind != record.End {
		t.Errorf("marks %v, want usage and end at 500 ms", r.Marks)
	}
}

func TestEventsOfOneReadAreMarkedCoalesced(t *testing.T) {
	r := one(t, func(c *memwire.Conn, _ *http.Request) bool {
		write(c, streamHead+event("a")+event("b")+event("c"))
		time.Sleep(20 * time.Millisecond)
		return write(c, event("d")) && write(c, doneEvent+lastChunk)
	}, nil)
	if len(r.Events) != 4 || r.Coalesced() != 3 {
		t.Errorf("%d events, %d coalesced, want 4 and 3: a and b share a read with c, d with the end marker", len(r.Events), r.Coalesced())
	}
}

func TestAStreamThatGoesSilentIsGivenUpAtTheIdleLimit(t *testing.T) {
	r := one(t, func(c *memwire.Conn, _ *http.Request) bool {
		write(c, streamHead+event("a"))
		time.Sleep(time.Minute)
		return false
	}, nil)
	if r.ErrorKind != record.ErrIdle || r.Ended != 1000*ms || len(r.Events) != 1 {
		t.Errorf("%s at %d with %d events, want idle at 1000 ms with 1", r.ErrorKind, r.Ended, len(r.Events))
	}
}

func TestAReplyThatNeverComesIsGivenUpAtTheRequestLimit(t *testing.T) {
	r := one(t, func(*memwire.Conn, *http.Request) bool { time.Sleep(time.Minute); return false }, nil)
	if r.ErrorKind != record.ErrTimeout || r.Ended != 5000*ms {
		t.Errorf("%s at %d, want timeout at 5000 ms", r.ErrorKind, r.Ended)
	}
}

func TestAWholeReplyHasLatencyOnly(t *testing.T) {
	plain := func(s *Stream) { s.Streamed = false }
	body := `{"choices":[{"message":{"content":"one two"},"finish_reason":"stop"}],"usage":{"prompt_tokens":4,"completion_tokens":2}}`
	r := one(t, says(whole("200 OK", "application/json; charset=utf-8", body)), plain)
	if r.Status != record.OK || r.Streamed || len(r.Events) != 1 || r.Output != 2 || r.Input != 4 || r.FinishReason != "stop" {
		t.Errorf("status %v (%s %s), streamed %v, %d events, %d out, %d in, finish %q", r.Status, r.ErrorKind, r.ErrorMessage, r.Streamed, len(r.Events), r.Output, r.Input, r.FinishReason)
	}
	r = one(t, says(whole("200 OK", "application/json", `{"choices":[{"message":{"content":"one two\nthree"},"finish_reason":"stop"}]}`)), plain)
	if r.Output != 3 || r.TokenSource != record.FromWords {
		t.Errorf("a whole reply without usage counts %d from %s, want its 3 words", r.Output, r.TokenSource)
	}
	r = one(t, says(whole("200 OK", "text/event-stream", "data: x\n\n")), plain)
	if r.ErrorKind != record.ErrContentType {
		t.Errorf("events for a whole reply: %s, want content_type", r.ErrorKind)
	}
}

func TestAWholeReplyOfEndlessBytesIsBounded(t *testing.T) {
	r := one(t, func(c *memwire.Conn, _ *http.Request) bool {
		write(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
		block := strings.Repeat(" ", 1<<20)
		for write(c, block) {
		}
		return false
	}, func(s *Stream) { s.Streamed = false })
	if r.ErrorKind != record.ErrBodyTooLarge {
		t.Errorf("%s, want body_too_large", r.ErrorKind)
	}
}

func TestMarksBeyondTheBoundAreCountedAndNotKept(t *testing.T) {
	const empty = record.MaxMarks + 10
	r := one(t, func(c *memwire.Conn, _ *http.Request) bool {
		write(c, streamHead)
		for range empty {
			write(c, event(""))
		}
		return write(c, event("a")) && write(c, doneEvent+lastChunk)
	}, nil)
	if len(r.Marks) != record.MaxMarks || r.Dropped != 11 || r.Status != record.OK {
		t.Errorf("%d marks, %d dropped, %v, want %d, 11 (10 and the end), ok", len(r.Marks), r.Dropped, r.Status, record.MaxMarks)
	}
}

func TestNoSecretIsRepeatedFromTheServersWords(t *testing.T) {
	r := one(t, says(whole("401 Unauthorized", "text/plain", "key sk-very-secret is unknown")), nil, "sk-very-secret")
	if strings.Contains(r.ErrorMessage, "sk-very-secret") || !strings.Contains(r.ErrorMessage, "key *** is unknown") {
		t.Errorf("message %q, want the key masked", r.ErrorMessage)
	}
}

func TestInvalidUTF8InTheServersWordsIsMadeReadable(t *testing.T) {
	r := one(t, says(whole("500 Oops", "text/plain", "bad \xff\xfe byte")), nil)
	if r.ErrorMessage != "bad \uFFFD byte" {
		t.Errorf("message %q", r.ErrorMessage)
	}
}

func TestARefusalHasWhatTheServerAskedFor(t *testing.T) {
	const head = "Content-Type: text/plain\r\nConnection: close\r\n\r\nnot now"
	if r := one(t, says("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 12\r\n"+head), nil); r.RetryAfter != 12_000*ms {
		t.Errorf("retry after %d, want 12 s", r.RetryAfter)
	}
	if r := one(t, says("HTTP/1.1 503 Service Unavailable\r\n"+head), nil); r.RetryAfter != record.None {
		t.Errorf("retry after %d where nothing was said", r.RetryAfter)
	}
}
