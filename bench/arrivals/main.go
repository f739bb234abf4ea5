//go:build linux

// Command arrivals holds the plan against what arrives: for every shape of
// arrivals, sent by one process and by eight, the requests of `assay plan
// --json` against those that an independent server saw, by number, size and
// instant. It reads only what a user could: the plan, the run's epoch in
// observations.jsonl, and the server's log. It is what `make arrivals-check`
// runs; the table says how far plan and arrival are apart.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"

	"assay/internal/arrival"
)

// limit is how late the p99 of a run may be, in ms.
const limit = 2.0

// A bench is the programs, and a folder for what they write.
type bench struct {
	assay, logger, examples string
	tmp                     string
}

func main() {
	var b bench
	only := flag.String("only", "", "one shape instead of all")
	flag.StringVar(&b.assay, "assay", "bin/assay", "the client")
	flag.StringVar(&b.logger, "logger", "bin/arrivals-logger", "the server")
	flag.StringVar(&b.examples, "examples", "examples", "the folder of the contracts")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	good, err := b.all(ctx, *only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "arrivals:", err)
		os.Exit(2)
	}
	if !good {
		os.Exit(1)
	}
}

// all goes through the shapes and prints the table.
func (b *bench) all(ctx context.Context, only string) (good bool, err error) {
	if b.tmp, err = os.MkdirTemp("", "assay-arrivals-"); err != nil {
		return false, err
	}
	defer os.RemoveAll(b.tmp)
	if err := b.writeFiles(); err != nil {
		return false, err
	}
	fmt.Println("| shape | processes | requests | p50 | p99 | latest | earliest | |")
	fmt.Println("|---|--:|--:|--:|--:|--:|--:|---|")
	good = true
	for _, shape := range arrival.Shapes() {
		if only != "" && only != shape {
			continue
		}
		args, ok := b.contract(shape)
		if !ok {
			return false, fmt.Errorf("the shape %s has no contract here", shape)
		}
		for _, processes := range []int{1, 8} {
			seen, err := b.compare(ctx, slices.Clone(args), processes)
			if err != nil {
				return false, fmt.Errorf("%s, %d processes: %w", shape, processes, err)
			}
			fmt.Println(seen.row(shape, processes))
			good = good && len(seen.complaints()) == 0
		}
	}
	return good, nil
}
