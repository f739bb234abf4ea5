//go:build linux

package main

// One trial: a server, a run of the client, what disturbs it, and the ruling
// of the oracle.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// An adversity is one way to disturb a run; draw takes its strength and the
// traffic from a seeded generator.
type adversity struct {
	kind string
	draw func(*rand.Rand, *room) (plan, error)
}

// A plan is one trial before it is carried out.
type plan struct {
	traffic  traffic
	strength string
	dir      string        // of the run; "" for a folder like any other
	shell    string        // said by the shell that becomes the client
	cpus     []int         // of the client; nil: all
	serverOn []int         // of the server
	beside   func(s scene) // what disturbs, from when the client has started until done
	after    func()        // gives back what draw took
}

// A scene is what a disturbance sees of its run.
type scene struct {
	done        <-chan struct{}
	coordinator int
	processes   int
	fail        func(error)
}

// patience is how long a run of a few seconds may take under any adversity.
const patience = 60 * time.Second

// A trial is what came of one run.
type trial struct {
	Kind     string   `json:"kind"`
	Seed     uint64   `json:"seed"`
	Strength string   `json:"strength"`
	Traffic  string   `json:"traffic"`
	Exit     int      `json:"exit"`
	Verdict  string   `json:"verdict,omitempty"`
	Refused  []string `json:"refused_by,omitempty"` // receipts, or what else ended it
	Checks   []check  `json:"checks,omitempty"`     // of a run that was not refused, and of others where they can be made
	Others   float64  `json:"others"`               // highest share of the machine that others took in a second
	Why      string   `json:"why,omitempty"`        // it was impossible, or what was said
}

// Impossible trials were never begun.
func (t trial) impossible() bool { return t.Exit < 0 && len(t.Refused) == 0 }

// wrong tells whether the run ruled though its numbers are not the server's.
func (t trial) wrong() bool {
	return !t.impossible() && len(t.Refused) == 0 && len(failed(t.Checks)) > 0
}

// try carries out one trial.
func (r *room) try(ctx context.Context, a adversity, seed uint64) (trial, error) {
	one := trial{Kind: a.kind, Seed: seed, Exit: -1}
	if err := ctx.Err(); err != nil {
		return one, err
	}
	p, err := a.draw(rand.New(rand.NewPCG(seed, 0)), r)
	if errors.Is(err, errImpossible) {
		one.Why = err.Error()
		return one, nil
	}
	if err != nil {
		return one, err
	}
	if p.after != nil {
		defer p.after()
	}
	one.Strength, one.Traffic = p.strength, p.traffic.String()
	s, err := r.serve(ctx, p.traffic, p.serverOn)
	if err != nil {
		return one, err
	}
	defer s.End()
	if p.dir == "" {
		p.dir = filepath.Join(r.tmp, "run")
	}
	defer os.RemoveAll(p.dir)
	output, others, err := r.run(ctx, s, p, &one)
	if err != nil {
		return one, fmt.Errorf("%s, seed %d: %w", a.kind, seed, err)
	}
	one.Others = others
	return one, r.rule(ctx, s, p, output, &one)
}

// run runs the client beside the adversity, to its end.
func (r *room) run(ctx context.Context, s *server, p plan, one *trial) (output string, others float64, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	args := append([]string{"-c", p.shell + "\nexec \"$@\"", "sh", r.assay, "run", "--url", s.URL, "--out", p.dir,
		"--anyway", "--no-grow", "--quiet"}, p.traffic.args()...)
	cmd := exec.CommandContext(ctx, "sh", args...)
	var words bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.Discard, &words
	cmd.WaitDelay = 5 * time.Second // workers that hold its output open
	if _, err := spawn(cmd, p.cpus, false); err != nil {
		return "", 0, err
	}
	done, idle := make(chan struct{}), make(chan struct{})
	var trouble error
	go func() {
		defer close(idle)
		if p.beside != nil {
			p.beside(scene{done, cmd.Process.Pid, p.traffic.processes, func(err error) { trouble = errors.Join(trouble, err) }})
		}
	}()
	watched := watchOthers(cmd.Process.Pid, s.PID())
	err = cmd.Wait()
	others = watched()
	close(done)
	<-idle
	var exit *exec.ExitError
	switch {
	case trouble != nil:
		return "", others, trouble
	case ctx.Err() != nil:
		one.Refused = []string{"no end in " + patience.String()}
	case err != nil && !errors.As(err, &exit):
		return "", others, err
	}
	one.Exit = cmd.ProcessState.ExitCode()
	return strings.TrimSpace(words.String()), others, nil
}

// rule says what the exit status means, and asks the oracle about a run that
// was not refused.
func (r *room) rule(ctx context.Context, s *server, p plan, output string, one *trial) error {
	one.Why = output
	if len(one.Refused) > 0 {
		return nil
	}
	switch one.Exit {
	case 0, 1, 3, 4, 5:
	case -1:
		one.Refused = []string{"killed"} // by the kernel, for memory
		return nil
	default:
		return fmt.Errorf("%s, seed %d: the client exited with %d: %s", one.Kind, one.Seed, one.Exit, output)
	}
	said, err := readResult(p.dir)
	if one.Exit == 5 && err != nil {
		one.Refused = []string{"not carried out"}
		return nil
	}
	if err != nil {
		return err
	}
	one.Verdict = said.Verdict.Status
	if one.Exit == 4 || one.Exit == 5 {
		for _, x := range said.Verdict.Reasons {
			one.Refused = append(one.Refused, x.Code)
		}
	}
	records, err := r.records(ctx, p.dir)
	if err != nil {
		return err
	}
	truth, err := s.truth(ctx)
	if err != nil {
		return err
	}
	one.Checks = hold(said, records, truth, sendLimit)
	return nil
}

// records asks the client for what it recorded.
func (r *room) records(ctx context.Context, dir string) ([]recorded, error) {
	out, err := exec.CommandContext(ctx, r.assay, "records", dir).Output()
	if err != nil {
		return nil, fmt.Errorf("assay records: %w", err)
	}
	return decodeAll[recorded](bytes.NewReader(out))
}

func itoa(n int) string { return strconv.Itoa(n) }
