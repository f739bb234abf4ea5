package dialect

import "assay/internal/workload"

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
// list of one.
func encodeCompletions(r workload.Request, o Options) ([]byte, error) {
	prompt, err := oneText("completions", r)
	if err != nil {
		return nil, err
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
