//go:build linux

// Command bench is what `make bench` runs: it holds the built client against
// the targets of its own cost. Every ratio is of two numbers from one run of
// this command, on one machine, over loopback, with the server in a process of
// its own. It prints a table and judges nothing beyond it: a busy machine
// misses targets that a quiet one meets, so the load is printed too.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
)

// A bench is what every measurement needs: the programs, and a folder for what
// they write.
type bench struct {
	assay, floor, vegeta string
	goTool               string
	tmp                  string
	table                table
}

// cases are the measurements, in the order of the table.
var cases = []struct {
	name string
	run  func(*bench, context.Context) error
}{
	{"streams", (*bench).streams},
	{"lag", (*bench).lag},
	{"short", (*bench).short},
	{"decoder", (*bench).decoder},
	{"tokenizer", (*bench).tokenizer},
	{"startup", (*bench).startup},
	{"plan", (*bench).plan},
	{"error", (*bench).error},
	{"events", (*bench).events},
	{"open", (*bench).open}, // leaves ten thousand ports at rest: nothing comes after it
	{"judge", (*bench).judge},
	{"traces", (*bench).traces},
}

func main() {
	var b bench
	only := flag.String("only", "streams,lag,short,decoder,tokenizer,startup,plan,error,events,open", "which measurements, separated by commas; also: judge, traces")
	flag.StringVar(&b.assay, "assay", "bin/assay", "the client")
	flag.StringVar(&b.floor, "floor", "bin/bench-floor", "the floor program")
	flag.StringVar(&b.vegeta, "vegeta", "bin/bench-vegeta", "vegeta")
	flag.StringVar(&b.goTool, "go", "go", "the Go command, for the decoder's benchmark")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := b.all(ctx, strings.Split(*only, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func (b *bench) all(ctx context.Context, only []string) error {
	var err error
	if b.tmp, err = os.MkdirTemp("", "assay-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.tmp)
	fmt.Print(machine())
	for _, c := range cases {
		if !slices.Contains(only, c.name) {
			continue
		}
		fmt.Fprintf(os.Stderr, "bench: %s …\n", c.name)
		settle(ctx)
		before := busy()
		if err := c.run(b, ctx); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		b.table.note(c.name, before, busy())
	}
	fmt.Print(b.table.String())
	return nil
}
