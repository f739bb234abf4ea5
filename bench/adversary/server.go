//go:build linux

package main

// The embedded server, a process of its own that goes before every ordinary
// one: whatever disturbs the client, the server answers in time, and when a
// request is late the client was.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"

	"assay/bench/embedded"
)

type server struct{ *embedded.Server }

func (r *room) serve(ctx context.Context, t traffic, cpus []int) (*server, error) {
	e, err := embedded.Start(ctx, r.assay, t.preset, t.set, func(cmd *exec.Cmd) error {
		first, err := spawn(cmd, cpus, true)
		if err == nil && !first {
			r.note("the server could not be put before other processes: its own lateness counts against the client")
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return &server{e}, nil
}

// A written is one line of the server's account; times are CLOCK_MONOTONIC.
type written struct {
	RequestID string `json:"request_id"`
	Accepted  int64  `json:"accepted_ns"` // read to the end
	Arrived   int64  `json:"arrived_ns"`  // had arrived, by the kernel; 0: not told
	Events    []struct {
		Kind   string `json:"kind"`
		Before int64  `json:"before_ns"`
		After  int64  `json:"after_ns"`
	} `json:"events"`
}

// had is when the server's machine had the request.
func (w written) had() int64 {
	if w.Arrived == 0 {
		return w.Accepted
	}
	return min(w.Arrived, w.Accepted)
}

// truth is the server's account, by request.
func (s *server) truth(ctx context.Context) (map[string]written, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/assay/truth", nil)
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
