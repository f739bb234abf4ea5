package cli

// assay simulate: the embedded server as a process of its own.

import (
	"os"
	"strings"

	"assay/internal/run"
	"assay/internal/sim"

	"github.com/spf13/cobra"
)

func newSimulate(streams IO) *cobra.Command {
	o := run.SimulateOptions{Env: os.Getenv, Stdin: streams.In, Stdout: streams.Out}
	cmd := &cobra.Command{
		Use:   "simulate",
		Short: "Serve a simulated model: something to measure where there is no server",
		Long: lines("Serve a simulated model with the chat and completions APIs, /v1/models, /health, and its own",
			"account of what it wrote and when at /assay/truth, and an engine's counters at /metrics. A request may ask",
			"for a fault of its own with the header `X-Assay-Fault: cut,after=20`. It serves until it is interrupted."),
		Example: lines("  assay simulate --listen 127.0.0.1:8000 --preset fixed --set ttft=200ms --set itl=15ms",
			"  assay simulate --preset h100-8b --fault error=1%",
			"  assay simulate --preset h100-8b --describe"),
		Args: cobra.NoArgs,
	}
	cmd.RunE = act(func(cmd *cobra.Command, _ []string) error { return run.Simulate(cmd.Context(), o) })
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.Listen, "listen", "127.0.0.1:8000", "`ADDRESS`; port 0 takes a free one, unix:/run/server.sock a socket")
	flags.StringVar(&o.Preset, "preset", "fixed", "`NAME` of what is simulated: "+strings.Join(sim.Names(), ", "))
	flags.StringArrayVar(&o.Set, "set", nil, "`NAME=VALUE`: a parameter of the preset")
	flags.StringVar(&o.Tokenizer, "tokenizer", "", "`FILE`, folder or model in the Hugging Face cache: count its tokens instead of words")
	flags.StringArrayVar(&o.Faults, "fault", nil, "`NAME=VALUE`: what goes wrong on purpose, as error=1%; --describe lists them")
	flags.StringSliceVar(&o.Models, "models", nil, "`NAMES` of models to answer to, separated by commas; default: any")
	flags.StringVar(&o.APIKeyEnv, "api-key-env", "", "environment `VARIABLE` with the key that a client must show")
	flags.StringVar(&o.TLSCert, "tls-cert", "", "`FILE.pem`: serve HTTPS with this certificate")
	flags.StringVar(&o.TLSKey, "tls-key", "", "`FILE.pem` of its key")
	flags.StringVar(&o.TLSSelfSigned, "tls-self-signed", "", "serve HTTPS with a certificate made now and written to `FILE.pem`")
	flags.BoolVar(&o.Describe, "describe", false, "print the preset's parameters and serve nothing")
	flags.BoolVar(&o.JSON, "json", false, "say where the server is, or describe it, as JSON")
	flags.BoolVar(&o.DieWithParent, "die-with-parent", false, "end when standard input does")
	complete(cmd, "preset", sim.Names)
	return cmd
}
