package dialect

import (
	"errors"

	"assay/internal/workload"
)

// completions is OpenAI's older API: a prompt goes in, text comes out.
var completions = Dialect{
	Name:        "completions",
	About:       "OpenAI's older API: a prompt, and text",
	Path:        "/v1/completions",
	Models:      "/v1/models",
	Streams:     true,
	Takes:       Text,
	LimitField:  "max_tokens",
	LimitFields: limitFields,
	Owns:        []string{"prompt"},
	Encode:      encodeCompletions,
	NewDecoder:  func() Decoder { return newDecoder(openAI(completionsMember)) },
}

// encodeCompletions sends the prompt as a bare string: some gateways reject a
// list of one. It refuses a conversation, since how its turns would be joined
// is the model's own affair.
func encodeCompletions(r workload.Request, o Options) ([]byte, error) {
	prompt := r.Prompt
	if prompt == "" && len(r.Messages) == 1 {
		prompt = r.Messages[0].Content
	} else if prompt == "" && len(r.Messages) > 1 {
		return nil, errors.New("completions takes one text, and the prompt is a conversation")
	}
	b := newBody(len(prompt), o.Extra)
	b.text("model", o.Model)
	b.text("prompt", prompt)
	return b.finish("max_tokens", r, o)
}

// completionsMember reads what only a choice of completions has. vLLM's
// completions may carry reasoning beside the text.
func completionsMember(d *decoder, key []byte) bool {
	switch string(key) {
	case "text":
		d.speaks("text")
	case "reasoning_content", "reasoning":
		d.thinks()
	default:
		return false
	}
	return true
}
