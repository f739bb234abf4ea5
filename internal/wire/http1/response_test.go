// This file tests the understanding of answers: by hand, cut and split at
// every byte, and against net/http.

package http1

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"assay/internal/record"
)

const post = "POST / HTTP/1.1\r\nHost: server.test\r\nContent-Length: 0\r\n\r\n"

var answers = []struct {
	name, wire, body string
	status           int
	keep             bool
}{
	{"length", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "hello", 200, true},
	{"no body by length", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "", 200, true},
	{"LF only", "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", "hello", 200, true},
	{"no reason", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nhi", "hi", 200, true},
	{"empty reason", "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nhi", "hi", 200, true},
	{"chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n", "hello", 200, true},
	{"chunk extensions", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=\"b\";c \r\nhello\r\n000;x\r\n\r\n", "hello", 200, true},
	{"large hexadecimal", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0000000A\r\n0123456789\r\na \r\n9876543210\r\n0\r\n\r\n", "01234567899876543210", 200, true},
	{"trailers", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-A: b\r\nX-C: d\r\n\r\n", "hi", 200, true},
	{"interim heads", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "hi", 200, true},
	{"no content", "HTTP/1.1 204 No Content\r\n\r\n", "", 204, true},
	{"not modified with a length", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", "", 304, true},
	{"an error with a body", "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 4\r\nRetry-After: 1\r\n\r\nslow", "slow", 429, true},
	{"connection: close", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi", "hi", 200, false},
	{"HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", "hi", 200, false},
	{"HTTP/1.0 kept", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi", "hi", 200, true},
	{"bytes behind the body", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhiHTTP/1.1 200 OK\r\n\r\n", "hi", 200, false},
}

func TestAnswersAreUnderstoodHoweverTheyAreSplit(t *testing.T) {
	for _, a := range answers {
		t.Run(a.name, func(t *testing.T) {
			b := []byte(a.wire)
			end := io.EOF
			if a.keep {
				// The server keeps the connection: waiting for its end is a bug.
				end = errors.New("read past the end of the answer")
			}
			for first := 1; first <= len(b); first++ {
				for _, size := range []int{1, 3, 64 << 10} {
					got := receive(t, newScript(end, cutUp(b, first, len(b))...), post, size)
					checkAnswer(t, fmt.Sprintf("split after %d, reads of %d", first, size), got, a.status, a.body)
					if first == len(b) && got.keep != a.keep {
						t.Errorf("connection kept: %v, want %v", got.keep, a.keep)
					}
				}
			}
			got := receive(t, newScript(end, cutUp(b, 1)...), post, 64<<10)
			checkAnswer(t, "byte by byte", got, a.status, a.body)
		})
	}
}

func checkAnswer(t *testing.T, how string, got answer, status int, body string) {
	t.Helper()
	if got.err != nil || got.status != status || got.body != body {
		t.Errorf("%s: %+v, want status %d, body %q", how, got, status, body)
	}
}

func TestAnAnswerCutAnywhereIsAReset(t *testing.T) {
	for _, a := range answers {
		for n := range len(a.wire) {
			got := receive(t, newScript(io.EOF, []byte(a.wire[:n])), post, 100)
			if got.err == nil {
				if a.name == "bytes behind the body" && n >= len(a.wire)-len("HTTP/1.1 200 OK\r\n\r\n") {
					continue
				}
				t.Errorf("%s cut after %d of %d bytes: no error", a.name, n, len(a.wire))
			}
			if got.err != nil && kindOf(got.err) != record.ErrReset {
				t.Errorf("%s cut after %d bytes: %v (%s), want a reset", a.name, n, got.err, kindOf(got.err))
			}
			if !strings.HasPrefix(a.body, got.body) {
				t.Errorf("%s cut after %d bytes: body %q", a.name, n, got.body)
			}
		}
	}
}

func TestABodyWithoutLengthEndsWithTheConnection(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
	got := receive(t, newScript(io.EOF, []byte(head), []byte("hel"), []byte("lo")), post, 100)
	if got.err != nil || got.body != "hello" || got.keep {
		t.Errorf("%+v, want hello and no connection kept", got)
	}
}

func TestTheAnswerToHEADHasNoBody(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
	got := receive(t, newScript(errors.New("read past the end"), []byte(head)), "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", 100)
	if got.err != nil || got.body != "" || !got.keep {
		t.Errorf("%+v, want no body and the connection kept", got)
	}
}

func TestWhatIsNotHTTPIsAProtocolError(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\n"
	const chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
	for _, wire := range []string{
		"SSH-2.0-OpenSSH_9.6\r\n", "{", "\r\nHTTP/1.1 200 OK\r\n\r\n", "http/1.1 200 OK\r\n\r\n",
		"HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1\r\n\r\n", "HTTP/x.y 200 OK\r\n\r\n",
		ok + "no colon\r\n\r\n", ok + "Content-Length: -1\r\n\r\n", ok + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
		ok + "Transfer-Encoding: gzip, chunked\r\n\r\n", ok + "X: " + strings.Repeat("x", maxHead) + "\r\n\r\n",
		"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n",
		strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 3000) + ok + "Content-Length: 0\r\n\r\n",
		chunked + "\r\n", chunked + "x\r\n", chunked + "-1\r\n", chunked + "+1\r\n", chunked + "0x1\r\n", chunked + "3\nabc\n",
		chunked + "3\r\nabcd\r\n", chunked + "3\r\nabc\n", chunked + "3 4\r\n", chunked + "3 ;x\r\n", chunked + " 3\r\n",
		chunked + "11111111111111111\r\n", chunked + "1;" + strings.Repeat("x", 4096) + "\r\n", chunked + "1\rx",
		chunked + "0\r\n" + strings.Repeat("a: b\r\n", maxTrailer/6+1),
	} {
		got := receive(t, newScript(io.EOF, []byte(wire)), post, 100)
		if kindOf(got.err) != record.ErrProtocol {
			t.Errorf("%.60q: %s, want %s", wire, kindOf(got.err), record.ErrProtocol)
		}
	}
}

// An oracle's answer is what net/http makes of the same bytes.
func oracle(b []byte) (answer, *http.Response) {
	br := bufio.NewReader(bytes.NewReader(b))
	for {
		resp, err := http.ReadResponse(br, &http.Request{Method: "POST"})
		if err != nil {
			return answer{err: err}, nil
		}
		if resp.StatusCode < 200 && resp.StatusCode != 101 {
			continue
		}
		body, err := io.ReadAll(resp.Body)
		return answer{status: resp.StatusCode, body: string(body), err: err}, resp
	}
}

// lenient tells whether the oracle refuses here what this package takes on
// purpose: trailers are passed over unread, and endless framing is bounded by
// the exchange's limits.
func lenient(err error) bool {
	s := err.Error()
	return strings.Contains(s, "too much non-data") || strings.Contains(s, "trailer") || strings.Contains(s, "MIME")
}

func FuzzResponse(f *testing.F) {
	for _, a := range answers {
		f.Add([]byte(a.wire), []byte{1, 7, 255}, uint16(5))
		f.Add([]byte(a.wire), []byte{255}, uint16(5000))
	}
	f.Fuzz(func(t *testing.T, b, sizes []byte, size uint16) {
		cuts := make([]int, 0, len(sizes)+1)
		for _, n := range append(sizes, 200) {
			cuts = append(cuts, int(n))
		}
		want, resp := oracle(b)
		if len(b) >= maxHead/2 || resp != nil && resp.StatusCode == 101 {
			return
		}
		got := receive(t, newScript(io.EOF, cutUp(b, cuts...)...), post, 1+int(size))
		if want.err != nil && got.err == nil && lenient(want.err) {
			return
		}
		if (want.err == nil) != (got.err == nil) {
			t.Fatalf("%q: got error %v, net/http %v", b, got.err, want.err)
		}
		if got.status != want.status || want.err == nil && got.body != want.body {
			t.Errorf("%q: got %d %q, net/http %d %q", b, got.status, got.body, want.status, want.body)
		}
	})
}
