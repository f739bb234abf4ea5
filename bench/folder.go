//go:build linux

package main

// A run's folder as large as asked, written without a run: what `judge` costs
// does not depend on who measured.

import (
	"bufio"
	"errors"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"assay/internal/arrival"
	"assay/internal/columnar"
	"assay/internal/contract"
	"assay/internal/observation"
	"assay/internal/record"
	"assay/internal/rundir"
)

const (
	folderRate    = 2000 // requests a second
	folderWorkers = 8
	second        = int64(1e9)
)

// writeFolder writes a run of so many requests, each with so many events.
func writeFolder(dir string, requests, events int) error {
	c := contract.New()
	var err error
	for _, s := range [][2]string{
		{"target.url", "http://127.0.0.1:8000"}, {"target.model", "sim"}, {"traffic.rate", strconv.Itoa(folderRate) + "/s"},
		{"traffic.requests", strconv.Itoa(requests)}, {"traffic.warmup", "0s"}, {"workload.output_tokens", strconv.Itoa(events)},
		{"workload.salt", "bench"},
	} {
		err = errors.Join(err, c.Set(s[0], s[1]))
	}
	if err := errors.Join(err, c.Resolve()); err != nil {
		return err
	}
	canonical, err := c.Canonical()
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	last := int64(requests) * second / folderRate
	return errors.Join(
		rundir.WriteFile(dir, rundir.ContractFile, canonical),
		writeObservations(filepath.Join(dir, rundir.ObservationsFile), last+60*second, requests),
		writeRecords(filepath.Join(dir, rundir.RecordsFile), c, events))
}

func writeRecords(path string, c *contract.Contract, events int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(columnar.Write(f, madeUp(c, events)), f.Close())
}

// madeUp yields records of replies with lognormal gaps around 20 ms, so that
// the columns compress as those of a real run do.
func madeUp(c *contract.Contract, events int) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		s := &c.Streams[0]
		random := rand.New(rand.NewPCG(1, 2))
		body := rand.NewChaCha8([32]byte{1})
		for due := range arrival.Schedule(s.Arrival(), c.Seed, s.Name, 0, 0, s.Traffic.Requests) {
			r := record.New(s.Name, due.Seq)
			r.Worker, r.Phase, r.Release = int(due.Seq%folderWorkers), record.Measured, record.AtDue
			r.URL, r.Endpoint, r.Streamed = "http://127.0.0.1:8000/v1/chat/completions", "chat", true
			r.Due, r.Free = due.At, due.At
			r.Released = due.At + 20_000 + random.Int64N(100_000)
			r.Ready, r.Sent, r.Written = r.Released+1000, r.Released+2000, r.Released+9000
			r.Reused, r.Clock, r.Status, r.HTTPStatus = true, record.Kernel, record.OK, 200
			r.WantInput, r.WantOutput, r.Input, r.Output = 550, events, 550, events
			r.InputSource, r.TokenSource = record.FromUsage, record.FromUsage
			r.FinishReason, r.RequestID = "length", "bench-main-"+strconv.FormatUint(due.Seq, 10)
			_, _ = body.Read(r.BodySHA256[:]) // never fails
			at := r.Sent + 80_000_000 + random.Int64N(40_000_000)
			r.TTFB = at - r.Sent
			r.Marks = append(r.Marks, record.Mark{Kind: record.Role, T: at})
			for range events {
				at += int64(20e6 * (1 + 0.2*random.NormFloat64()*random.Float64()))
				r.Events = append(r.Events, record.NewEvent(at, at+20_000+random.Int64N(50_000), record.Text, 1, true))
			}
			r.First, r.FirstOutput, r.Last, r.Ended = r.Events[0].Arrived, r.Events[0].Arrived, at, at+100_000
			r.Marks = append(r.Marks, record.Mark{Kind: record.Usage, T: r.Ended}, record.Mark{Kind: record.End, T: r.Ended})
			if !yield(&r, nil) {
				return
			}
		}
	}
}

// writeObservations writes what eight workers and the machine say each second.
func writeObservations(path string, end int64, requests int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	say := func(t int64, worker int, o observation.Observation) {
		o.T = t
		if worker >= -1 {
			o.Worker = &worker
		}
		line, encodeErr := observation.Encode(&o)
		err = errors.Join(err, encodeErr)
		_, writeErr := w.Write(append(line, '\n'))
		err = errors.Join(err, writeErr)
	}
	const run = -2 // no worker
	say(0, run, observation.Observation{Kind: observation.KindEpoch, Epoch: &observation.Epoch{
		Wall: "2026-01-01T00:00:00Z", Monotonic: 1, Processes: folderWorkers, Active: folderWorkers, MaxProcs: 1, Cores: 8, OS: "linux", Arch: "amd64", Version: "bench"}})
	say(0, run, observation.Observation{Kind: observation.KindPhases, Phases: &observation.Phases{WindowEnd: -1, DrainEnd: end}})
	for t := second; t < end; t += second {
		say(t, run, observation.Observation{Kind: observation.KindMachine, Machine: &observation.Machine{Interval: second, Cores: 8, Busy: 2 * second}})
		for i := -1; i < folderWorkers; i++ {
			say(t, i, observation.Observation{Kind: observation.KindProcess, Process: &observation.Process{PID: 10 + i, Interval: second, CPU: second / 5, Wait: second / 100, MaxProcs: 1, RSS: 30 << 20, FDs: 300}})
		}
	}
	for i := range folderWorkers {
		n := int64(requests / folderWorkers)
		say(end, i, observation.Observation{Kind: observation.KindProgress, Progress: &observation.Progress{Due: n, Released: n, Done: n, Final: true}})
	}
	return errors.Join(err, w.Flush(), f.Close())
}
