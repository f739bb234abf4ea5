// The codec of observations.jsonl: one JSON object a line, read tolerantly
// (fields and kinds of a later version are no error), because verdicts are
// remade from old files.
package observation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Encode returns o as one line without its newline. It refuses an
// observation that fails Check.
func Encode(o *Observation) ([]byte, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(o); err != nil {
		return nil, fmt.Errorf("encode observation of kind %s: %w", o.Kind, err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Decode reads one line.
func Decode(line []byte) (Observation, error) {
	var o Observation
	if err := json.Unmarshal(line, &o); err != nil {
		return Observation{}, fmt.Errorf("decode observation: %w", err)
	}
	return o, o.Check()
}

// Read reads all lines of r. A last line that a dying writer cut short is
// dropped, and torn is its length in bytes; damage anywhere else is an error.
func Read(r io.Reader) (all []Observation, torn int, err error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, 0, fmt.Errorf("read observations: %w", err)
	}
	for n := 1; len(data) > 0; n++ {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		data = rest
		if len(bytes.TrimSpace(line)) == 0 && whole {
			continue
		}
		o, err := Decode(line)
		switch {
		case err == nil:
			all = append(all, o)
		case !whole:
			return all, len(line), nil
		default:
			return all, 0, fmt.Errorf("observations line %d: %w", n, err)
		}
	}
	return all, 0, nil
}

// Check returns what is wrong with o, or nil: an observation of a known kind
// has the body of that kind and no other. Later versions' kinds pass.
func (o *Observation) Check() error {
	if o.Kind == "" {
		return errors.New("observation without a kind")
	}
	bodies, known := 0, false
	for _, b := range []struct {
		kind Kind
		set  bool
	}{
		{KindEpoch, o.Epoch != nil}, {KindPhases, o.Phases != nil}, {KindProcess, o.Process != nil},
		{KindRuntime, o.Runtime != nil}, {KindMachine, o.Machine != nil}, {KindClock, o.Clock != nil},
		{KindProgress, o.Progress != nil}, {KindPreflight, o.Preflight != nil}, {KindDeath, o.Death != nil},
		{KindNote, o.Note != nil},
		{KindNetwork, o.Network != nil}, {KindAttempt, o.Attempt != nil},
		{KindCalibration, o.Calibration != nil}, {KindProof, o.Proof != nil},
		{KindCache, o.Cache != nil}, {KindFile, o.File != nil}, {KindTokenizer, o.Tokenizer != nil},
	} {
		if b.set {
			bodies++
		}
		if b.kind == o.Kind {
			known = true
			if !b.set {
				return fmt.Errorf("observation of kind %s without its body", o.Kind)
			}
		}
	}
	if known && bodies > 1 || !known && bodies > 0 {
		return fmt.Errorf("observation of kind %s with the body of another", o.Kind)
	}
	return nil
}
