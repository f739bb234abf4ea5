//go:build linux

package main

// One run: what was planned, what the server saw, and how far apart they are.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A planned request is a line of `assay plan --json`.
type planned struct {
	Seq    int64 `json:"seq"`
	Due    int64 `json:"due_ns"`
	Input  int   `json:"input_tokens"`
	Output int   `json:"output_tokens"`
}

// An arrived request is a line of the server's log.
type arrived struct {
	ID    string `json:"id"`
	At    int64  `json:"at_ns"`
	Words int    `json:"words"`
	Limit int    `json:"limit"`
}

// A comparison is the outcome of one run.
type comparison struct {
	planned                      int
	missing, strange, other      int       // not seen; not planned or seen twice; of another size
	late                         []float64 // ms after the due instant, sorted
	exit                         int
	p50, p99, latest, earliestMS float64
}

// compare runs one contract against a server of its own.
func (b *bench) compare(ctx context.Context, args []string, processes int) (*comparison, error) {
	out, err := exec.CommandContext(ctx, b.assay, append([]string{"plan", "--json"}, args...)...).Output()
	if err != nil {
		return nil, told("plan", err)
	}
	plan, err := lines[planned](out)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(b.tmp, "run")
	defer os.RemoveAll(dir)
	exit, log, err := b.send(ctx, args, processes, dir)
	if err != nil {
		return nil, err
	}
	epoch, err := epochOf(dir)
	if err != nil {
		return nil, err
	}
	c := hold(plan, log, epoch)
	c.exit = exit
	return c, nil
}

// send starts the server, has the contract run, and returns the server's log.
func (b *bench) send(ctx context.Context, args []string, processes int, dir string) (exit int, log []arrived, err error) {
	server := exec.CommandContext(ctx, b.logger)
	server.Stderr = os.Stderr
	stdin, err := server.StdinPipe()
	if err != nil {
		return 0, nil, err
	}
	stdout, err := server.StdoutPipe()
	if err != nil {
		return 0, nil, err
	}
	if err := server.Start(); err != nil {
		return 0, nil, err
	}
	defer func() { err = errors.Join(err, server.Wait()) }()
	defer stdin.Close()
	said := bufio.NewReader(stdout)
	url, err := said.ReadString('\n')
	if err != nil {
		return 0, nil, fmt.Errorf("start the server: %w", err)
	}
	run := exec.CommandContext(ctx, b.assay, append([]string{"run", "--quiet", "--no-preflight", "--no-grow", "--anyway", "--out", dir,
		"--url", strings.TrimSpace(url), "--processes", strconv.Itoa(processes)}, args...)...)
	var words bytes.Buffer
	run.Stderr = &words
	runErr := run.Run()
	exit = run.ProcessState.ExitCode()
	// A verdict of any sort will do: objectives are not what is looked at.
	if exit != 0 && exit != 1 && exit != 3 && exit != 4 {
		return exit, nil, fmt.Errorf("run: %w\n%s", runErr, words.String())
	}
	if err := stdin.Close(); err != nil {
		return exit, nil, err
	}
	text, err := io.ReadAll(said)
	if err != nil {
		return exit, nil, err
	}
	log, err = lines[arrived](text)
	return exit, log, err
}

// hold compares both, request by request.
func hold(plan []planned, log []arrived, epoch int64) *comparison {
	c := &comparison{planned: len(plan)}
	at := map[int64]planned{}
	for _, p := range plan {
		at[p.Seq] = p
	}
	for _, a := range log {
		seq, err := strconv.ParseInt(a.ID[strings.LastIndex(a.ID, "-")+1:], 10, 64)
		p, ok := at[seq]
		if err != nil || !ok {
			c.strange++
			continue
		}
		delete(at, seq)
		if a.Words != p.Input || a.Limit != p.Output {
			c.other++
		}
		c.late = append(c.late, float64(a.At-epoch-p.Due)/1e6)
	}
	c.missing = len(at)
	slices.Sort(c.late)
	if n := len(c.late); n > 0 {
		rank := func(percent int) float64 { return c.late[max(0, (n*percent+99)/100-1)] }
		c.p50, c.p99, c.latest, c.earliestMS = rank(50), rank(99), c.late[n-1], c.late[0]
	}
	return c
}

// complaints are what is wrong, none if all is well.
func (c *comparison) complaints() (all []string) {
	for _, one := range []struct {
		n    int
		what string
	}{{c.missing, "not seen"}, {c.strange, "not planned"}, {c.other, "of another size"}} {
		if one.n > 0 {
			all = append(all, fmt.Sprintf("%d %s", one.n, one.what))
		}
	}
	if len(c.late) == 0 {
		return append(all, "nothing came")
	}
	if c.earliestMS < 0 {
		all = append(all, "before its time")
	}
	if c.p99 > limit {
		all = append(all, "late")
	}
	return all
}

// row is Markdown, so that it can be copied into the documentation.
func (c *comparison) row(shape string, processes int) string {
	verdict := strings.Join(c.complaints(), ", ")
	if verdict == "" {
		verdict = "as planned"
	} else {
		verdict = "**" + verdict + "**"
	}
	if c.exit == 4 && processes >= 8 {
		verdict += " (the client refused the run)"
	}
	return fmt.Sprintf("| %s | %d | %d | %.3f ms | %.3f ms | %.3f ms | %.3f ms | %s |",
		shape, processes, c.planned, c.p50, c.p99, c.latest, c.earliestMS, verdict)
}

// epochOf is the instant that the run's times are counted from.
func epochOf(dir string) (int64, error) {
	text, err := os.ReadFile(filepath.Join(dir, "observations.jsonl"))
	if err != nil {
		return 0, err
	}
	type observation struct {
		Epoch *struct{ Monotonic int64 }
	}
	all, err := lines[observation](text)
	if err != nil {
		return 0, err
	}
	for _, o := range all {
		if o.Epoch != nil {
			return o.Epoch.Monotonic, nil
		}
	}
	return 0, errors.New("the run has no epoch")
}

func lines[T any](text []byte) (all []T, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	for {
		var one T
		if err := d.Decode(&one); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
}

// told adds what a program said to its error.
func told(what string, err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("%s: %w\n%s", what, err, exit.Stderr)
	}
	return fmt.Errorf("%s: %w", what, err)
}
