//go:build linux

package main

// The embedded server, a process of its own that goes before every ordinary
// one: whatever disturbs the client, the server answers in time, and when a
// request is late the client was.

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
)

type server struct {
	cmd   *exec.Cmd
	stdin io.Closer
	url   string
}

func (r *room) serve(ctx context.Context, t traffic, cpus []int) (*server, error) {
	args := []string{"simulate", "--listen", "127.0.0.1:0", "--preset", t.preset, "--json", "--die-with-parent"}
	for _, s := range t.set {
		args = append(args, "--set", s)
	}
	s := &server{cmd: exec.CommandContext(ctx, r.assay, args...)}
	stdin, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	s.stdin = stdin
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	first, err := spawn(s.cmd, cpus, true)
	if err != nil {
		return nil, err
	}
	if !first {
		r.note("the server could not be put before other processes: its own lateness counts against the client")
	}
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	var ready struct{ URL string }
	if err == nil {
		err = json.Unmarshal(line, &ready)
	}
	if err != nil {
		s.end()
		return nil, fmt.Errorf("start the server: %w", err)
	}
	s.url = ready.URL
	return s, nil
}

func (s *server) end() {
	s.stdin.Close()
	_ = s.cmd.Wait() // it was told to go
}

// A written is one line of the server's account; times are CLOCK_MONOTONIC.
type written struct {
	RequestID string `json:"request_id"`
	Accepted  int64  `json:"accepted_ns"`
	Events    []struct {
		Kind   string `json:"kind"`
		Before int64  `json:"before_ns"`
		After  int64  `json:"after_ns"`
	} `json:"events"`
}

// truth is the server's account, by request.
func (s *server) truth(ctx context.Context) (map[string]written, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/assay/truth", nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("ask for the truth: %w", err)
	}
	defer resp.Body.Close()
	if n := resp.Header.Get("X-Assay-Truth-Dropped"); n != "0" {
		return nil, fmt.Errorf("the server let the truth of %q requests go", n)
	}
	list, err := decodeAll[written](resp.Body)
	by := make(map[string]written, len(list))
	for _, w := range list {
		by[w.RequestID] = w
	}
	return by, err
}

// decodeAll reads JSON values to the end.
func decodeAll[T any](r io.Reader) ([]T, error) {
	var all []T
	for d := json.NewDecoder(r); ; {
		var one T
		switch err := d.Decode(&one); {
		case err == io.EOF:
			return all, nil
		case err != nil:
			return nil, err
		}
		all = append(all, one)
	}
}
