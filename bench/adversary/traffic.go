//go:build linux

package main

// What the runs send.

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

const (
	healthyKind   = "none: healthy"
	disturbedKind = "none, but others used the machine"
)

// A traffic is a server and the load on it.
type traffic struct {
	preset    string
	set       []string
	processes int
	rate      int // requests/s
	tokens    int // of each reply
	seconds   int
}

func (t traffic) args() []string {
	return []string{"--rate", itoa(t.rate) + "/s", "--duration", itoa(t.seconds) + "s", "--warmup", "500ms",
		"--input-tokens", "20", "--output-tokens", itoa(t.tokens), "--processes", itoa(t.processes),
		"--slo", "ttft p50 < 500ms", "--slo", "itl p99 < 100ms", "--set", "traffic.drain=10s"}
}

func (t traffic) String() string {
	return fmt.Sprintf("%s %s, %d/s × %d tokens, %d s, %d processes", t.preset, strings.Join(t.set, " "), t.rate, t.tokens, t.seconds, t.processes)
}

// between draws from low to high, both included.
func between(r *rand.Rand, low, high int) int { return low + r.IntN(high-low+1) }

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// light draws what two cores carry without effort, server included.
func light(r *rand.Rand) traffic {
	t := traffic{processes: pick(r, 1, 2, 4, 8), seconds: between(r, 3, 5)}
	switch r.IntN(4) {
	case 0:
		t.preset, t.rate, t.tokens = "h100-8b", between(r, 5, 15), between(r, 20, 60)
	case 1:
		t.preset, t.rate, t.tokens = "null", between(r, 10, 60), between(r, 2, 20)
	default:
		t.preset, t.rate, t.tokens = "fixed", between(r, 5, 30), between(r, 10, 40)
		t.set = []string{fmt.Sprintf("ttft=%dms", between(r, 20, 150)), fmt.Sprintf("itl=%dms", between(r, 8, 40))}
	}
	return t
}

// busy draws a load that still fits, with gaps that a late reader runs together.
func busy(r *rand.Rand) traffic {
	return traffic{preset: "fixed", processes: pick(r, 1, 2, 4), seconds: between(r, 3, 4), rate: between(r, 10, 40), tokens: between(r, 30, 80),
		set: []string{fmt.Sprintf("ttft=%dms", between(r, 5, 50)), fmt.Sprintf("itl=%dms", between(r, 2, 12))}}
}

// undisturbed is the plan of a healthy run.
func undisturbed(r *rand.Rand, _ *room) (plan, error) {
	return plan{traffic: light(r), strength: "-"}, nil
}
