// Package fleet starts worker processes of the same binary and talks to them
// in frames over their standard input and output, so it works wherever a
// process can be started. It knows nothing of what the frames say. It
// promises that a worker outlives its coordinator on no path: its input ends,
// and on Linux the kernel kills it; and that the end of a worker, and a frame
// that died with it, is told.
package fleet

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
)

// Config says what to start.
type Config struct {
	Exe  string
	Args []string // without the program's name
	Env  []string // added to this process's environment; the last of two wins
	N    int

	// OnFrame gets each frame of each worker, in that worker's order; frames
	// of different workers come at the same time. The payload is good until
	// it returns, and the worker is read no further before that.
	OnFrame func(worker int, typ byte, payload []byte)
	// OnExit, if set, is told of a worker's end after its last frame.
	OnExit func(Exit)
}

// An Exit is how a worker ended.
type Exit struct {
	Worker int
	Err    error // nil: exit status 0; else an *ExitError, or what broke its stream of frames
}

// A Fleet is the workers that were started.
type Fleet struct {
	workers []*worker
	exits   []Exit
	running sync.WaitGroup // the goroutines that read workers
	gone    chan struct{}  // closed when no worker is left
}

// Start starts n workers, or none. The end of ctx kills them; a gentler end is
// for the frames to say. Every Start wants a Wait.
func Start(ctx context.Context, c Config) (*Fleet, error) {
	f := &Fleet{exits: make([]Exit, c.N), gone: make(chan struct{})}
	started := make(chan error)
	go func() {
		// The kernel kills the children when the thread that started them
		// ends, so that thread is kept until they are gone.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		started <- f.startAll(ctx, c)
		<-f.gone
	}()
	err := <-started
	go func() {
		f.running.Wait()
		close(f.gone)
	}()
	if err != nil {
		f.Kill()
		f.Wait()
		return nil, err
	}
	return f, nil
}

func (f *Fleet) startAll(ctx context.Context, c Config) error {
	for i := range c.N {
		w, err := startWorker(ctx, c)
		if err != nil {
			return fmt.Errorf("start worker %d: %w", i, err)
		}
		f.workers = append(f.workers, w)
		f.running.Go(func() {
			f.exits[i] = Exit{Worker: i, Err: w.run(func(typ byte, payload []byte) { c.OnFrame(i, typ, payload) })}
			if c.OnExit != nil {
				c.OnExit(f.exits[i])
			}
		})
	}
	return nil
}

// Send sends one frame to one worker. It fails when that worker is gone or
// does not read for sendLimit. It may be called from anywhere.
func (f *Fleet) Send(worker int, typ byte, payload []byte) error {
	if err := f.workers[worker].send(typ, payload); err != nil {
		return fmt.Errorf("send to worker %d: %w", worker, err)
	}
	return nil
}

// Broadcast sends one frame to every worker, also after one of them failed.
func (f *Fleet) Broadcast(typ byte, payload []byte) error {
	var all []error
	for i := range f.workers {
		all = append(all, f.Send(i, typ, payload))
	}
	return errors.Join(all...)
}

// Hangup ends the workers' input: their Recv gives io.EOF once they have read
// what was sent.
func (f *Fleet) Hangup() {
	for _, w := range f.workers {
		w.hangup()
	}
}

// Wait returns how each worker ended, once all have and every frame was
// handed over.
func (f *Fleet) Wait() []Exit {
	<-f.gone
	f.Hangup()
	return f.exits
}

// PIDs are the workers' process numbers.
func (f *Fleet) PIDs() []int {
	pids := make([]int, len(f.workers))
	for i, w := range f.workers {
		pids[i] = w.cmd.Process.Pid
	}
	return pids
}

// Kill ends every worker that is still there, at once.
func (f *Fleet) Kill() {
	for _, w := range f.workers {
		w.cmd.Process.Kill()
	}
}
