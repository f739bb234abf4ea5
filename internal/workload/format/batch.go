package format

// The input of OpenAI's batch API: a body a line. A batch names its model and
// does not stream, so the body is taken apart: messages, limit and the other
// members are sent, by the model and in the manner of the contract.

import (
	"encoding/json"
	"errors"
	"fmt"

	"assay/internal/workload"
)

type batch struct {
	CustomID string          `json:"custom_id"`
	Method   string          `json:"method"`
	URL      string          `json:"url"`
	Body     json.RawMessage `json:"body"`
}

// ours are the members of a body that the contract decides.
var ours = []string{"model", "messages", "prompt", "input", "max_tokens", "max_completion_tokens", "max_output_tokens", "stream", "stream_options"}

func batchLine(o object) ([]item, error) {
	var line batch
	if err := o.into(&line); err != nil {
		return nil, err
	}
	switch {
	case !given(line.Body):
		return nil, errors.New("body is missing")
	case line.Method != "" && line.Method != "POST":
		return nil, fmt.Errorf("method %q is not POST", shorten(line.Method))
	}
	var b body
	var rest map[string]any
	if err := decode(line.Body, &b, false); err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	if err := decode(line.Body, &rest, false); err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	for _, name := range ours {
		delete(rest, name)
	}
	e := workload.Entry{}
	if len(rest) > 0 {
		e.Extra = rest
	}
	var err error
	if e.Output, err = b.limit(); err != nil {
		return nil, err
	}
	switch {
	case given(b.Messages):
		err = messages(&e, b.Messages)
	case given(b.Prompt):
		if json.Unmarshal(b.Prompt, &e.Text) != nil || e.Text == "" {
			err = errors.New("prompt is no text")
		}
	default:
		err = errors.New("body has neither messages nor a prompt")
	}
	return one(e), err
}
