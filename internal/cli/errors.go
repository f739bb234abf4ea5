package cli

// How a failure is told: one line that says what could not be done, one that
// says what to do, and the exit status.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"assay/internal/contract"
	"assay/internal/record"
	"assay/internal/run"

	"github.com/spf13/cobra"
)

// A statusError is a command that did its work and has an exit status to tell
// and nothing to say.
type statusError struct{ code int }

func (e *statusError) Error() string { return fmt.Sprintf("exit status %d", e.code) }

// A workError is an error of a verb's own work. Whatever else comes out of
// cobra is a command line that can't be used.
type workError struct{ err error }

func (e *workError) Error() string { return e.err.Error() }
func (e *workError) Unwrap() error { return e.err }

// act makes a verb of a function, and marks its errors as its own.
func act(work func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if err := work(cmd, args); err != nil {
			return &workError{err}
		}
		return nil
	}
}

// look makes a verb of a function that only reads and prints: the first
// interruption ends it, and its work ends with the process.
func look(work func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return act(func(cmd *cobra.Command, args []string) error {
		done := make(chan error, 1)
		go func() { done <- work(cmd, args) }()
		select {
		case err := <-done:
			return err
		case <-cmd.Context().Done():
			return cmd.Context().Err()
		}
	})
}

func usagef(hint, format string, args ...any) error {
	return &run.HintError{Err: fmt.Errorf(format, args...), Hint: hint, Code: run.ExitUsage}
}

// tell prints an error for people and returns the exit status it deserves.
func tell(w io.Writer, err error) int {
	var status *statusError
	if errors.As(err, &status) {
		return status.code
	}
	message, hint, code := explain(err)
	fmt.Fprintf(w, "assay: error: %s\n", record.Printable(message))
	if hint != "" {
		fmt.Fprintf(w, "assay: hint: %s\n", record.Printable(hint))
	}
	return code
}

func explain(err error) (message, hint string, code int) {
	var place *contract.Error
	var hinted *run.HintError
	var work *workError
	switch {
	case errors.As(err, &place):
		return err.Error(), place.Hint, run.ExitUsage
	case errors.As(err, &hinted):
		return err.Error(), hinted.Hint, hinted.Code
	case errors.Is(err, context.Canceled):
		return "interrupted", "", run.ExitInterrupted
	case errors.As(err, &work):
		return err.Error(), "", run.ExitCannot
	}
	message, hint = misspelt(err.Error())
	return message, hint, run.ExitUsage
}

// misspelt takes apart what cobra says of a command line that it can't use.
func misspelt(message string) (string, string) {
	message, suggestions, found := strings.Cut(strings.TrimSpace(message), "\n\nDid you mean this?\n")
	message = strings.Replace(message, ` for "assay"`, "", 1)
	if found {
		var names []string
		for _, s := range strings.Fields(suggestions) {
			names = append(names, "`assay "+s+"`")
		}
		return message, "did you mean " + strings.Join(names, " or ") + "?"
	}
	return message, "`assay --help` lists the commands, `assay COMMAND --help` the flags of one"
}
