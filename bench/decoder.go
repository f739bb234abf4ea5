//go:build linux

package main

import (
	"context"
	"slices"
)

// decoder is the best of five: what is wanted is the cost of the code and not
// of what else ran.
func (b *bench) decoder(ctx context.Context) error {
	v, err := b.goBenchmark(ctx, "assay/internal/dialect", "^BenchmarkTextEvent$")
	if err != nil {
		return err
	}
	b.table.below("decoder, an ordinary text event", "%.2f µs", slices.Min(v["ns/op"])/1e3, 1.5)
	b.table.below("decoder, allocations an event", "%.0f", slices.Max(v["allocs/op"]), 0)
	return nil
}
