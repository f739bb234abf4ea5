// Package worker is the worker process: it is told its job over a pipe, sends
// its stripe of the load, and hands back a record a request. It keeps nothing
// and judges nothing; when its parent's pipe closes, it dies.
package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"assay/internal/dispatch"
	"assay/internal/fleet"
	"assay/internal/host"
	"assay/internal/record"
	"assay/internal/run"
	"assay/internal/wire"
)

// gcPercent trades memory for fewer pauses. The limit of memory is the
// coordinator's to set (GOMEMLIMIT): beyond it the collector works harder, and
// the receipts show it.
const gcPercent = 400

// Main is the life of a worker.
func Main(ctx context.Context) error {
	// What ends a run is for the coordinator to decide: a worker that stopped
	// on its own would look like one that had no more work.
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	debug.SetGCPercent(gcPercent)
	parent, err := fleet.Child()
	if err != nil {
		return err
	}
	w := &worker{parent: parent}
	w.clock.Store(host.NewClock(host.Monotonic())) // until the epoch is told
	if err := w.live(ctx); err != nil {
		w.send(run.Control{Do: "failed", Error: err.Error(), Code: codeOf(err)})
		return err
	}
	return nil
}

func codeOf(err error) int {
	var h *run.HintError
	if errors.As(err, &h) {
		return h.Code
	}
	return run.ExitCannot
}

type worker struct {
	parent *fleet.Conn
	clock  atomic.Pointer[host.Clock]
}

func (w *worker) now() int64                { return w.clock.Load().Now() }
func (w *worker) fromWall(wall int64) int64 { return w.clock.Load().FromWall(wall) }

func (w *worker) send(c run.Control) {
	_ = w.parent.Send(record.FrameControl, c.Encode()) // a parent that is gone needs no answer
}

// live takes the job, gets ready, and carries it out.
func (w *worker) live(ctx context.Context) error {
	first, err := w.receive()
	if err != nil {
		return err
	}
	if first.Do != "job" || first.Job == nil {
		return fmt.Errorf("internal error: the first word was %q, not a job", first.Do)
	}
	kernel := w.kernelStamps()
	crew, err := run.Assemble(*first.Job, w.now, w.fromWall, kernel)
	if err != nil {
		return err
	}
	defer crew.Close()
	warm, cancel := context.WithTimeout(ctx, 5*time.Second)
	crew.Warm(warm, first.Job.Worker, first.Job.Workers)
	cancel()
	w.send(run.Control{Do: "ready"})
	start, err := w.receive()
	if err != nil {
		return err
	}
	if start.Do != "start" {
		return nil // told to stop before it began
	}
	w.clock.Store(host.NewClock(start.Epoch))
	return w.carry(ctx, *first.Job, crew)
}

// kernelStamps switches the kernel's stamping on and keeps it on for the
// process's life.
func (w *worker) kernelStamps() bool {
	_, err := wire.EnableKernelStamps() // never closed on purpose
	return err == nil
}

// carry sends the load and reports until it is over.
func (w *worker) carry(ctx context.Context, job run.Job, crew *run.Crew) error {
	ctx, stop := context.WithCancel(ctx)
	go w.obey(stop)
	var keeping sync.WaitGroup
	keeping.Go(func() { crew.Keep(ctx, job.Worker, job.Workers) })
	defer keeping.Wait()
	defer stop()
	sleepers := run.NewSleepers(w.clock.Load())
	defer sleepers.Close()
	out := newOutbox(w.parent)
	d := &dispatch.Dispatcher{
		Worker: job.Worker, Workers: job.Workers,
		Now: w.now, Sleep: sleepers.Until,
		Emit: out.record, Secrets: crew.Secrets,
		Bounds: dispatch.Bounds{Memory: repliesMemory()},
	}
	reports := newReporter(w, d, crew.Streams, out)
	err := d.Run(ctx, crew.Streams, crew.Drain)
	reports.finish(err == nil)
	return errors.Join(err, out.close())
}

// repliesMemory is what replies under way may hold: half of this process's
// limit. The other half is for requests encoded ahead, records on their way
// out, and what the collector has not taken back yet.
func repliesMemory() int64 {
	return debug.SetMemoryLimit(-1) / 2 // -1 only asks
}

// obey waits for the word to stop; when the parent is gone, so is this process.
func (w *worker) obey(stop func()) {
	for {
		c, err := w.receive()
		if err != nil {
			os.Exit(run.ExitCannot)
		}
		if c.Do == "stop" {
			stop()
		}
	}
}

func (w *worker) receive() (run.Control, error) {
	typ, payload, err := w.parent.Recv()
	if err != nil {
		return run.Control{}, fmt.Errorf("from the coordinator: %w", err)
	}
	if typ != record.FrameControl {
		return run.Control{}, fmt.Errorf("internal error: a frame of type %d from the coordinator", typ)
	}
	var c run.Control
	if err := json.Unmarshal(payload, &c); err != nil {
		return run.Control{}, fmt.Errorf("internal error: control frame: %w", err)
	}
	return c, nil
}
