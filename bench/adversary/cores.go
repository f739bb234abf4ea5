//go:build linux

package main

// Adversities that leave the client too little of the cores.

import (
	"fmt"
	"math/rand/v2"
	"time"

	"golang.org/x/sys/unix"
)

// adversities is every kind, in the order of the table.
var adversities = []adversity{
	{"stolen cores", stolen},
	{"one core for all", oneCore},
	{"starved reader", starved},
	{"too few processes", tooFew},
	{"worker stopped", stopped},
	{"duty cycle", duty},
	{"coordinator stopped", absent},
	{"throttled group", throttled},
	{"tiny memory", tiny},
	{"slow disk", slowDisk},
	{"few descriptors", descriptors},
	{"few ports", ports},
}

// either draws between ordinary traffic and more.
func either(r *rand.Rand) traffic {
	if r.IntN(2) == 0 {
		return light(r)
	}
	return busy(r)
}

// during runs busy loops for as long as the run goes.
func during(n, nice int, cpus []int) func(scene) {
	return func(s scene) {
		stop, err := hogs(n, nice, cpus)
		if err != nil {
			s.fail(err)
			return
		}
		<-s.done
		stop()
	}
}

// stolen has busy loops on one core or all, of any niceness.
func stolen(r *rand.Rand, m *room) (plan, error) {
	n, nice := between(r, 1, 3*len(m.cpus)), pick(r, -10, 0, 0, 5, 19)
	where, name := m.cpus, "all cores"
	if r.IntN(2) == 0 {
		where, name = []int{pick(r, m.cpus...)}, "one core"
	}
	return plan{traffic: either(r), strength: fmt.Sprintf("%d busy loops on %s, nice %d", n, name, nice), beside: during(n, nice, where)}, nil
}

// oneCore keeps the client, and perhaps the server, on one core.
func oneCore(r *rand.Rand, m *room) (plan, error) {
	t := traffic{preset: "fixed", processes: pick(r, 1, 2, 4, 8), seconds: 3, rate: between(r, 10, 200), tokens: between(r, 20, 60),
		set: []string{"ttft=20ms", fmt.Sprintf("itl=%dms", between(r, 3, 15))}}
	p := plan{traffic: t, strength: "the client on one core", cpus: []int{pick(r, m.cpus...)}}
	if r.IntN(2) == 0 {
		p.serverOn, p.strength = p.cpus, "client and server on one core"
	}
	return p, nil
}

// starved makes workers nicer than the loops on their core, while events come
// every few milliseconds, so that reads bring several at once, or while many
// connections are made.
func starved(r *rand.Rand, m *room) (plan, error) {
	t := traffic{preset: "fixed", processes: between(r, 1, 2), seconds: 3, rate: between(r, 5, 20), tokens: between(r, 50, 200),
		set: []string{"ttft=20ms", fmt.Sprintf("itl=%dms", between(r, 1, 5))}}
	if r.IntN(3) == 0 {
		t = many(r)
	}
	nice, n := between(r, 0, 19), between(r, 1, 3)
	core := []int{pick(r, m.cpus...)}
	loops := during(n, 0, core)
	return plan{traffic: t, strength: fmt.Sprintf("workers of nice %d on the core of %d busy loops", nice, n), beside: func(s scene) {
		for _, worker := range workersOf(s.done, s.coordinator, s.processes) {
			for _, tid := range threads(worker) {
				// A thread may end between the listing and the call.
				_ = pin(tid, core)
				_ = unix.Setpriority(unix.PRIO_PROCESS, tid, nice)
			}
		}
		loops(s)
	}}, nil
}

// tooFew gives one process a load around and beyond what it can carry.
func tooFew(r *rand.Rand, _ *room) (plan, error) {
	t := traffic{processes: 1, seconds: 3}
	if r.IntN(2) == 0 {
		t.preset, t.rate, t.tokens = "null", between(r, 4000, 15000), between(r, 2, 6)
	} else {
		t.preset, t.rate, t.tokens = "fixed", between(r, 300, 2500), between(r, 50, 150)
		t.set = []string{"ttft=20ms", fmt.Sprintf("itl=%dms", between(r, 3, 15))}
	}
	return plan{traffic: t, strength: fmt.Sprintf("%d requests/s, %d events/s", t.rate, t.rate*t.tokens)}, nil
}

// duty lets one worker, or all, run for part of each period only, as
// cpulimit does.
func duty(r *rand.Rand, _ *room) (plan, error) {
	period := time.Duration(between(r, 4, 60)) * time.Millisecond
	off := period * time.Duration(between(r, 5, 80)) / 100
	all := r.IntN(2) == 0
	who := "one worker"
	if all {
		who = "all workers"
	}
	return plan{traffic: either(r), strength: fmt.Sprintf("%s held for %s of every %s", who, off, period), beside: func(s scene) {
		workers := workersOf(s.done, s.coordinator, s.processes)
		if !all && len(workers) > 0 {
			workers = workers[:1]
		}
		for rest(s.done, period-off) {
			freeze(workers, s.done, off)
		}
	}}, nil
}
