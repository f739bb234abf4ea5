// Package cli is the command line: one file a verb. It turns arguments into a
// contract, has the work done by the packages below, and shows the outcome.
// It decides nothing about a measurement and prints no number of its own. It
// promises that errors and hints go to standard error, that --json leaves
// standard output to the result alone, and that the exit status is one of
// docs/exit-status.md.
package cli

import (
	"context"
	"io"
	"strings"

	"assay/internal/run"

	"github.com/spf13/cobra"
)

// IO is where a command reads and writes.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
}

// Main carries out one command line and returns its exit status.
func Main(ctx context.Context, args []string, streams IO) int {
	root := newRoot(streams)
	root.SetArgs(args)
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.Err)
	if !internalVerb(args) {
		if err := loadDotEnv(".env"); err != nil {
			return tell(streams.Err, &run.HintError{Err: err, Code: run.ExitUsage})
		}
	}
	if err := root.ExecuteContext(ctx); err != nil {
		return tell(streams.Err, err)
	}
	return run.ExitPass
}

// internalVerb tells the commands that assay starts itself: what they need of
// the environment they inherit.
func internalVerb(args []string) bool { return len(args) > 0 && args[0] == "worker" }

const (
	groupMeasure = "measure"
	groupLook    = "look"
	groupPrepare = "prepare"
)

func newRoot(streams IO) *cobra.Command {
	root := &cobra.Command{
		Use:           "assay",
		Short:         "Measure a server that runs language models, and rule on it",
		Long:          "Assay sends the traffic of a contract to an LLM server and rules on what came back:\npass, fail or inconclusive; invalid when this client was the limit.",
		Example:       "  assay run --simulate fixed --rate 20/s --duration 20s\n  assay run --url http://127.0.0.1:8000 --rate 10/s --duration 60s --slo 'ttft p50 < 500ms'",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	cobra.EnableCommandSorting = false // the order below is that of first use
	root.AddGroup(
		&cobra.Group{ID: groupMeasure, Title: "Measure:"},
		&cobra.Group{ID: groupLook, Title: "Look at runs:"},
		&cobra.Group{ID: groupPrepare, Title: "Prepare:"},
	)
	root.SetHelpCommandGroupID(groupPrepare)
	root.SetCompletionCommandGroupID(groupPrepare)
	add := func(group string, verbs ...*cobra.Command) {
		for _, v := range verbs {
			v.GroupID = group
			root.AddCommand(v)
		}
	}
	add(groupMeasure, newRun(streams), newTry(streams), newPlan(streams), newCalibrate(streams), newSimulate(streams))
	add(groupLook, newJudge(streams), newRecover(streams), newReport(streams), newRecords(streams))
	add(groupPrepare, newInit(streams), newSchema(streams), newWorkload(streams), newEndpoints(streams), newDoctor(streams), newVersion(streams))
	root.AddCommand(newWorker())
	return root
}

// lines joins the paragraphs of a help text.
func lines(s ...string) string { return strings.Join(s, "\n") }
