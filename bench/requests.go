//go:build linux

package main

// Short requests: how punctual they leave, what one costs against vegeta, and
// how long the first one takes from a standing start.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/internal/record"
)

// lag sends short streams at 2,000/s.
func (b *bench) lag(ctx context.Context) error {
	s, err := b.serve(ctx, "fixed", "ttft=10ms", "itl=5ms")
	if err != nil {
		return err
	}
	defer s.End()
	m, err := b.run(ctx, s, unseen, "--rate", "2000/s", "--duration", "10s", "--warmup", "2s", "--input-tokens", "100", "--output-tokens", "4")
	if err != nil {
		return err
	}
	l := m.result.Client.SendLag
	if l == nil || l.P50 == nil || l.P99 == nil {
		return errors.New("the run has no send lag")
	}
	b.table.below("send lag p99 at 2,000 requests/s", "%.3f ms", *l.P99, 1)
	b.table.say("send lag p50", "%.3f ms", *l.P50)
	return nil
}

const (
	shortRate = 4000
	shortSpan = 10 * time.Second
	// CPU is counted from begun on, for counted: the start is not part of it.
	begun   = 2 * time.Second
	counted = 7 * time.Second
)

// short sends requests of a hundred tokens and replies of one, not streamed.
func (b *bench) short(ctx context.Context) error {
	s, err := b.serve(ctx, "null", "output_tokens=1")
	if err != nil {
		return err
	}
	defer s.End()
	other, err := b.attack(ctx, s)
	if err != nil {
		return err
	}
	eight, err := b.readShort(ctx, s, 8)
	if err != nil {
		return err
	}
	one, err := b.readShort(ctx, s, 1)
	if err != nil {
		return err
	}
	t := &b.table
	t.say("CPU per short request at 4,000/s: vegeta", "%.1f µs", other)
	t.say("client, 8 workers", "%.1f µs", eight.worker)
	t.say("client, 1 worker", "%.1f µs", one.worker)
	t.say("coordinator of 8, beside", "%.1f µs", eight.coordinator)
	t.below("8 workers ÷ vegeta", "%.2f", eight.worker/other, 0.5)
	t.below("1 worker ÷ vegeta", "%.2f", one.worker/other, 0.5)
	return nil
}

// readShort is the client's CPU, in µs a request.
func (b *bench) readShort(ctx context.Context, s *server, workers int) (c cost, err error) {
	m, err := b.run(ctx, s, cpu, "--rate", strconv.Itoa(shortRate)+"/s", "--arrivals", "constant", "--duration", shortSpan.String(), "--warmup", "0s",
		"--set", "target.stream=false", "--input-tokens", "100", "--output-tokens", "1", "--slo", "latency p99 < 1s", "--processes", strconv.Itoa(workers))
	if err != nil {
		return c, err
	}
	from, to := nearest(m.samples, m.epoch+int64(begun)), nearest(m.samples, m.epoch+int64(begun+counted))
	n := 0
	err = m.each(func(r *record.Record) {
		if at := r.Sent + m.epoch; at >= from.at && at < to.at {
			n++
		}
	})
	per := func(ns int64) float64 { return float64(ns) / 1e3 / float64(n) }
	c.worker, c.coordinator = per(to.workers-from.workers), per(to.coordinator-from.coordinator)
	return c, err
}

// attack is vegeta's CPU a request, in µs.
func (b *bench) attack(ctx context.Context, s *server) (float64, error) {
	body, targets := filepath.Join(b.tmp, "body"), filepath.Join(b.tmp, "targets")
	text := `{"model":"sim","max_completion_tokens":1,"messages":[{"role":"user","content":"` + strings.TrimSpace(strings.Repeat("hello ", 100)) + `"}]}`
	err := errors.Join(
		os.WriteFile(body, []byte(text), 0o644),
		os.WriteFile(targets, []byte("POST "+s.URL+"/v1/chat/completions\nContent-Type: application/json\n"), 0o644))
	if err != nil {
		return 0, err
	}
	results := filepath.Join(b.tmp, "vegeta.bin")
	cmd := exec.CommandContext(ctx, b.vegeta, "attack", "-rate", strconv.Itoa(shortRate), "-duration", shortSpan.String(),
		"-targets", targets, "-body", body, "-output", results)
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	began := monotonic()
	w := startWatch(cmd.Process.Pid, s.PID(), cpu)
	err = cmd.Wait()
	samples := w.end()
	if err != nil {
		return 0, fmt.Errorf("vegeta: %w", err)
	}
	report, err := exec.CommandContext(ctx, b.vegeta, "report", results).Output()
	if err != nil {
		return 0, fmt.Errorf("vegeta: %w", err)
	}
	if !strings.Contains(string(report), "100.00%") {
		return 0, fmt.Errorf("vegeta's requests did not all succeed:\n%s", report)
	}
	from, to := nearest(samples, began+int64(begun)), nearest(samples, began+int64(begun+counted))
	return float64(to.coordinator-from.coordinator) / 1e3 / (float64(to.at-from.at) / 1e9 * shortRate), nil
}

// startup is the time from the start of the process to the first request's
// first byte, with 8 workers, as a user has it: the preflight included.
func (b *bench) startup(ctx context.Context) error {
	s, err := b.serve(ctx, "null", "output_tokens=1")
	if err != nil {
		return err
	}
	defer s.End()
	var all []float64
	for range 9 {
		m, err := b.run(ctx, s, unseen, "--rate", "100/s", "--arrivals", "constant", "--requests", "100", "--warmup", "0s",
			"--input-tokens", "100", "--output-tokens", "1", "--slo", "latency p99 < 1s")
		if err != nil {
			return err
		}
		first := int64(math.MaxInt64)
		if err := m.each(func(r *record.Record) {
			if r.Sent != record.None {
				first = min(first, r.Sent)
			}
		}); err != nil {
			return err
		}
		all = append(all, float64(first+m.epoch-m.began)/1e6)
	}
	slices.Sort(all)
	b.table.below("start of the process to the first request, 8 workers, median of 9", "%.0f ms", all[len(all)/2], 250)
	b.table.say("fastest and slowest", "%.0f and %.0f ms", all[0], all[len(all)-1])
	return nil
}
