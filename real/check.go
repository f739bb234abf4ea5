//go:build unix

package main

// One row: a request shown raw, streamed and whole, and a short load, whose
// records and totals are held against what the server says.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

const (
	limit   = 16 // tokens of a reply
	tries   = 5  // where the client was the limit, as beside other programs it may be
	invalid = 4  // the exit status that says so
	undue   = 3  // the exit status of an inconclusive run
)

// relaxed are the limits of a client that shares two cores with the server:
// what is proven here are its counts, not its times.
var relaxed = []string{"--processes", "1", "--no-grow", "--anyway", "--slo", "error_rate < 1%",
	"--set", "client.max_cpu=100%", "--set", "client.max_cpu_second=100%", "--set", "client.max_machine_cpu=100%",
	"--set", "client.max_send_lag=10s", "--set", "client.max_coalesced=100%", "--set", "client.min_delivered=50%"}

// proven is what a load showed.
type proven struct {
	requests, counted int // counted: tokens of output, or items
}

// proveRow carries out one row.
func (b *bench) proveRow(ctx context.Context, w row, r *running) (proven, error) {
	asked := append([]string{"--endpoint", w.endpoint, "--model", r.model, "--input-tokens", strconv.Itoa(w.input())}, w.flags...)
	switch w.exact {
	case "":
	case "server":
		asked = append(asked, "--tokenizer", "server")
	default:
		asked = append(asked, "--tokenizer", filepath.Join(r.dir, w.exact))
	}
	if w.items == 0 {
		asked = append(asked, "--output-tokens", strconv.Itoa(limit))
	}
	out, _, err := b.client(ctx, append([]string{"try", r.url}, asked...))
	if err != nil {
		return proven{}, fmt.Errorf("one request: %w", err)
	}
	if err := w.checkTry(string(out), w.items == 0); err != nil {
		return proven{}, fmt.Errorf("one request: %w", err)
	}
	if w.whole {
		whole := append([]string{"try", r.url, "--set", "target.stream=false", "--set", "slo=latency p99 < 30s"}, asked...)
		if out, _, err = b.client(ctx, whole); err != nil {
			return proven{}, fmt.Errorf("one request, not streamed: %w", err)
		}
		if err := w.checkTry(string(out), false); err != nil {
			return proven{}, fmt.Errorf("one request, not streamed: %w", err)
		}
	}
	for try := 1; ; try++ {
		found, err := b.load(ctx, w, r, asked, try)
		if !errors.Is(err, errBusy) || try == tries {
			return found, err
		}
		select { // what disturbs may pass
		case <-ctx.Done():
			return found, ctx.Err()
		case <-time.After(time.Duration(try) * 5 * time.Second):
		}
	}
}

var errBusy = errors.New("the client was the limit")

// load runs four seconds of traffic and checks what became of it.
func (b *bench) load(ctx context.Context, w row, r *running, asked []string, try int) (proven, error) {
	before, err := r.settled(ctx)
	if err != nil {
		return proven{}, err
	}
	dir, err := os.MkdirTemp(b.tmp, fmt.Sprintf("%s-%s-%d-", w.server, w.endpoint, try))
	if err != nil {
		return proven{}, err
	}
	dir = filepath.Join(dir, "run")
	args := append([]string{"run", "--url", r.url, "--rate", "5/s", "--duration", "4s", "--warmup", "0s", "--out", dir,
		"--json", "--quiet"}, relaxed...)
	text, status, err := b.client(ctx, append(args, asked...))
	switch {
	case status == invalid:
		return proven{}, fmt.Errorf("%w: %w", errBusy, err)
	case status != 0 && status != undue:
		return proven{}, fmt.Errorf("load: %w", err)
	}
	var done result
	if err := json.Unmarshal(text, &done); err != nil {
		return proven{}, fmt.Errorf("load: %w", err)
	}
	lines, _, err := b.client(ctx, []string{"records", dir})
	if err != nil {
		return proven{}, err
	}
	records, err := readRecords(lines)
	if err != nil {
		return proven{}, err
	}
	found, err := w.checkLoad(done, records)
	if err != nil {
		return found, err
	}
	after, err := r.settled(ctx)
	if err != nil {
		return found, err
	}
	return found, checkCounter(r.counts, after-before, want(r.counts.of, done, records))
}

// settled reads the counter until it stands still: a server may count a reply
// a moment after its last byte.
func (r *running) settled(ctx context.Context) (float64, error) {
	last, err := r.read(ctx)
	for range 20 {
		if err != nil || r.counts.name == "" {
			break
		}
		time.Sleep(200 * time.Millisecond)
		value, err := r.read(ctx)
		if err != nil || value == last {
			return value, err
		}
		last = value
	}
	return last, err
}

// client runs Assay. A status that is not 0 is an error with what it said.
func (b *bench) client(ctx context.Context, args []string) (out []byte, status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, b.assay, args...)
	cmd.Dir, cmd.Stderr = b.tmp, &said
	ownGroup(cmd)
	out, err = cmd.Output()
	if err == nil {
		return out, 0, nil
	}
	said.Write(reasons(out))
	return out, cmd.ProcessState.ExitCode(), fmt.Errorf("%w: %s", err, tail(said.Bytes()))
}

// reasons are those of the verdict of a result, if there is one.
func reasons(out []byte) []byte {
	var done result
	if json.Unmarshal(out, &done) != nil {
		return nil
	}
	var text []byte
	for _, reason := range done.Verdict.Reasons {
		text = append(text, reason.Text+"\n"...)
	}
	return text
}

var (
	textEvent = regexp.MustCompile(`(?m)^ +[0-9.]+ ms +text `)
	counted   = regexp.MustCompile(`(?m)^the server's usage: ([0-9]+) tokens in(?:, ([0-9]+) out)?$`)
	held      = regexp.MustCompile(`(?m)^([0-9]+) [a-z]+$`)
	stopped   = regexp.MustCompile(`(?m)^finish reason: \S`)
)

// checkTry looks at what `assay try` understood of one answer.
func (w row) checkTry(out string, streamed bool) error {
	events := len(textEvent.FindAllString(out, -1))
	said := counted.FindStringSubmatch(out)
	if w.items > 0 {
		return w.checkItems(held.FindStringSubmatch(out), said != nil)
	}
	switch {
	case streamed && events == 0:
		return fmt.Errorf("no event was understood as text")
	case streamed && w.usage == merges && events > w.tokens():
		return fmt.Errorf("%d events of text for %d tokens", events, w.tokens())
	case streamed && (w.usage == each || w.usage == silent) && events != w.tokens():
		return fmt.Errorf("%d events of text, not %d", events, w.tokens())
	case w.usage != silent && said == nil:
		return fmt.Errorf("no usage was understood")
	case (w.usage == each || w.usage == merges) && said[2] != strconv.Itoa(w.tokens()):
		return fmt.Errorf("the usage is understood as %s tokens, not %d", said[2], w.tokens())
	case !w.noStop && !stopped.MatchString(out):
		return fmt.Errorf("no reason of the end was understood")
	}
	return nil
}

// checkItems looks at an answer that is no text.
func (w row) checkItems(said []string, usage bool) error {
	switch {
	case said == nil:
		return fmt.Errorf("nothing was understood")
	case said[1] != strconv.Itoa(w.items):
		return fmt.Errorf("%s were understood, not %d", said[0], w.items)
	case w.usage != silent && !usage:
		return fmt.Errorf("no usage was understood")
	}
	return nil
}

// input is how many tokens a prompt has: a template must fit into an exact one.
func (w row) input() int {
	if w.exact != "" {
		return 120
	}
	return 20
}

// tokens is how many a reply has.
func (w row) tokens() int {
	if w.ends > 0 {
		return w.ends
	}
	return limit
}
