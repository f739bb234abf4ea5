package cli

// assay calibrate: what this machine can do as a client, and how far off its
// clocks are.

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"assay/internal/run"
	"assay/internal/run/calibrate"

	"github.com/spf13/cobra"
)

func newCalibrate(streams IO) *cobra.Command {
	var thorough, asJSON, quiet bool
	var out string
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "Find this machine's ceiling as a client, and the error of its clocks",
		Long: lines("Find the highest load that this machine carries as a client, for 1, 2, 4 and 8 processes, and how far",
			"its times lie from the truth, against embedded servers in processes of their own. It takes up to four",
			"minutes and wants the machine to itself. The outcome is kept for this machine, and later runs print",
			"their headroom by it; the environment variable "+run.CalibrationEnv+" names another file, or says `off`."),
		Example: lines("  assay calibrate", "  assay calibrate --thorough --out calibration.json"),
		Args:    cobra.NoArgs,
	}
	cmd.RunE = act(func(cmd *cobra.Command, _ []string) error {
		file, err := calibrationTarget(out)
		if err != nil {
			return err
		}
		o := calibrate.Quick()
		if thorough {
			o = calibrate.Thorough()
		}
		o.Say = func(line string) {
			if !quiet {
				fmt.Fprintf(streams.Err, "assay: %s\n", line)
			}
		}
		c, err := calibrate.Run(cmd.Context(), o)
		if err != nil {
			return err
		}
		if err := run.SaveCalibration(file, c); err != nil {
			return err
		}
		o.Say("saved in " + file)
		if asJSON {
			return json.NewEncoder(streams.Out).Encode(c)
		}
		return showCalibration(streams.Out, c)
	})
	flags := cmd.Flags()
	flags.BoolVar(&thorough, "thorough", false, "longer probes and a finer search: several times as long")
	flags.StringVar(&out, "out", "", "`FILE` to save to (default: kept for this machine)")
	flags.BoolVar(&asJSON, "json", false, "print JSON and nothing else")
	flags.BoolVar(&quiet, "quiet", false, "say nothing of the probes")
	return cmd
}

// calibrationTarget is where the outcome is saved. It is known before
// minutes are spent on it.
func calibrationTarget(out string) (string, error) {
	if out != "" {
		return out, nil
	}
	file, err := run.CalibrationFile(os.Getenv)
	switch {
	case err != nil:
		return "", &run.HintError{Err: err, Hint: "--out FILE saves elsewhere", Code: run.ExitUsage}
	case file == "":
		return "", &run.HintError{Err: errors.New(run.CalibrationEnv + "=off: nowhere to save"), Hint: "unset it, or save with --out FILE", Code: run.ExitUsage}
	}
	return file, nil
}

// calibrationHere is what doctor says of the calibration that is saved.
func calibrationHere() finding {
	c := run.LoadCalibration()
	if c.Unavailable != "" {
		return finding{Name: "calibration", Value: "no", Means: c.Unavailable}
	}
	top := c.Ceilings[len(c.Ceilings)-1]
	return finding{Name: "calibration", Value: "yes", Means: fmt.Sprintf("of %s: %s requests/s, %s events/s with %d processes",
		c.Taken, rateText(top.Requests), rateText(top.Events), top.Processes)}
}
