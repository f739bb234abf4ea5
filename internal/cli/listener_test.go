package cli

// A server that only writes down what it is sent: what a file of requests makes
// of bodies is held against bodies that were written by hand.

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// A listener answers every chat with the number of its messages.
type listener struct {
	mu    sync.Mutex
	heard []string
}

func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	l.mu.Lock()
	l.heard = append(l.heard, string(body))
	l.mu.Unlock()
	var chat struct {
		Messages []json.RawMessage `json:"messages"`
	}
	if err := json.Unmarshal(body, &chat); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range []string{
		fmt.Sprintf(`{"choices":[{"index":0,"delta":{"role":"assistant","content":"heard %d"}}]}`, len(chat.Messages)),
		`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
		`{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}`,
		`[DONE]`,
	} {
		fmt.Fprintf(w, "data: %s\n\n", event)
	}
}

// listen starts a listener and sets $URL.
func listen(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: listen")
	}
	l := &listener{}
	server := httptest.NewServer(l)
	ts.Defer(server.Close)
	ts.Setenv("URL", server.URL)
	listeners.Store(server.URL, l)
}

// listeners are those that run, by address.
var listeners sync.Map

// heard writes the bodies that the listener at $URL was sent since it was asked
// last, sorted, one a line.
func heard(ts *testscript.TestScript, neg bool, args []string) {
	found, ok := listeners.Load(ts.Getenv("URL"))
	if neg || len(args) != 1 || !ok {
		ts.Fatalf("usage: heard FILE, after listen")
	}
	l := found.(*listener)
	l.mu.Lock()
	bodies := l.heard
	l.heard = nil
	l.mu.Unlock()
	slices.Sort(bodies)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Join(append(bodies, ""), "\n")), 0o644))
}
