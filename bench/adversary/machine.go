//go:build linux

package main

// What others took of the machine while a run went on, read by this program
// and not by the client: what was not idle, less what the processes of the
// trial spent. Time that the host gave to other guests counts.

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// busyOthers is the share of the machine, in any one second, from which a run
// that nothing was to disturb was disturbed all the same.
const busyOthers = 0.10

// A look is the machine at an instant, in ns since some beginning.
type look struct{ at, idle, trial int64 }

// watchOthers looks each second until stopped, and then returns the highest
// share that others had.
func watchOthers(coordinator, server int) (stop func() float64) {
	done, most := make(chan struct{}), make(chan float64)
	see := func() look {
		l := look{time.Now().UnixNano(), idle(), spent(os.Getpid()) + spent(server) + spent(coordinator)}
		for _, pid := range children(coordinator) {
			l.trial += spent(pid)
		}
		return l
	}
	go func() {
		last, highest := see(), 0.0
		for rest(done, time.Second) {
			now := see()
			if now.trial > last.trial { // else a process has ended, with its account
				highest = max(highest, others(last, now, cores()))
			}
			last = now
		}
		most <- highest
	}()
	return func() float64 { close(done); return <-most }
}

// others is the share of n cores that was neither idle nor the trial's.
func others(a, b look, n int) float64 {
	wall := float64(b.at-a.at) * float64(n)
	return max(0, (wall-float64(b.idle-a.idle)-float64(b.trial-a.trial))/wall)
}

// idle is the idle time of all cores, waiting for a disk included.
func idle() int64 {
	text, _ := os.ReadFile("/proc/stat")
	line, _, _ := strings.Cut(string(text), "\n")
	var user, nice, system, idle, wait int64
	fmt.Sscanf(line, "cpu %d %d %d %d %d", &user, &nice, &system, &idle, &wait)
	const tick = 10_000_000
	return (idle + wait) * tick
}

// cores is how many the machine has.
func cores() int {
	text, _ := os.ReadFile("/proc/stat")
	return strings.Count(string(text), "\ncpu")
}
