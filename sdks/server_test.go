package sdks

// The embedded server, as a process of its own, and the way to it.

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
)

var binary = flag.String("assay", "../bin/assay", "the program whose embedded server is asked")

const (
	model  = "small-1"
	secret = "sesame"
	keyEnv = "SDKS_KEY"
)

// A site is a server and what a client must know to talk to it.
type site struct {
	url  string
	key  string
	wire *wire
}

// A wire carries the requests of one client, and asks for their faults.
type wire struct {
	fault string // of every request; "" for none
	once  bool   // of the first alone
	sent  atomic.Int64
}

// next is the fault of the next request, "" for none.
func (w *wire) next() string {
	if n := w.sent.Add(1); w.once && n > 1 {
		return ""
	}
	return w.fault
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	if fault := w.next(); fault != "" {
		r = r.Clone(r.Context())
		r.Header.Set("X-Assay-Fault", fault)
	}
	return http.DefaultTransport.RoundTrip(r)
}

func (s site) client() *http.Client { return &http.Client{Transport: s.wire} }

// serve starts a server, which ends with this test.
func serve(t *testing.T, flags ...string) site {
	t.Helper()
	args := append([]string{"simulate", "--listen", "127.0.0.1:0", "--json", "--die-with-parent", "--api-key-env", keyEnv}, flags...)
	server := exec.Command(*binary, args...)
	server.Env = append(os.Environ(), keyEnv+"="+secret)
	server.Stderr = os.Stderr
	in, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatalf("%v: `make build` makes it", err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := server.Wait(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		t.Fatal(fmt.Errorf("the server says nothing: %w", err))
	}
	var at struct{ URL string }
	if err := json.Unmarshal(line, &at); err != nil {
		t.Fatalf("the server says %s: %v", line, err)
	}
	return site{url: at.URL, key: secret, wire: &wire{}}
}

// faulty is the same server, and a client whose every request goes wrong.
func (s site) faulty(fault string) site {
	s.wire = &wire{fault: fault}
	return s
}

// faultyOnce is the same server, and a client whose first request goes wrong.
func (s site) faultyOnce(fault string) site {
	s.wire = &wire{fault: fault, once: true}
	return s
}
