//go:build linux

package main

// What processes spend, from /proc: CPU from the scheduler's own account of
// each thread, which is exact where ticks are not, and proportional memory.

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

const (
	sampleEvery = 100 * time.Millisecond
	// Memory takes the kernel a walk through all pages, which disturbs what is
	// measured: it is sampled often at the start only, when it grows.
	weighOften = 15
	weighEvery = 10 // samples, later
)

// What is looked at during a run. Looking takes a core for a millisecond or
// two, which a measurement of milliseconds does without.
type look int

const (
	unseen  look = iota
	cpu          // what processes spend
	weighed      // and the workers' memory
)

// A sample is what the processes of one run had spent at an instant.
type sample struct {
	at                           int64 // CLOCK_MONOTONIC, ns
	coordinator, workers, server int64 // CPU, ns
	memory                       int64 // of the workers, bytes; at weighed
	coordinatorMemory            int64 // likewise
	weighed                      int64
}

func monotonic() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		panic("internal error: " + err.Error())
	}
	return t.Nano()
}

// spent is the CPU time of a process's living threads, in ns; 0 when it is gone.
func spent(pid int) int64 {
	names, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	var sum int64
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // a thread that has ended
		}
		var ns int64
		fmt.Sscan(string(text), &ns)
		sum += ns
	}
	return sum
}

// memory is a process's proportional set, in bytes; 0 when it is gone.
func memory(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		var kib int64
		if _, err := fmt.Sscanf(line, "Pss: %d kB", &kib); err == nil {
			return kib << 10
		}
	}
	return 0
}

// children are the processes that pid's threads have started.
func children(pid int) []int {
	names, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	var all []int
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		for field := range strings.FieldsSeq(string(text)) {
			var child int
			if _, err := fmt.Sscan(field, &child); err == nil {
				all = append(all, child)
			}
		}
	}
	return all
}

// A watch samples a coordinator, its workers and the server until stopped, and
// the workers' memory if asked.
type watch struct {
	stop    chan struct{}
	done    sync.WaitGroup
	samples []sample
}

func startWatch(coordinator, server int, l look) *watch {
	w := &watch{stop: make(chan struct{})}
	if l == unseen {
		return w
	}
	w.done.Go(func() {
		tick := time.NewTicker(sampleEvery)
		defer tick.Stop()
		var s sample
		for n := 0; ; n++ {
			workers := children(coordinator)
			if l == weighed && (n < weighOften || n%weighEvery == 0) {
				s.memory = 0
				for _, pid := range workers {
					s.memory += memory(pid)
				}
				s.coordinatorMemory = memory(coordinator)
				s.weighed = monotonic()
			}
			s.coordinator, s.workers, s.server = spent(coordinator), 0, spent(server)
			for _, pid := range workers {
				s.workers += spent(pid)
			}
			s.at = monotonic()
			w.samples = append(w.samples, s)
			select {
			case <-w.stop:
				return
			case <-tick.C:
			}
		}
	})
	return w
}

func (w *watch) end() []sample {
	close(w.stop)
	w.done.Wait()
	return w.samples
}

// nearest is the sample taken closest to an instant.
func nearest(samples []sample, at int64) sample {
	best := samples[0]
	for _, s := range samples {
		if abs(s.at-at) < abs(best.at-at) {
			best = s
		}
	}
	return best
}

func abs(x int64) int64 { return max(x, -x) }
