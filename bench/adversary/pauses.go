//go:build linux

package main

// Adversities that stop a process and let it go on.

import (
	"fmt"
	"math/rand/v2"
	"time"

	"golang.org/x/sys/unix"
)

// freeze stops processes for a time; they go on whatever happens.
func freeze(pids []int, done <-chan struct{}, d time.Duration) {
	for _, pid := range pids {
		_ = unix.Kill(pid, unix.SIGSTOP) // one that has ended needs none
	}
	rest(done, d)
	for _, pid := range pids {
		_ = unix.Kill(pid, unix.SIGCONT)
	}
}

// stopped stops one worker now and then.
func stopped(r *rand.Rand, _ *room) (plan, error) {
	d := time.Duration(between(r, 20, 300)) * time.Millisecond
	every := time.Duration(between(r, 200, 3000)) * time.Millisecond
	times := rand.New(rand.NewPCG(r.Uint64(), 1))
	return plan{traffic: either(r), strength: fmt.Sprintf("one worker for %s about every %s", d, every), beside: func(s scene) {
		workers := workersOf(s.done, s.coordinator, s.processes)
		if len(workers) == 0 {
			return
		}
		for rest(s.done, time.Duration(times.Int64N(2*int64(every)))) {
			freeze(workers[:1], s.done, d)
		}
	}}, nil
}

// absent stops the coordinator, which collects and writes, now and then.
func absent(r *rand.Rand, _ *room) (plan, error) {
	d := time.Duration(between(r, 50, 2000)) * time.Millisecond
	every := time.Duration(between(r, 200, 1500)) * time.Millisecond
	times := rand.New(rand.NewPCG(r.Uint64(), 1))
	return plan{traffic: either(r), strength: fmt.Sprintf("the coordinator for %s about every %s", d, every), beside: func(s scene) {
		workersOf(s.done, s.coordinator, s.processes)
		for rest(s.done, time.Duration(times.Int64N(2*int64(every)))) {
			freeze([]int{s.coordinator}, s.done, d)
		}
	}}, nil
}
