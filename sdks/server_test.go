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
	faults []string // of the first requests, in their order; the last is of all that follow too unless once
	once   bool
	sent   atomic.Int64
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	n := int(w.sent.Add(1)) - 1
	if n >= len(w.faults) && !w.once {
		n = len(w.faults) - 1
	}
	if n >= 0 && n < len(w.faults) && w.faults[n] != "" {
		r = r.Clone(r.Context())
		r.Header.Set("X-Assay-Fault", w.faults[n])
	}
	return http.DefaultTransport.RoundTrip(r)
}

func (s site) client() *http.Client { return &http.Client{Transport: s.wire} }

// serve starts a server, which ends with this test.
func serve(t *testing.T, flags ...string) site {
	t.Helper()
	args := append([]string{"simulate", "--listen", "127.0.0.1:0", "--json", "--die-with-parent", "--models", model, "--api-key-env", keyEnv}, flags...)
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
	s.wire = &wire{faults: []string{fault}}
	return s
}

// faultyOnce is the same server, and a client whose first request goes wrong.
func (s site) faultyOnce(fault string) site {
	s.wire = &wire{faults: []string{fault}, once: true}
	return s
}
