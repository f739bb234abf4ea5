package cli

// assay init and assay schema: what is needed to write a contract.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"assay/internal/contract"

	"github.com/spf13/cobra"
)

const defaultContract = "contract.yaml"

func newInit(streams IO) *cobra.Command {
	var kind string
	cmd := &cobra.Command{
		Use:     "init [FILE]",
		Short:   "Write a commented contract to start from",
		Long:    "Write a commented contract to start from, to " + defaultContract + " unless FILE is given; - is standard output.",
		Example: "  assay init --for chat chat.yaml",
		Args:    cobra.MaximumNArgs(1),
	}
	cmd.RunE = act(func(cmd *cobra.Command, args []string) error {
		text, err := contract.Template(kind)
		if err != nil {
			return usagef("--for chat, agents or batch", "%w", err)
		}
		file := defaultContract
		if len(args) == 1 {
			file = args[0]
		}
		if file == "-" {
			_, err := streams.Out.Write(text)
			return err
		}
		if err := writeNew(file, text); err != nil {
			return err
		}
		fmt.Fprintf(streams.Err, "assay: wrote %s; `assay plan %s` says what it would send\n", file, file)
		return nil
	})
	cmd.Flags().StringVar(&kind, "for", "chat", "`KIND` of traffic: chat, agents, batch")
	complete(cmd, "for", func() []string { return []string{"chat", "agents", "batch"} })
	return cmd
}

// writeNew writes a file that must not exist: what somebody wrote by hand is
// not ours to replace.
func writeNew(file string, text []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return usagef("name another file", "%s exists and is not overwritten", file)
	}
	if err != nil {
		return fmt.Errorf("write the contract: %w", err)
	}
	if _, err := f.Write(text); err != nil {
		return errors.Join(fmt.Errorf("write the contract: %w", err), f.Close())
	}
	return f.Close()
}

// schemas are the published schemas by name.
var schemas = map[string]func() ([]byte, error){
	"contract": contract.Schema,
}

func newSchema(streams IO) *cobra.Command {
	names := []string{"contract"}
	cmd := &cobra.Command{
		Use:       "schema NAME",
		Short:     "Print a JSON Schema that editors and validators understand",
		Long:      "Print a JSON Schema that editors and validators understand: " + strings.Join(names, ", ") + ".",
		Example:   "  assay schema contract > contract.schema.json",
		Args:      cobra.ExactArgs(1),
		ValidArgs: names,
	}
	cmd.RunE = act(func(_ *cobra.Command, args []string) error {
		schema, ok := schemas[args[0]]
		if !ok {
			return usagef("there is: "+strings.Join(names, ", "), "no schema is called %q", args[0])
		}
		text, err := schema()
		if err != nil {
			return err
		}
		_, err = streams.Out.Write(text)
		return err
	})
	return cmd
}
