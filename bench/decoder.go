//go:build linux

package main

import (
	"context"
	"fmt"
	"slices"

	"assay/internal/dialect"
)

// decoder is the best of five of the slowest dialect: what is wanted is the
// cost of the code and not of what else ran.
func (b *bench) decoder(ctx context.Context) error {
	slowest, of, allocations := 0.0, "", 0.0
	for _, d := range dialect.Table() {
		if !d.Streams {
			continue
		}
		v, err := b.goBenchmark(ctx, "assay/internal/dialect", "^BenchmarkTextEvent$/^"+d.Name+"$")
		if err != nil {
			return fmt.Errorf("the decoder of %s: %w", d.Name, err)
		}
		if best := slices.Min(v["ns/op"]); best > slowest {
			slowest, of = best, d.Name
		}
		allocations = max(allocations, slices.Max(v["allocs/op"]))
	}
	b.table.below("decoder, an ordinary text event, slowest endpoint ("+of+")", "%.2f µs", slowest/1e3, 1.5)
	b.table.below("decoder, allocations an event, any endpoint", "%.0f", allocations, 0)
	return nil
}
