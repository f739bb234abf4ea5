//go:build linux

package main

// Adversities by limits: too few descriptors, too few local ports.

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// many draws replies that are long and many at a time.
func many(r *rand.Rand) traffic {
	return traffic{preset: "fixed", processes: pick(r, 1, 2, 4), seconds: 3, rate: between(r, 10, 40), tokens: 20,
		set: []string{"ttft=100ms", fmt.Sprintf("itl=%dms", between(r, 20, 80))}}
}

// descriptors takes them away before the start, or from a worker during it.
func descriptors(r *rand.Rand, _ *room) (plan, error) {
	p := plan{traffic: many(r)}
	if n := between(r, 20, 160); r.IntN(2) == 0 {
		p.strength, p.shell = fmt.Sprintf("a limit of %d descriptors", n), "ulimit -n "+itoa(n)
		return p, nil
	}
	n := between(r, 12, 60)
	p.strength = fmt.Sprintf("a worker may have %d descriptors from a second after its start", n)
	p.beside = func(s scene) {
		workers := workersOf(s.done, s.coordinator, s.processes)
		if len(workers) == 0 || !rest(s.done, time.Second) {
			return
		}
		limit := unix.Rlimit{Cur: uint64(n), Max: uint64(n)}
		_ = unix.Prlimit(workers[0], unix.RLIMIT_NOFILE, &limit, nil) // it may have ended
	}
	return p, nil
}

const portRange = "/proc/sys/net/ipv4/ip_local_port_range"

// ports narrows the range of this room's network.
func ports(r *rand.Rand, m *room) (plan, error) {
	if !m.own {
		return plan{}, fmt.Errorf("%w: no network of its own", errImpossible)
	}
	before, err := os.ReadFile(portRange)
	if err != nil {
		return plan{}, fmt.Errorf("%w: %w", errImpossible, err)
	}
	n := between(r, 8, 80)
	first := 20000 + 100*between(r, 0, 90)
	p := plan{traffic: many(r), strength: fmt.Sprintf("%d local ports", n)}
	narrow := func(text string) error { return os.WriteFile(portRange, []byte(text), 0) }
	widen := func() { _ = narrow(strings.TrimSpace(string(before))) } // it was the kernel's own text
	few := fmt.Sprintf("%d %d", first, first+n-1)
	late := r.IntN(2) == 0
	if late {
		p.strength += " from half a second after the start"
	} else {
		p.shell = "echo '" + few + "' >" + portRange
	}
	p.beside = func(s scene) {
		defer widen() // before the oracle needs a port to ask for the truth
		if late {
			workersOf(s.done, s.coordinator, s.processes)
			if !rest(s.done, 500*time.Millisecond) {
				return
			}
			if err := narrow(few); err != nil {
				s.fail(err)
			}
		}
		<-s.done
	}
	return p, nil
}
