package dialect

import (
	"errors"

	"assay/internal/workload"
)

// completions is OpenAI's older API: a prompt goes in, text comes out.
var completions = Dialect{
	Name:        "completions",
	Path:        "/v1/completions",
	Framing:     SSE,
	Streams:     true,
	LimitField:  "max_tokens",
	LimitFields: limitFields,
	Encode:      encodeCompletions,
	NewDecoder:  func() Decoder { return newOpenAI((*openAI).completionsMember) },
}

// encodeCompletions sends the prompt as a bare string: some gateways reject a
// list of one. It refuses a conversation, since how its turns would be joined
// is the model's own affair.
func encodeCompletions(r workload.Request, o Options) ([]byte, error) {
	prompt := r.Prompt
	if mediaSize(r) > 0 {
		return nil, errors.New("completions takes one text, and the request has pictures or recordings")
	}
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
func (d *openAI) completionsMember(key []byte) bool {
	switch string(key) {
	case "text":
		d.now.text = d.words("text") || d.now.text
	case "reasoning_content", "reasoning":
		d.now.reasoning = d.filled("") || d.now.reasoning
	default:
		return false
	}
	return true
}
