//go:build linux

package main

// What it costs to say what a million requests would be.

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"slices"
	"time"
)

// planned is the contract of which a million requests are planned: lengths
// that are drawn, and arrivals that take the longest to draw.
var planned = []string{"plan", "--simulate", "fixed", "--rate", "500/s", "--requests", "1000000", "--warmup", "0s",
	"--input-tokens", "normal(550, 150)", "--output-tokens", "lognormal(256, 64)"}

// plan is the median of five, the start of the process included.
func (b *bench) plan(ctx context.Context) error {
	for _, c := range []struct {
		name string
		args []string
		line string // how the requests are told to have been counted
	}{
		{"poisson", nil, "1000000 in the window"},
		{"gamma", []string{"--arrivals", "gamma", "--cv", "3"}, "1000000 in the window"},
		{"poisson, every request as JSON", []string{"--json"}, ""},
	} {
		var all []float64
		for range 5 {
			var out lineCount
			cmd := exec.CommandContext(ctx, b.assay, slices.Concat(planned, c.args)...)
			cmd.Stdout = &out
			began := time.Now()
			if err := cmd.Run(); err != nil {
				return fmt.Errorf("plan: %w", err)
			}
			all = append(all, time.Since(began).Seconds())
			if c.line != "" && !bytes.Contains(out.head, []byte(c.line)) || c.line == "" && out.lines != 1_000_000 {
				return fmt.Errorf("plan of %s printed %d lines, and not a million requests:\n%s", c.name, out.lines, out.head)
			}
		}
		slices.Sort(all)
		b.table.below("plan of 1,000,000 requests: "+c.name, "%.2f s", all[len(all)/2], 2)
	}
	return nil
}

// A lineCount keeps the beginning of what is written, and counts its lines.
type lineCount struct {
	head  []byte
	lines int
}

func (l *lineCount) Write(p []byte) (int, error) {
	const kept = 4 << 10
	l.head = append(l.head, p[:min(len(p), kept-len(l.head))]...)
	l.lines += bytes.Count(p, []byte("\n"))
	return len(p), nil
}
