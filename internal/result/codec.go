package result

// The bytes of result.json, and the exit status that goes with it.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Encode writes a result: the same result gives the same bytes.
func Encode(r *Result) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return nil, fmt.Errorf("encode result: %w", err)
	}
	return b.Bytes(), nil
}

// Decode reads a result. Fields of a later version are no error.
func Decode(data []byte) (*Result, error) {
	var r Result
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("decode result: %w", err)
	}
	if r.Schema != Schema {
		return nil, fmt.Errorf("decode result: schema %q, this is %q", r.Schema, Schema)
	}
	return &r, nil
}

// Exit statuses.
const (
	ExitPass         = 0
	ExitFail         = 1
	ExitInconclusive = 3
	ExitInvalid      = 4
	ExitIncomplete   = 5
	ExitInterrupted  = 130
)

// ExitCode is the exit status of a run with this result.
func ExitCode(r *Result) int {
	has := func(code string) bool {
		return slices.ContainsFunc(r.Verdict.Reasons, func(x Reason) bool { return x.Code == code })
	}
	switch r.Verdict.Status {
	case Pass:
		return ExitPass
	case Fail:
		return ExitFail
	case Inconclusive, Unproven:
		return ExitInconclusive
	}
	switch {
	case has("interrupted"):
		return ExitInterrupted
	case has("incomplete"):
		return ExitIncomplete
	}
	return ExitInvalid
}
