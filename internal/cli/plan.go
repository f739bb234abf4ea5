package cli

// assay plan: what a contract would send, and whether that can settle it.

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"assay/internal/run"

	"github.com/spf13/cobra"
)

// A planForm is what --json asks for; "" is the text for people.
type planForm string

const (
	formRequests planForm = "requests"
	formSummary  planForm = "summary"
)

func (f *planForm) String() string { return string(*f) }
func (f *planForm) Type() string   { return "form" }

// Set takes true as well: other verbs have --json without a choice.
func (f *planForm) Set(text string) error {
	switch form := planForm(text); form {
	case formRequests, formSummary:
		*f = form
	case "true":
		*f = formRequests
	default:
		return fmt.Errorf("known are %s and %s", formRequests, formSummary)
	}
	return nil
}

func newPlan(streams IO) *cobra.Command {
	var form planForm
	cmd := &cobra.Command{
		Use:   "plan [CONTRACT.yaml]",
		Short: "Say what a contract would send; send nothing",
		Long: lines("Say what a contract would send, and how many requests each objective needs at the least.",
			"Nothing is sent. --json lists every request on a line of its own; --json=summary",
			"prints one object with the rest."),
		Example: "  assay plan examples/quickstart.yaml --rate 40/s",
		Args:    cobra.MaximumNArgs(1),
	}
	cmd.RunE = look(func(cmd *cobra.Command, args []string) error {
		c, err := asked(cmd, args, allFields())
		if err != nil {
			return err
		}
		if err := c.Resolve(); err != nil {
			return err
		}
		files, remove, err := run.Unpack(c)
		if err != nil {
			return err
		}
		defer remove()
		plan, err := run.MakePlan(c, files)
		if err != nil {
			return err
		}
		switch form {
		case formRequests:
			return listPlan(streams.Out, plan)
		case formSummary:
			return summarisePlan(streams.Out, plan)
		}
		return showPlan(streams.Out, c, plan, penOf(os.Getenv))
	})
	addFields(cmd, allFields())
	cmd.Flags().Var(&form, "json", "list every request as JSON, one a line; or, with =summary, all the rest in one object")
	cmd.Flags().Lookup("json").NoOptDefVal = string(formRequests)
	return cmd
}

func listPlan(out io.Writer, plan *run.Plan) error {
	w := bufio.NewWriterSize(out, 1<<16)
	encoder := json.NewEncoder(w)
	for r := range plan.Requests() {
		if err := encoder.Encode(r); err != nil {
			return fmt.Errorf("print the plan: %w", err)
		}
	}
	return w.Flush()
}

func summarisePlan(out io.Writer, plan *run.Plan) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(plan.Summary()); err != nil {
		return fmt.Errorf("print the plan: %w", err)
	}
	return nil
}
