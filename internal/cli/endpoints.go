package cli

// assay endpoints and assay version: what this binary is and speaks.

import (
	"encoding/json"
	"fmt"
	"runtime"
	"text/tabwriter"

	"assay/internal/dialect"
	"assay/internal/run"

	"github.com/spf13/cobra"
)

func newEndpoints(streams IO) *cobra.Command {
	return &cobra.Command{
		Use:   "endpoints",
		Short: "List the APIs that a contract can name",
		Args:  cobra.NoArgs,
		RunE: act(func(*cobra.Command, []string) error {
			w := tabwriter.NewWriter(streams.Out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "ENDPOINT\tPATH\tSTREAMS\tOUTPUT LIMIT")
			for _, d := range dialect.Table() {
				streams := "no"
				if d.Streams {
					streams = "yes"
				}
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", d.Name, d.Path, streams, d.LimitField)
			}
			return w.Flush()
		}),
	}
}

func newVersion(streams IO) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Say which version this is",
		Args:  cobra.NoArgs,
	}
	cmd.RunE = act(func(*cobra.Command, []string) error {
		if !asJSON {
			_, err := fmt.Fprintf(streams.Out, "assay %s %s/%s %s\n", run.Version(), runtime.GOOS, runtime.GOARCH, runtime.Version())
			return err
		}
		return json.NewEncoder(streams.Out).Encode(map[string]string{
			"version": run.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH, "go": runtime.Version(),
		})
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
