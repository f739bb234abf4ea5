//go:build linux

package main

// What it costs to make the result of a large run again.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// judge makes the result of a million requests with a hundred events each.
func (b *bench) judge(ctx context.Context) error {
	const requests, events = 1_000_000, 100
	dir := filepath.Join(b.tmp, "large")
	if err := writeFolder(dir, requests, events); err != nil {
		return fmt.Errorf("write the folder: %w", err)
	}
	size, err := readOnce(filepath.Join(dir, "records.parquet"))
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, b.assay, "judge", "--json", dir)
	var out, words bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &words
	began := time.Now()
	err = cmd.Run()
	took := time.Since(began)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	if out.Len() == 0 {
		return fmt.Errorf("judge said %q", words.String())
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	b.table.below("judge of 1,000,000 requests × 100 events", "%.1f s", took.Seconds(), 40)
	b.table.below("its memory at the most", "%.0f MiB", float64(usage.Maxrss)/1024, 2048)
	b.table.say("its CPU, and the size of its records", "%.1f s, %.0f MiB", (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), float64(size)/(1<<20))
	return nil
}

// readOnce has the file in the system's cache, so that no disk is measured.
func readOnce(name string) (int64, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return io.Copy(io.Discard, f)
}
