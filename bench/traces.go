//go:build linux

package main

// What it costs to go through files of requests: a million of them, and a file
// that is larger than what a process may hold.

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A trace writes request n of a file, due at so many ms.
type trace struct {
	name, head string
	line       func(w *bufio.Writer, r *rand.Rand, n, at int64)
}

var traces = []trace{
	{"azure.csv", "TIMESTAMP,ContextTokens,GeneratedTokens\n", func(w *bufio.Writer, r *rand.Rand, _, at int64) {
		when := time.Date(2023, 11, 16, 0, 0, 0, 0, time.UTC).Add(time.Duration(at) * time.Millisecond)
		fmt.Fprintf(w, "%s,%d,%d\n", when.Format("2006-01-02 15:04:05.0000000"), 10+r.IntN(4000), 1+r.IntN(800))
	}},
	{"texts.jsonl", "", func(w *bufio.Writer, r *rand.Rand, n, at int64) {
		fmt.Fprintf(w, `{"timestamp": %d, "output_length": %d, "text_input": "request number %d of many"}`+"\n", at, 1+r.IntN(800), n)
	}},
	{"mooncake.jsonl", "", func(w *bufio.Writer, r *rand.Rand, n, at int64) {
		length := 100 + r.IntN(8000)
		fmt.Fprintf(w, `{"timestamp": %d, "input_length": %d, "output_length": %d, "hash_ids": [%d`, at, length, 1+r.IntN(800), r.IntN(5000))
		for block := 1; block < (length+511)/512; block++ {
			fmt.Fprintf(w, ", %d", 20*n+int64(block))
		}
		w.WriteString("]}\n")
	}},
}

// write makes a file of so many requests, or of so many bytes.
func (t trace) write(path string, requests, size int64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w, r := bufio.NewWriterSize(f, 1<<20), rand.New(rand.NewPCG(1, 2))
	w.WriteString(t.head) // an error of a buffered writer stays, and Flush tells it
	at, written := int64(0), int64(0)
	for n := int64(0); n < requests || written < size; n++ {
		at += 1 + r.Int64N(20)
		t.line(w, r, n, at)
		if n%1000 == 0 && size > 0 {
			if written, err = f.Seek(0, 1); err != nil {
				return err
			}
		}
	}
	return w.Flush()
}

func (b *bench) traces(ctx context.Context) error {
	const million, huge = 1_000_000, 1 << 30
	for _, t := range traces {
		path := filepath.Join(b.tmp, t.name)
		if err := t.write(path, million, 0); err != nil {
			return err
		}
		var all []float64
		for range 5 {
			took, _, out, err := b.costs(ctx, append(slices.Clone(planned[:7]), "--file", path)...)
			if err != nil || !bytes.Contains(out, []byte("1000000 in the window")) {
				return fmt.Errorf("plan of %s: %v\n%s", t.name, err, out)
			}
			all = append(all, took)
		}
		slices.Sort(all)
		b.table.below("plan of 1,000,000 requests of "+t.name, "%.2f s", all[len(all)/2], 2)
	}
	for _, t := range traces {
		path := filepath.Join(b.tmp, "huge-"+t.name)
		if err := t.write(path, 0, huge); err != nil {
			return err
		}
		plan := []string{"plan", "--simulate", "fixed", "--arrivals", "trace", "--duration", "60s", "--file", path}
		for _, args := range [][]string{plan, {"workload", "inspect", path}} {
			took, memory, out, err := b.costs(ctx, args...)
			if err != nil {
				return fmt.Errorf("%s of %s: %w\n%s", args[0], t.name, err, out)
			}
			b.table.say("1 GiB of "+t.name+": "+strings.Join(args[:len(args)-1], " "), "%.1f s, %.0f MiB", took, memory)
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// costs runs the client once, and says what it took in s and MiB.
func (b *bench) costs(ctx context.Context, args ...string) (took, memory float64, out []byte, err error) {
	cmd := exec.CommandContext(ctx, b.assay, args...)
	began := time.Now()
	out, err = cmd.CombinedOutput()
	took = time.Since(began).Seconds()
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		memory = float64(usage.Maxrss) / 1024
	}
	return took, memory, out, err
}
