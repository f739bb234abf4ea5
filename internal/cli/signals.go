package cli

// Ctrl-C: once the work is stopped in an orderly way, twice the program leaves.

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"assay/internal/run"
)

// Interruptible returns a context that the first Ctrl-C (or SIGTERM) ends. The
// second one ends the process at once, with the status of an interruption:
// what a run has written by then stays, and can be recovered.
func Interruptible(parent context.Context, stderr io.Writer) context.Context {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() { // lives as long as the process
		<-signals
		cancel()
		<-signals
		fmt.Fprintln(stderr, "\nassay: left at once; what a run had measured is kept: `assay recover DIR`")
		os.Exit(run.ExitInterrupted)
	}()
	return ctx
}
