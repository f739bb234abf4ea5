package cli

// assay version: what this binary is.

import (
	"encoding/json"
	"fmt"
	"runtime"

	"assay/internal/run"

	"github.com/spf13/cobra"
)

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
