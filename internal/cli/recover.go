package cli

// assay recover: a run that died is made whole, and marked.

import (
	"fmt"

	"assay/internal/run"
	"assay/internal/rundir"

	"github.com/spf13/cobra"
)

func newRecover(streams IO) *cobra.Command {
	var asJSON, verbose bool
	cmd := &cobra.Command{
		Use:   "recover DIR",
		Short: "Make a result of a run that died, and mark it",
		Long: lines("Make a result of what a run left that was killed, that lost its machine or ran out of disk:",
			"the journal becomes records.parquet, what was cut short at its end is dropped and counted, and",
			"result.json says that the run is invalid because it is incomplete. At most the records of the last",
			"second are lost. A run that is still going is left alone, a folder that is complete stays as it is.",
			"The exit status is that of `assay judge`."),
		Example: "  assay recover runs/quickstart-20260101T000000Z",
		Args:    cobra.ExactArgs(1),
	}
	cmd.RunE = act(func(_ *cobra.Command, args []string) error {
		r, found, err := run.Recover(args[0])
		if err != nil {
			return err
		}
		fmt.Fprintf(streams.Err, "assay: %s: %s\n", args[0], recovered(found))
		return show(r, args[0], asJSON, verbose, streams)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON and nothing else")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "every metric and every dimension")
	return cmd
}

// recovered is a recovery in a line.
func recovered(f rundir.Recovery) string {
	if f.Complete {
		return "the run is complete: nothing to recover"
	}
	s := fmt.Sprintf("recovered %d records", f.Records)
	if f.LostRecords > 0 || f.LostObservations > 0 {
		s += fmt.Sprintf("; dropped what was cut short: %d bytes of records, %d bytes of observations", f.LostRecords, f.LostObservations)
	}
	return s
}
