package cli

// assay try: one request, shown raw.

import (
	"os"
	"strings"

	"assay/internal/dialect"
	"assay/internal/run"

	"github.com/spf13/cobra"
)

func newTry(streams IO) *cobra.Command {
	fields := join(targetFields, workloadFields, []field{anyField})
	cmd := &cobra.Command{
		Use:   "try [URL | CONTRACT.yaml]",
		Short: "Send one request and show it and its answer raw",
		Long: lines("Send one request and show it and its answer raw, each event with its time and kind.",
			"Secrets are masked. Nothing is judged and nothing is kept."),
		Example: "  assay try http://127.0.0.1:8000 --model llama-3.1-8b-instruct",
		Args:    cobra.MaximumNArgs(1),
	}
	cmd.RunE = act(func(cmd *cobra.Command, args []string) error {
		file := ""
		if len(args) == 1 && !isURL(args[0]) {
			file = args[0]
		}
		c, err := contractFrom(cmd, file, fields)
		if err != nil {
			return err
		}
		set := [][2]string{{"client.processes", "1"}}
		if len(c.Streams) == 0 { // streams say their own traffic
			set = append(set, [][2]string{{"traffic.concurrency", "1"}, {"traffic.requests", "1"}, {"traffic.warmup", "0s"}}...)
		}
		if len(args) == 1 && file == "" {
			set = append(set, [2]string{"target.url", args[0]})
		}
		if file == "" && !cmd.Flags().Changed("prompts") {
			// Short enough to be read; what a load would send is another size.
			set = append(set, unless(cmd, "input-tokens", "workload.input_tokens", "24")...)
			if d, _ := dialect.Find(c.Target.Endpoint); !d.Textless() {
				set = append(set, unless(cmd, "output-tokens", "workload.output_tokens", "24")...)
			}
		}
		if len(c.SLO)+len(c.Streams) == 0 {
			set = append(set, [2]string{"slo", "error_rate < 1%"}) // nothing is judged: whatever every endpoint has
		}
		for _, s := range set {
			if err := c.Set(s[0], s[1]); err != nil {
				return err
			}
		}
		if err := c.Resolve(); err != nil {
			return err
		}
		return run.Try(cmd.Context(), c, streams.Out)
	})
	addFields(cmd, fields)
	return cmd
}

// isURL tells an address from the name of a file: what exists is a file.
func isURL(s string) bool {
	if strings.Contains(s, "://") {
		return true
	}
	_, err := os.Stat(s)
	return err != nil && s != "-" && !strings.HasSuffix(s, ".yaml") && !strings.HasSuffix(s, ".yml")
}

func unless(cmd *cobra.Command, flag, path, value string) [][2]string {
	if cmd.Flags().Changed(flag) {
		return nil
	}
	return [][2]string{{path, value}}
}
