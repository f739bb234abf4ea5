//go:build linux

package main

// A thousand streams of fifty events a second: CPU an event against the floor
// program and against the server, memory a stream; and ten thousand streams
// that are open at once.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"assay/internal/record"
)

const (
	streams = 1000
	// All streams are open from opened on, and the account is of what follows,
	// until before the first of them ends.
	opened  = 5500 * time.Millisecond
	account = 7 * time.Second
	tokens  = 700 // at 50/s: 14 s

	// eventBytes is what the target allows for each event that is held.
	eventBytes = 20
)

// streams measures the floor program and the client, each in one process and in
// eight: what eight processes cost that share no wake-ups is told apart from
// what the client costs.
func (b *bench) streams(ctx context.Context) error {
	s, err := b.serve(ctx, "fixed", "ttft=50ms", "itl=20ms")
	if err != nil {
		return err
	}
	defer s.End()
	floors, workers := map[int]floorAccount{}, map[int]cost{}
	for _, n := range []int{1, 8} {
		if floors[n], err = b.readFloor(ctx, s, n); err != nil {
			return err
		}
		if workers[n], err = b.readStreams(ctx, s, n); err != nil {
			return err
		}
	}
	t, one, eight := &b.table, floors[1], floors[8]
	t.say("CPU per event, 1,000 streams × 50/s: floor program, 1 process", "%.2f µs (%.1f events a wake-up)", one.each(), one.batch())
	t.say("floor program, 8 processes", "%.2f µs (%.1f events a wake-up)", eight.each(), eight.batch())
	t.say("client, 1 worker", "%.2f µs", workers[1].worker)
	t.say("client, 8 workers", "%.2f µs", workers[8].worker)
	t.say("coordinator of 8, beside", "%.2f µs", workers[8].coordinator)
	t.say("embedded server, to 8 workers", "%.2f µs", workers[8].server)
	t.below("client in 1 process ÷ floor in 1", "%.2f", workers[1].worker/one.each(), 1.5)
	t.below("client in 8 processes ÷ floor in 8", "%.2f", workers[8].worker/eight.each(), 1.5)
	t.below("client in 8 processes ÷ floor in 1", "%.2f", workers[8].worker/one.each(), 1.5)
	t.below("embedded server ÷ client in 8 processes", "%.2f", workers[8].server/workers[8].worker, 1)
	t.below("memory per open stream, less 20 bytes an event", "%.1f KiB", workers[8].memory, 48)
	t.say("the same, with what 8 workers take that have no stream", "%.1f KiB", workers[8].whole)
	return nil
}

// A cost is what the client and the server spend, in µs an event, and the
// workers' memory in KiB a stream.
type cost struct{ worker, coordinator, server, memory, whole float64 }

// readStreams has the client read the streams.
func (b *bench) readStreams(ctx context.Context, s *server, workers int) (c cost, err error) {
	m, err := b.run(ctx, s, weighed, "--no-preflight", "--rate", "200/s", "--requests", strconv.Itoa(streams), "--warmup", "0s",
		"--input-tokens", "100", "--output-tokens", strconv.Itoa(tokens), "--processes", strconv.Itoa(workers))
	if err != nil {
		return c, err
	}
	from, to := nearest(m.samples, m.epoch+int64(opened)), nearest(m.samples, m.epoch+int64(opened+account))
	n, err := m.events(from.at, to.at)
	if err != nil {
		return c, err
	}
	per := func(ns int64) float64 { return float64(ns) / 1e3 / float64(n) }
	c.worker, c.coordinator, c.server = per(to.workers-from.workers), per(to.coordinator-from.coordinator), per(to.server-from.server)
	base := nearest(m.samples, m.epoch)
	held, err := m.events(m.epoch, from.weighed)
	if err != nil {
		return c, err
	}
	c.memory = float64(from.memory-base.memory-held*eventBytes) / streams / 1024
	c.whole = float64(from.memory-held*eventBytes) / streams / 1024
	return c, nil
}

// A floorAccount is what the floor program prints.
type floorAccount struct {
	Events int   `json:"events"`
	CPU    int64 `json:"cpu_ns"`
	Wakes  int   `json:"wakes"`
}

func (f floorAccount) each() float64  { return float64(f.CPU) / 1e3 / float64(f.Events) }
func (f floorAccount) batch() float64 { return float64(f.Events) / float64(f.Wakes) }

// readFloor has so many floor programs read the streams.
func (b *bench) readFloor(ctx context.Context, s *server, processes int) (floorAccount, error) {
	var sum floorAccount
	file := filepath.Join(b.tmp, "request")
	if err := os.WriteFile(file, request("/v1/chat/completions", s.port, streamedBody), 0o644); err != nil {
		return sum, err
	}
	got, errs := make([]floorAccount, processes), make([]error, processes)
	var running sync.WaitGroup
	for i := range processes {
		running.Go(func() {
			cmd := exec.CommandContext(ctx, b.floor, "-port", strconv.Itoa(s.port), "-request", file, "-streams", strconv.Itoa(streams/processes),
				"-seed", strconv.Itoa(i), "-over", "5s", "-from", opened.String(), "-span", account.String())
			var words bytes.Buffer
			cmd.Stderr = &words
			out, err := cmd.Output()
			if err == nil {
				err = json.Unmarshal(out, &got[i])
			}
			if err != nil {
				errs[i] = fmt.Errorf("floor: %w %s", err, words.String())
			}
		})
	}
	running.Wait()
	for _, g := range got {
		sum.Events, sum.CPU, sum.Wakes = sum.Events+g.Events, sum.CPU+g.CPU, sum.Wakes+g.Wakes
	}
	return sum, errors.Join(errs...)
}

var streamedBody = `{"model":"sim","stream":true,"stream_options":{"include_usage":true},"max_completion_tokens":` + strconv.Itoa(tokens) +
	`,"messages":[{"role":"user","content":"` + strings.TrimSpace(strings.Repeat("hello ", 100)) + `"}]}`

// request is one POST as it goes over the wire.
func request(path string, port int, body string) []byte {
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		path, port, len(body), body)
}

// open holds ten thousand streams open at once.
func (b *bench) open(ctx context.Context) error {
	const many = 10_000
	s, err := b.serve(ctx, "fixed", "ttft=500ms", "itl=1s")
	if err != nil {
		return err
	}
	defer s.End()
	m, err := b.run(ctx, s, weighed, "--no-preflight", "--rate", "1000/s", "--arrivals", "constant", "--requests", strconv.Itoa(many), "--warmup", "0s",
		"--input-tokens", "100", "--output-tokens", "16")
	if err != nil {
		return err
	}
	at := nearest(m.samples, m.epoch+int64(12*time.Second))
	held, most := int64(0), 0
	failed := m.result.Requests.Due - m.result.Requests.OK
	err = m.each(func(r *record.Record) {
		if r.Sent+m.epoch <= at.weighed && r.Ended+m.epoch > at.weighed {
			most++
		}
		for _, e := range r.Events {
			if e.Arrived+m.epoch <= at.weighed {
				held++
			}
		}
	})
	if err != nil {
		return err
	}
	base := nearest(m.samples, m.epoch)
	b.table.below("10,000 streams: requests that did not succeed", "%.0f", float64(failed), 0)
	b.table.say("streams open at the same time", "%d", most)
	b.table.below("memory per open stream of 10,000, less 20 bytes an event", "%.1f KiB",
		float64(at.memory-base.memory-held*eventBytes)/float64(most)/1024, 48)
	var whole int64
	for _, s := range m.samples {
		whole = max(whole, s.memory+s.coordinatorMemory)
	}
	b.table.below("memory of the whole client at the most: 8 workers and the coordinator", "%.0f MiB", float64(whole)/(1<<20), 1024)
	return nil
}
