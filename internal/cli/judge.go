package cli

// assay judge, report and records: what is known of a run that has ended.

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"assay/internal/report"
	"assay/internal/result"
	"assay/internal/run"
	"assay/internal/rundir"

	"github.com/spf13/cobra"
)

const resultName = "result.json"

func newJudge(streams IO) *cobra.Command {
	var asJSON, verbose bool
	cmd := &cobra.Command{
		Use:   "judge DIR",
		Short: "Make a run's result again from its files, and exit by the verdict",
		Long: lines("Make a run's result again from its contract, records and observations. The same files give",
			"the same bytes: a result.json that differs is reported. One that is missing is written, unless",
			"the run did not come to its end: `assay recover` does that."),
		Args: cobra.ExactArgs(1),
	}
	cmd.RunE = look(func(_ *cobra.Command, args []string) error {
		dir := args[0]
		r, encoded, err := run.Judge(dir)
		if err != nil {
			return err
		}
		if hint := run.Unfinished(dir); hint != "" {
			fmt.Fprintf(streams.Err, "assay: hint: %s\n", hint)
		} else if err := compareResult(dir, encoded, streams); err != nil {
			return err
		}
		return show(r, dir, asJSON, verbose, streams)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON and nothing else")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "every metric and every dimension")
	return cmd
}

// compareResult holds the remade result against the one in the folder.
func compareResult(dir string, encoded []byte, streams IO) error {
	old, err := os.ReadFile(filepath.Join(dir, resultName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return rundir.WriteFile(dir, resultName, encoded)
	case err != nil:
		return fmt.Errorf("read the result: %w", err)
	case !bytes.Equal(old, encoded):
		fmt.Fprintf(streams.Err, "assay: warning: %s is not what its files give: it was altered, or made by another version\n", filepath.Join(dir, resultName))
	}
	return nil
}

func newReport(streams IO) *cobra.Command {
	var format string
	var verbose bool
	names := make([]string, 0, len(report.Forms()))
	for _, f := range report.Forms() {
		names = append(names, f.Name)
	}
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "Show a run's result",
		Args:  cobra.ExactArgs(1),
	}
	cmd.RunE = look(func(_ *cobra.Command, args []string) error {
		form, ok := report.Find(format)
		if !ok {
			return usagef("--format "+strings.Join(names, ", "), "no report is called %q", format)
		}
		r, err := readResult(args[0])
		if err != nil {
			return err
		}
		return form.Write(streams.Out, r, report.Options{
			Color: wantsColor(streams.Out), Verbose: verbose, Dir: args[0], Files: filesOf(args[0]),
		})
	})
	cmd.Flags().StringVar(&format, "format", names[0], "`FORM` of the report: "+strings.Join(names, ", "))
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "every metric and every dimension")
	complete(cmd, "format", func() []string { return names })
	return cmd
}

func readResult(dir string) (*result.Result, error) {
	data, err := os.ReadFile(filepath.Join(dir, resultName))
	if err != nil {
		return nil, usagef("name the folder of a run; `assay judge DIR` makes a result that is missing", "read the result: %w", err)
	}
	r, err := result.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, resultName), err)
	}
	return r, nil
}

func newRecords(streams IO) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "records DIR",
		Short:   "Print a run's records, one JSON object a line",
		Example: "  assay records runs/quickstart-20260101T000000Z | head -1",
		Args:    cobra.ExactArgs(1),
	}
	cmd.RunE = look(func(_ *cobra.Command, args []string) error {
		dir, err := rundir.Open(args[0])
		if err != nil {
			return usagef("name the folder of a run", "%w", err)
		}
		return errors.Join(printRecords(streams, dir), dir.Close())
	})
	return cmd
}

func printRecords(streams IO, dir *rundir.Reader) error {
	w := bufio.NewWriterSize(streams.Out, 1<<16)
	for r, err := range dir.Records()() {
		if err != nil {
			return errors.Join(err, w.Flush())
		}
		line, err := r.MarshalJSON() // not json.Marshal, which would escape the & of a URL
		if err != nil {
			return fmt.Errorf("record %s/%d: %w", r.Stream, r.Seq, err)
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return fmt.Errorf("print records: %w", err)
		}
	}
	return w.Flush()
}
