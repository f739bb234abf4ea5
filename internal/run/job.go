package run

// The worker's half of the conversation is told everything by one Job; what
// both sides make of it is made by the same code, here.

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"

	"assay/internal/arrival"
	"assay/internal/contract"
	"assay/internal/dispatch"
	"assay/internal/host"
	"assay/internal/wire"
	"assay/internal/workload"
)

// A Job is what one worker has to do.
type Job struct {
	Contract string              `json:"contract"` // canonical, resolved, with salts and models
	Worker   int                 `json:"worker"`
	Workers  int                 `json:"workers"`
	URLs     map[string][]string `json:"urls"`            // stream → full endpoint addresses
	Template map[string]int      `json:"template_tokens"` // stream → what its server adds to each prompt, where the preflight saw it
	RunID    string              `json:"run_id"`
	Unpacked map[string]Unpacked `json:"unpacked,omitempty"` // files of requests

	Counts map[string]*workload.Counts `json:"counts,omitempty"` // stream → what its server's tokenizer said
}

// Control is a frame between coordinator and worker that is neither a record
// nor an observation.
type Control struct {
	Do    string `json:"do"`              // job, ready, start, stop, failed
	Job   *Job   `json:"job,omitempty"`   // with job
	Epoch int64  `json:"epoch,omitempty"` // with start: monotonic ns of the machine
	Error string `json:"error,omitempty"` // with failed
	Code  int    `json:"code,omitempty"`  // with failed: the exit status it deserves
}

// Encode is the frame's payload.
func (c Control) Encode() []byte {
	b, err := json.Marshal(c)
	if err != nil {
		panic("internal error: control frame: " + err.Error()) // strings and numbers only
	}
	return b
}

// A Crew is one worker's streams, ready to be dispatched.
type Crew struct {
	Streams []dispatch.Stream
	Secrets []string
	Drain   int64 // ns
}

// Assemble makes the streams of a job. Connections are stamped by now and, on
// Linux, by the kernel through fromWall.
func Assemble(job Job, now wire.Clock, fromWall func(int64) int64, kernel bool) (*Crew, error) {
	c, err := contract.Reload("contract.yaml", []byte(job.Contract))
	if err != nil {
		return nil, err
	}
	if err := c.Resolve(); err != nil {
		return nil, err
	}
	files := Files{Unpacked: job.Unpacked}
	if err := readFiles(c, files, os.Getenv); err != nil {
		return nil, err
	}
	crew := &Crew{}
	for i := range c.Streams {
		s := &c.Streams[i]
		s.Learn(job.Counts[s.Name])
		l, err := newLine(s, c.Seed, job.URLs[s.Name], job.RunID, files, os.Getenv)
		if err != nil {
			return nil, err
		}
		if tokens, ok := job.Template[s.Name]; ok {
			l = l.over(l.source.Around(tokens))
		}
		targets, err := l.targets(now, &wire.Dialer{Now: now, FromWall: fromWall, Kernel: kernel})
		if err != nil {
			return nil, err
		}
		d := l.dispatchStream(targets)
		timing(&d, s, c.Seed)
		crew.Streams = append(crew.Streams, d)
		crew.Secrets = append(crew.Secrets, l.access.secrets...)
		crew.Drain = max(crew.Drain, int64(s.Traffic.Drain))
	}
	return crew, nil
}

// timing says when: the schedule of an open loop, the slots of a closed one.
func timing(d *dispatch.Stream, s *contract.Stream, seed uint64) {
	warmup := int64(*s.Traffic.Warmup)
	d.WindowStart = warmup
	d.Concurrency, d.Requests = s.Traffic.Slots(), s.Traffic.Requests
	d.Pace, d.Cancel = paceOf(s, seed), cancelOf(s, seed)
	d.Ceiling = dispatch.Ceiling{InFlight: s.Traffic.MaxInFlight, Prefill: s.Traffic.MaxPrefill}
	if s.Traffic.Requests == 0 {
		d.WindowEnd = warmup + int64(s.Traffic.Duration)
	}
	if s.OpenLoop() {
		d.Schedule = arrival.Schedule(s.Arrival(), seed, s.Name, warmup, int64(s.Traffic.Duration), s.Traffic.Requests)
	}
}

// Warm opens this worker's share of connections ahead of the start: its slots,
// or as many as arrive in half a second. A server that takes no connections is
// measured as such, so no error is one here.
func (c *Crew) Warm(ctx context.Context, worker, workers int) {
	c.pools(worker, workers, func(p wire.Pool, n int) { _ = p.Warm(ctx, n) })
}

// Keep replaces connections that are in use by unused ones until ctx ends, so
// that requests rarely wait for one.
func (c *Crew) Keep(ctx context.Context, worker, workers int) {
	var keepers sync.WaitGroup
	c.pools(worker, workers, func(p wire.Pool, n int) {
		keepers.Go(func() { p.Keep(ctx, (n+3)/4) })
	})
	keepers.Wait()
}

// pools calls do for each pool with the connections that it may need at once.
func (c *Crew) pools(worker, workers int, do func(p wire.Pool, n int)) {
	for i := range c.Streams {
		s := &c.Streams[i]
		n := opening(s, worker, workers)
		if s.Schedule != nil {
			n = c.expected(s, worker, workers)
		}
		for _, t := range s.Targets {
			do(t.Pool, (n+len(s.Targets)-1)/len(s.Targets))
		}
	}
}

// ahead is the stretch from the epoch whose connections are opened before it.
const ahead = int64(5e8)

// opening counts this worker's slots that send in the first half second: all
// of those that have no pace.
func opening(s *dispatch.Stream, worker, workers int) int {
	slots := arrival.Slots(s.Concurrency, worker, workers)
	if s.Pace.Opens == nil {
		return len(slots)
	}
	n := 0
	for _, slot := range slots {
		if s.Pace.Opens(slot) <= ahead {
			n++
		}
	}
	return n
}

// expected counts this worker's arrivals of the first half second, between 1 and 64.
func (c *Crew) expected(s *dispatch.Stream, worker, workers int) int {
	n := 0
	for due := range s.Schedule {
		if due.At > ahead || n >= 64 {
			break
		}
		if arrival.Stripe(due.Seq, worker, workers) {
			n++
		}
	}
	if c := s.Ceiling.InFlight; c > 0 {
		n = min(n, len(arrival.Slots(c, worker, workers)))
	}
	return max(1, n)
}

// Close closes every connection.
func (c *Crew) Close() {
	for i := range c.Streams {
		for _, t := range c.Streams[i].Targets {
			t.Pool.Close()
		}
	}
}

// Sleepers hands out timers, one for each goroutine that sleeps at a time.
type Sleepers struct {
	clock *host.Clock
	mu    sync.Mutex
	idle  []*host.Sleeper
}

// NewSleepers returns timers on the clock.
func NewSleepers(clock *host.Clock) *Sleepers { return &Sleepers{clock: clock} }

// Until is a dispatch.Sleep.
func (s *Sleepers) Until(ctx context.Context, until int64) error {
	s.mu.Lock()
	var t *host.Sleeper
	if n := len(s.idle); n > 0 {
		t, s.idle = s.idle[n-1], s.idle[:n-1]
	}
	s.mu.Unlock()
	if t == nil {
		var err error
		if t, err = host.NewSleeper(s.clock); err != nil {
			return fmt.Errorf("timer: %w", err)
		}
	}
	err := t.Until(ctx, until)
	s.mu.Lock()
	s.idle = append(s.idle, t)
	s.mu.Unlock()
	return err
}

// Close frees the timers.
func (s *Sleepers) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.idle {
		_ = t.Close()
	}
	s.idle = nil
}
