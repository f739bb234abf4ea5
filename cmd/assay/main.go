// Command assay measures servers that run language models and rules on them.
package main

import (
	"context"
	"os"

	"assay/internal/cli"
)

func main() {
	ctx := cli.Interruptible(context.Background(), os.Stderr)
	os.Exit(cli.Main(ctx, os.Args[1:], cli.IO{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
