package cli

// assay run: the main job.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay/internal/contract"
	"assay/internal/report"
	"assay/internal/result"
	"assay/internal/run"

	"github.com/spf13/cobra"
)

// runFlags are the flags of run that change nothing of what is measured.
type runFlags struct {
	out                                     string
	noGrow, prove, noPreflight, anyway, yes bool
	json, quiet, verbose                    bool
}

func newRun(streams IO) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [CONTRACT.yaml]",
		Short: "Send the traffic of a contract and rule on the server",
		Long: lines("Send the traffic of a contract and rule on the server. Flags change fields of the file;",
			"without a file they are the contract. The exit status is the verdict: 0 pass, 1 fail,",
			"3 inconclusive, 4 invalid because this client was the limit."),
		Example: lines("  assay run examples/quickstart.yaml",
			"  assay run --url http://127.0.0.1:8000 --rate 10/s --duration 60s --slo 'ttft p50 < 500ms'"),
		Args: cobra.MaximumNArgs(1),
	}
	cmd.RunE = act(func(cmd *cobra.Command, args []string) error { return carryOut(cmd, args, f, streams) })
	addFields(cmd, allFields())
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "`DIR` of the run, which must not exist (default runs/NAME-TIME)")
	flags.BoolVar(&f.noPreflight, "no-preflight", false, "send no request before the load")
	flags.BoolVar(&f.noGrow, "no-grow", false, "never repeat the run with more processes")
	flags.BoolVar(&f.prove, "prove-client", false, "run the same traffic again with twice the processes: is the client the limit?")
	flags.BoolVar(&f.anyway, "anyway", false, "run even if the objectives can't be settled")
	flags.BoolVar(&f.yes, "yes", false, "send a load also to an address that is not private or loopback")
	flags.BoolVar(&f.json, "json", false, "print result.json and nothing else")
	flags.BoolVar(&f.quiet, "quiet", false, "nothing but the report at the end")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "every metric and every dimension")
	return cmd
}

func carryOut(cmd *cobra.Command, args []string, f runFlags, streams IO) error {
	c, err := asked(cmd, args, allFields())
	if err != nil {
		return err
	}
	if f.prove {
		if err := c.Set("client.proof", contract.ProofDoubling); err != nil {
			return err
		}
	}
	if err := c.Resolve(); err != nil {
		return err
	}
	if err := consent(cmd.Context(), c, &f, streams); err != nil {
		return err
	}
	if f.out == "" {
		f.out = defaultDir(c.Name, time.Now())
	}
	options := run.Options{
		Dir: f.out, Contract: c, NoPreflight: f.noPreflight, NoGrow: f.noGrow, Anyway: f.anyway, Yes: f.yes,
	}
	var screen *live
	if !f.quiet && !f.json {
		screen = newLive(streams.Err)
		options.OnEvent = screen.event
	}
	r, err := run.Execute(cmd.Context(), options)
	screen.done()
	if err != nil {
		return err
	}
	return show(r, f.out, f.json, f.verbose, streams)
}

// asked is the contract of the command line, not yet resolved.
func asked(cmd *cobra.Command, args []string, fields []field) (*contract.Contract, error) {
	if len(args) == 1 {
		return contractFrom(cmd, args[0], fields)
	}
	for _, f := range fields {
		if cmd.Flags().Changed(f.name) {
			return contractFrom(cmd, "", fields)
		}
	}
	return nil, usagef("`assay init` writes a contract to start from; or say it with flags: assay "+cmd.Name()+
		" --url URL --rate 10/s --duration 60s", "no contract")
}

// defaultDir is runs/NAME-TIME, with a name that every file system takes.
func defaultDir(name string, now time.Time) string {
	safe := strings.Map(func(c rune) rune {
		if c == '-' || c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			return c
		}
		return '-'
	}, name)
	return filepath.Join("runs", strings.TrimLeft(safe, ".")+"-"+now.UTC().Format("20060102T150405Z"))
}

// consent asks the person at the terminal before a load is sent to an address
// that is neither loopback nor private. Without a terminal run refuses it.
func consent(ctx context.Context, c *contract.Contract, f *runFlags, streams IO) error {
	if f.yes || f.json || !isTerminal(streams.In) || !isTerminal(streams.Err) {
		return nil
	}
	hosts := run.Strangers(ctx, c)
	if len(hosts) == 0 {
		return nil
	}
	fmt.Fprintf(streams.Err, "This sends a load to %s, which is neither loopback nor private. Is it yours to load? [y/N] ", strings.Join(hosts, ", "))
	answer, err := bufio.NewReader(streams.In).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		f.yes = true
		return nil
	}
	return usagef("--yes answers in advance", "not sent")
}

// show prints a result as it was asked for and returns its exit status.
func show(r *result.Result, dir string, json, verbose bool, streams IO) error {
	form := report.Text
	if json {
		form = report.JSON
	}
	err := form(streams.Out, r, report.Options{Color: wantsColor(streams.Out), Verbose: verbose, Dir: dir, Files: filesOf(dir)})
	if err != nil {
		return fmt.Errorf("print the result: %w", err)
	}
	return exitWith(result.ExitCode(r))
}

// exitWith is nil for 0, so that a verdict and a plain success end alike.
func exitWith(code int) error {
	if code == run.ExitPass {
		return nil
	}
	return &statusError{code}
}

func filesOf(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // a report of a folder that is gone is still a report
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
