package main

// The embedded server as a process of its own, with half of the cores.

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"

	"assay/bench/embedded"
)

func serve(ctx context.Context, assay string) (*embedded.Server, error) {
	return embedded.Start(ctx, assay, "fixed", []string{"ttft=" + ttft.String()}, func(cmd *exec.Cmd) error {
		cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", max(1, runtime.NumCPU()/2)))
		cmd.Stderr = os.Stderr
		return cmd.Start()
	})
}
