//go:build linux

package main

// The decoder's cost is measured by its own benchmark, in its own package.

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// decoder is the best of five: what is wanted is the cost of the code and not
// of what else ran.
func (b *bench) decoder(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, b.goTool, "test", "-run", "^$", "-bench", "^BenchmarkTextEvent$", "-count", "5", "-benchtime", "300ms",
		"assay/internal/dialect").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	var times, allocations []float64
	for line := range strings.SplitSeq(string(out), "\n") {
		fields := strings.Fields(line)
		if len(fields) < 8 || !strings.HasPrefix(line, "BenchmarkTextEvent") {
			continue
		}
		for i, unit := range fields {
			var v float64
			fmt.Sscan(fields[max(0, i-1)], &v)
			switch unit {
			case "ns/op":
				times = append(times, v/1e3)
			case "allocs/op":
				allocations = append(allocations, v)
			}
		}
	}
	if len(times) == 0 || len(allocations) == 0 {
		return errors.New("the benchmark printed nothing")
	}
	b.table.below("decoder, an ordinary text event", "%.2f µs", slices.Min(times), 1.5)
	b.table.below("decoder, allocations an event", "%.0f", slices.Max(allocations), 0)
	return nil
}
