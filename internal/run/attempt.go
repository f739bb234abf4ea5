package run

// One attempt of the fleet: start the workers, agree on an epoch, watch,
// collect, bury.

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"assay/internal/contract"
	"assay/internal/fleet"
	"assay/internal/host"
	"assay/internal/observation"
	"assay/internal/record"
	"assay/internal/rundir"
)

const (
	readyLimit = 30 * time.Second
	// lead is from the word to start until the epoch: time for it to reach
	// every worker.
	lead = 50 * time.Millisecond
)

// An attempt is one run of the fleet into one folder.
type attempt struct {
	o         Options
	c         *contract.Contract
	dir       *rundir.Dir
	servers   *servers
	unpacked  map[string]Unpacked
	read      time.Duration // what it took to read the files
	canonical string
	before    []observation.Observation // what is known when the load begins
	unsalted  string                    // the name of a run without a salt
	workers   int
	maxProcs  int

	fleet *fleet.Fleet
	clock atomic.Pointer[host.Clock]
	live  *live
	sent  *prompts
	ready chan error // three words of each worker fit: nobody waits to be heard
	begun atomic.Bool

	mu    sync.Mutex
	final []bool // workers that said they were done
	fault error  // the first thing that makes the run impossible to go on with
	abort context.CancelFunc
	kill  context.CancelFunc // ends the workers at once
}

func newAttempt(s *series, c *contract.Contract, n int, dir *rundir.Dir, canonical string, before []observation.Observation) *attempt {
	a := &attempt{
		o: s.o, c: c, dir: dir, servers: s.servers, unpacked: s.unpacked.Unpacked, read: s.read, canonical: canonical, before: before,
		unsalted: strconv.FormatInt(time.Now().UnixNano(), 36),
		workers:  n, maxProcs: threadsOf(c.Client.Threads, n, int(host.Info().Cores)),
		live: newLive(n), sent: newPrompts(c), ready: make(chan error, 3*n), final: make([]bool, n),
	}
	a.clock.Store(host.NewClock(host.Monotonic())) // until the epoch is agreed
	return a
}

// carryOut runs the fleet and leaves the folder complete but for result.json.
func (a *attempt) carryOut(ctx context.Context) error {
	sending, abort := context.WithCancel(context.Background())
	defer abort()
	alive, kill := context.WithCancel(context.Background())
	defer kill()
	a.abort, a.kill = abort, kill
	stopOnInterrupt := context.AfterFunc(ctx, abort)
	defer stopOnInterrupt()

	phases := a.phases()
	if err := a.start(sending, alive); err != nil {
		a.disband()
		return err
	}
	a.begin(phases)
	watched := a.watch(phases)
	go func() {
		<-sending.Done()
		_ = a.fleet.Broadcast(record.FrameControl, Control{Do: "stop"}.Encode()) // the dead need no word
	}()
	exits := a.fleet.Wait()
	watched()
	if ctx.Err() != nil {
		a.note(observation.NoteInterrupted, "stopped by the user before its end")
	}
	a.bury(exits)
	for _, o := range a.sent.observe(a.c, OSFiles{}) {
		a.observe(nil, o)
	}
	if fault := a.faulted(); fault != nil {
		return fault
	}
	return a.dir.Finish()
}

// start starts the workers, which live no longer than alive, gives each its
// job, and waits until all are ready.
func (a *attempt) start(ctx, alive context.Context) error {
	f, err := fleet.Start(alive, fleet.Config{
		Exe: a.o.Exe, Args: []string{"worker"}, N: a.workers,
		Env: []string{
			"GOMAXPROCS=" + strconv.Itoa(a.maxProcs),
			"GOMEMLIMIT=" + strconv.FormatInt(memoryOf(a.workers, host.Info().Memory), 10),
		},
		OnFrame: a.frame,
		OnExit:  a.ended,
	})
	if err != nil {
		return fmt.Errorf("start the workers: %w", err)
	}
	a.fleet = f
	for i := range a.workers {
		job := Control{Do: "job", Job: &Job{
			Contract: a.canonical, Worker: i, Workers: a.workers,
			URLs: a.servers.urls, Template: a.servers.template, RunID: a.runID(), Unpacked: a.unpacked, Counts: countsOf(a.c),
		}}
		if err := f.Send(i, record.FrameControl, job.Encode()); err != nil {
			return a.cause(fmt.Errorf("give worker %d its job: %w", i, err))
		}
	}
	patience := readyWithin(a.read, a.workers, host.Info().Cores)
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for n := range a.workers {
		select {
		case err := <-a.ready:
			if err != nil {
				return err
			}
		case <-ctx.Done():
			return errInterrupted
		case <-limit.C:
			return fmt.Errorf("only %d of %d workers were ready after %s", n, a.workers, patience)
		}
	}
	return nil
}

// readyWithin is how long workers may take to get ready: each reads the files
// that took the coordinator so long, side by side on so many cores.
func readyWithin(read time.Duration, workers int, cores float64) time.Duration {
	return readyLimit + time.Duration(2*float64(read)*max(1, float64(workers)/max(1, cores)))
}

// disband ends the workers of a run that does not begin.
func (a *attempt) disband() {
	if a.fleet != nil {
		a.fleet.Kill()
		a.fleet.Wait()
	}
}

// runID marks the requests of this run: the salt is drawn for each run, and
// where there is none the time tells runs apart.
func (a *attempt) runID() string {
	salt := a.c.Streams[0].Workload.Salt
	if salt == "" {
		return a.unsalted
	}
	return salt[:min(8, len(salt))]
}

// begin agrees on the epoch, writes down what the stamps count from, and gives
// the word. From here on a worker that can't be reached ends the run early;
// what became of it is told by its exit.
func (a *attempt) begin(phases observation.Phases) {
	epoch := host.Monotonic() + int64(lead)
	wall := time.Now().Add(lead)
	a.clock.Store(host.NewClock(epoch))
	a.begun.Store(true)
	if a.fleet.Broadcast(record.FrameControl, Control{Do: "start", Epoch: epoch}.Encode()) != nil {
		a.abort()
	}
	info := host.Info()
	a.observe(nil, observation.Observation{Kind: observation.KindEpoch, Epoch: &observation.Epoch{
		Wall: wall.UTC().Format(time.RFC3339Nano), Monotonic: epoch,
		Processes: a.workers, Active: activeWorkers(a.c, a.workers), MaxProcs: a.maxProcs, Cores: info.Cores,
		OS: runtime.GOOS, Arch: runtime.GOARCH, Kernel: info.Kernel, CPU: info.CPU, Version: Version(),
	}})
	a.observe(nil, observation.Observation{Kind: observation.KindPhases, Phases: &phases})
	for _, o := range a.before {
		a.observe(nil, o)
	}
}

// slots is the number of slots, or of places under a ceiling; 0 where a stream
// has work for every worker.
func slots(c *contract.Contract) int {
	n := 0
	for i := range c.Streams {
		places := c.Streams[i].Traffic.Places()
		if places == 0 {
			return 0
		}
		n = max(n, places)
	}
	return n
}

// frame takes one frame from a worker; it is called by one goroutine a worker.
func (a *attempt) frame(worker int, typ byte, payload []byte) {
	switch typ {
	case record.FrameRecord:
		a.fail(a.dir.AppendRecord(payload))
		var r record.Record
		if err := record.Decode(payload, &r); err != nil {
			a.fail(fmt.Errorf("a record of worker %d: %w", worker, err))
			return
		}
		a.live.record(&r)
		a.sent.add(&r)
	case record.FrameObservation:
		var o observation.Observation
		if err := json.Unmarshal(payload, &o); err != nil {
			a.fail(fmt.Errorf("an observation of worker %d: %w", worker, err))
			return
		}
		if o.Progress != nil {
			a.live.progress(worker, *o.Progress)
			if o.Progress.Final {
				a.mu.Lock()
				a.final[worker] = true
				a.mu.Unlock()
			}
		}
		a.fail(a.dir.AppendObservation(o))
	case record.FrameControl:
		var c Control
		if err := json.Unmarshal(payload, &c); err != nil {
			a.fail(fmt.Errorf("a word of worker %d: %w", worker, err))
			return
		}
		a.heard(worker, c)
	}
}

// heard takes a worker's word: it is ready, or it can't.
func (a *attempt) heard(worker int, c Control) {
	var err error
	if c.Do == "failed" {
		err = &HintError{Err: fmt.Errorf("worker %d: %s", worker, c.Error), Code: c.Code}
	}
	if !a.begun.Load() { // after the start, what it did is known by its exit
		a.ready <- err
	}
}

// observe writes one line of observations.jsonl, stamped now.
func (a *attempt) observe(worker *int, o observation.Observation) {
	o.T, o.Worker = a.clock.Load().Now(), worker
	a.fail(a.dir.AppendObservation(o))
}

func (a *attempt) note(code, text string) {
	a.observe(nil, observation.Observation{Kind: observation.KindNote, Note: &observation.Note{Code: code, Text: text}})
}
