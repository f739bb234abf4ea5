package cli

// The flags that change fields of a contract. They are applied in the order
// of this table, whatever their order on the command line, and each goes
// through contract.Set, so that a flag and a line of the file mean the same.

import (
	"fmt"
	"io"
	"os"
	"strings"

	"assay/internal/arrival"
	"assay/internal/contract"
	"assay/internal/dialect"
	"assay/internal/sim"

	"github.com/spf13/cobra"
)

// A field is a flag and the path it sets. many may be given more than once.
type field struct {
	name, path string
	many       bool
	usage      string
}

var (
	targetFields = []field{
		{"url", "target.url", true, "`URL` of the server, base or full path; several share the load"},
		{"simulate", "target.simulate", false, "measure the embedded server with this `PRESET` instead"},
		{"path", "target.path", false, "`PATH` of the endpoint, where it is not the usual one"},
		{"endpoint", "target.endpoint", false, "`NAME` of the API: see `assay endpoints`"},
		{"model", "target.model", false, "`NAME` of the model; default: the first that the server lists"},
		{"header", "target.headers", true, "`'Name: value'` to send; ${NAME} stands for an environment variable"},
		{"api-key-env", "target.api_key_env", false, "environment `VARIABLE` that holds the key"},
	}
	trafficFields = []field{
		{"rate", "traffic.rate", false, "open loop: `RATE` such as 40/s or 600/min"},
		{"concurrency", "traffic.concurrency", false, "closed loop: `N` requests at a time"},
		{"arrivals", "traffic.arrivals", false, "`SHAPE` of the arrivals in open loop: poisson, constant, gamma, …; what a shape asks for: --set traffic.shape.KEY=VALUE"},
		{"cv", "traffic.cv", false, "`NUMBER`: coefficient of variation of the gaps of gamma and weibull; above 1 requests come in clusters"},
		{"duration", "traffic.duration", false, "`LENGTH` of the window, such as 60s"},
		{"requests", "traffic.requests", false, "`N` requests instead of a duration"},
		{"warmup", "traffic.warmup", false, "`LENGTH` of the traffic before the window"},
		{"processes", "client.processes", false, "`N` worker processes; fewer than 8 make no capacity claim"},
		{"seed", "seed", false, "`N`: the same seed gives the same schedule and requests"},
	}
	workloadFields = []field{
		{"input-tokens", "workload.input_tokens", false, "`LAW` of the prompt's length: 550, normal(550, 150), uniform(100, 200)"},
		{"output-tokens", "workload.output_tokens", false, "`LAW` of the reply's length"},
		{"prompts", "workload.prompts", false, "`FILE.jsonl` of prompts, an object with text or messages on each line"},
		{"file", "workload.file", false, "`FILE` of requests that another program wrote, read as it is: see `assay workload inspect`"},
		{"strict", "workload.strict", false, "a line of the file that can't be used ends it before anything is sent"},
		{"tokenizer", "workload.tokenizer", false, "`NAME` or path of the tokenizer: a tokenizer.json, a model in the Hugging Face cache, o200k_base; default: words are counted"},
	}
	objectiveFields = []field{
		{"slo", "slo", true, "`OBJECTIVE` that must hold, such as 'ttft p50 < 500ms'"},
	}
	anyField = field{"set", "", true, "`PATH=VALUE`: any other field of the contract"}
)

func allFields() []field {
	return join(targetFields, trafficFields, workloadFields, objectiveFields, []field{anyField})
}

func join(groups ...[]field) []field {
	var all []field
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

// addFields gives a verb these flags.
func addFields(cmd *cobra.Command, fields []field) {
	for _, f := range fields {
		if f.many {
			cmd.Flags().StringArray(f.name, nil, f.usage)
		} else {
			cmd.Flags().String(f.name, "", f.usage)
		}
	}
	if strict := cmd.Flags().Lookup("strict"); strict != nil {
		strict.NoOptDefVal = "true"
	}
	cmd.Flags().SortFlags = false
	complete(cmd, "endpoint", dialect.Names)
	complete(cmd, "arrivals", arrival.Shapes)
	complete(cmd, "simulate", sim.Names)
}

func complete(cmd *cobra.Command, name string, values func() []string) {
	if cmd.Flags().Lookup(name) == nil {
		return
	}
	err := cmd.RegisterFlagCompletionFunc(name, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return values(), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic("internal error: " + err.Error()) // a flag that was just looked up
	}
}

// contractFrom reads the contract file, or starts from nothing, and applies
// the flags. The caller resolves it.
func contractFrom(cmd *cobra.Command, file string, fields []field) (*contract.Contract, error) {
	c := contract.New()
	if file != "" {
		data, err := readInput(cmd.InOrStdin(), file)
		if err != nil {
			return nil, usagef("`assay init` writes a contract to start from", "read the contract: %w", err)
		}
		if c, err = contract.Load(file, data); err != nil {
			return nil, err
		}
	}
	return c, applyFields(cmd, c, fields)
}

// readInput reads a file, or standard input for "-".
func readInput(in io.Reader, file string) ([]byte, error) {
	if file == "-" {
		return io.ReadAll(in)
	}
	return os.ReadFile(file)
}

func applyFields(cmd *cobra.Command, c *contract.Contract, fields []field) error {
	for _, f := range fields {
		if !cmd.Flags().Changed(f.name) {
			continue
		}
		if err := applyField(cmd, c, f); err != nil {
			return err
		}
	}
	return nil
}

func applyField(cmd *cobra.Command, c *contract.Contract, f field) error {
	if !f.many {
		value, err := cmd.Flags().GetString(f.name)
		if err != nil {
			return err
		}
		return flagError(f.name, c.Set(f.path, value))
	}
	values, err := cmd.Flags().GetStringArray(f.name)
	if err != nil {
		return err
	}
	return flagError(f.name, applyMany(c, f, values))
}

// applyMany sets what may be given more than once: a list as a whole, headers
// and other settings one by one.
func applyMany(c *contract.Contract, f field, values []string) error {
	var separator, form, prefix string
	switch f.name {
	case "header":
		separator, form, prefix = ":", "Name: value", f.path+"."
	case "set":
		separator, form = "=", "PATH=VALUE"
	default:
		return c.SetList(f.path, values)
	}
	for _, v := range values {
		name, value, found := strings.Cut(v, separator)
		if name = strings.TrimSpace(name); !found || name == "" {
			// What was written stays out of the message: it may be a secret.
			return usagef("", "write it as '%s'", form)
		}
		if err := c.Set(prefix+name, strings.TrimSpace(value)); err != nil {
			return err
		}
	}
	return nil
}

// flagError says which flag an error of the contract comes from.
func flagError(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("--%s: %w", name, err)
}
