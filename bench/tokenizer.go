//go:build linux

package main

import (
	"context"
	"slices"
)

// tokenizer is what exact prompts cost: in the run, where they are cut from
// text that was counted before, and before it, where files are counted. Of the
// vocabularies that the tests have, the slowest stands for all.
func (b *bench) tokenizer(ctx context.Context) error {
	v, err := b.goBenchmark(ctx, "assay/internal/run", "^BenchmarkPrepare550Tokens$")
	if err != nil {
		return err
	}
	b.table.below("a request of exactly 550 tokens, made ready", "%.1f µs", slices.Min(v["ns/op"])/1e3, 50)
	encode, err := b.goBenchmark(ctx, "assay/internal/tokenizer", "^BenchmarkEncode$")
	if err != nil {
		return err
	}
	slowest := 0.0
	for each := range slices.Chunk(encode["MB/s"], rounds) { // one vocabulary after the other
		if fastest := slices.Max(each); slowest == 0 || fastest < slowest {
			slowest = fastest
		}
	}
	const bytes = 4 // a token of a model; those of the small vocabularies are shorter
	b.table.above("encoding by one core, tokens of four bytes a second", "%.0f", slowest*1e6/bytes, 300_000)
	return nil
}
