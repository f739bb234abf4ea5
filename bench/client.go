//go:build linux

package main

// Runs of the client and of the embedded server, each a process as a user
// would start it.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"strconv"

	"assay/bench/embedded"
	"assay/internal/observation"
	"assay/internal/record"
	"assay/internal/result"
	"assay/internal/rundir"
)

// A server is a running embedded server, and the port that the floor program wants.
type server struct {
	*embedded.Server
	port int
}

// serve starts the embedded server on a free port.
func (b *bench) serve(ctx context.Context, preset string, set ...string) (*server, error) {
	e, err := embedded.Start(ctx, b.assay, preset, set, (*exec.Cmd).Start)
	if err != nil {
		return nil, err
	}
	s := &server{Server: e}
	u, err := url.Parse(e.URL)
	if err == nil {
		s.port, err = strconv.Atoi(u.Port())
	}
	if err != nil {
		s.End()
		return nil, fmt.Errorf("start the server: %w", err)
	}
	return s, nil
}

// A measured is one run of the client: what it wrote, and what it spent.
type measured struct {
	epoch   int64 // CLOCK_MONOTONIC
	began   int64 // the process was started, CLOCK_MONOTONIC
	samples []sample
	result  *result.Result
	dir     string
}

// run runs the client to its end. Any verdict will do: what is measured here
// is what it cost.
func (b *bench) run(ctx context.Context, s *server, l look, args ...string) (*measured, error) {
	m := &measured{dir: filepath.Join(b.tmp, "run-"+strconv.FormatInt(monotonic(), 10))}
	args = append([]string{"run", "--url", s.URL, "--out", m.dir, "--anyway", "--no-grow", "--quiet", "--json"}, args...)
	cmd := exec.CommandContext(ctx, b.assay, args...)
	var out, words bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &words
	m.began = monotonic()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	w := startWatch(cmd.Process.Pid, s.PID(), l)
	err := cmd.Wait()
	m.samples = w.end()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	if m.result, err = result.Decode(out.Bytes()); err != nil {
		return nil, fmt.Errorf("the client said %q: %w", words.String(), err)
	}
	if m.result.Requests.OK == 0 {
		return nil, fmt.Errorf("no request succeeded: %v %s", m.result.Errors, words.String())
	}
	m.epoch, err = epochOf(m.dir)
	return m, err
}

func epochOf(dir string) (int64, error) {
	r, err := rundir.Open(dir)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	all, err := r.Observations()
	if err != nil {
		return 0, err
	}
	for _, o := range all {
		if o.Kind == observation.KindEpoch {
			return o.Epoch.Monotonic, nil
		}
	}
	return 0, errors.New("the run has no epoch")
}

// each calls do with every record of the run.
func (m *measured) each(do func(*record.Record)) error {
	r, err := rundir.Open(m.dir)
	if err != nil {
		return err
	}
	defer r.Close()
	for rec, err := range r.Records()() {
		if err != nil {
			return err
		}
		do(rec)
	}
	return nil
}

// events counts content events that arrived between two instants of
// CLOCK_MONOTONIC.
func (m *measured) events(from, to int64) (n int64, err error) {
	err = m.each(func(r *record.Record) {
		for _, e := range r.Events {
			if at := e.Arrived + m.epoch; at >= from && at < to {
				n++
			}
		}
	})
	return n, err
}
