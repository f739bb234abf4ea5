package cli

// assay worker: the other half of a run, started by its coordinator.

import (
	"assay/internal/run/worker"

	"github.com/spf13/cobra"
)

func newWorker() *cobra.Command {
	return &cobra.Command{
		Use:    "worker",
		Short:  "Send a share of a run's requests (started by assay itself)",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE:   act(func(cmd *cobra.Command, _ []string) error { return worker.Main(cmd.Context()) }),
	}
}
