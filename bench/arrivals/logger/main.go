//go:build linux

// Command logger is a server that only writes down what came, and when: of
// each request its X-Request-ID and CLOCK_MONOTONIC right after its last byte
// had been read, beside the prompt's words and the limit of the reply. It
// shares no code with the client, so what both say alike is not the same
// mistake. It answers every request with one token. When its standard input
// ends it prints its log, one JSON object a line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// An arrival is one request as it came.
type arrival struct {
	id   string
	at   int64 // CLOCK_MONOTONIC, ns
	body []byte
}

// A ledger is all of them; connections write into it side by side.
type ledger struct {
	mu  sync.Mutex
	all []arrival
}

const answer = `data: {"id":"x","choices":[{"index":0,"delta":{"role":"assistant","content":"a"},"finish_reason":null}]}

data: {"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"length"}]}

data: [DONE]

`

var reply = fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: %d\r\n\r\n%s", len(answer), answer)

func main() {
	debug.SetGCPercent(-1) // a collection would be taken for lateness; a run is some megabytes
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, "logger:", err)
		os.Exit(1)
	}
	fmt.Printf("http://%s\n", l.Addr())
	var book ledger
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go book.serve(c)
		}
	}()
	_, _ = io.Copy(io.Discard, os.Stdin) // until whoever started it closes it, or dies
	if err := book.print(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "logger:", err)
		os.Exit(1)
	}
}

// serve reads requests from one connection until it ends.
func (l *ledger) serve(c net.Conn) {
	defer c.Close()
	r := bufio.NewReaderSize(c, 64<<10)
	for {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		body, err := io.ReadAll(req.Body)
		at := monotonic()
		if err != nil {
			return
		}
		l.mu.Lock()
		l.all = append(l.all, arrival{req.Header.Get("X-Request-ID"), at, body})
		l.mu.Unlock()
		if _, err := c.Write(reply); err != nil {
			return
		}
	}
}

func monotonic() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		panic("internal error: " + err.Error())
	}
	return t.Nano()
}

// print takes the bodies apart only now, so that nothing waits for it.
func (l *ledger) print(w io.Writer) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := bufio.NewWriter(w)
	for _, a := range l.all {
		var b struct {
			Messages []struct{ Content string }
			Limit    int `json:"max_completion_tokens"`
			OldLimit int `json:"max_tokens"`
		}
		if err := json.Unmarshal(a.body, &b); err != nil {
			return fmt.Errorf("the body of %s: %w", a.id, err)
		}
		words := 0
		for _, m := range b.Messages {
			words += len(strings.Fields(m.Content))
		}
		fmt.Fprintf(out, "{\"id\":%q,\"at_ns\":%d,\"words\":%d,\"limit\":%d}\n", a.id, a.at, words, max(b.Limit, b.OldLimit))
	}
	return out.Flush()
}
