package dialect

import "assay/internal/workload"

// ollamaGenerate is Ollama's own API of texts.
var ollamaGenerate = Dialect{
	Name:        "ollama_generate",
	About:       "Ollama's own texts",
	Path:        "/api/generate",
	Models:      "/api/tags",
	Framing:     JSONLines,
	Streams:     true,
	Takes:       Text,
	LimitField:  ollamaLimits[0],
	LimitFields: ollamaLimits,
	Owns:        []string{"prompt"},
	Encode:      encodeOllamaGenerate,
	NewDecoder:  func() Decoder { return newDecoder(api{member: ollamaGenerateMember}) },
}

func encodeOllamaGenerate(r workload.Request, o Options) ([]byte, error) {
	prompt, err := oneText("ollama_generate", r)
	if err != nil {
		return nil, err
	}
	b := newBody(len(prompt), o.Extra)
	b.text("model", o.Model)
	b.text("prompt", prompt)
	return b.ollama(r, o)
}

func ollamaGenerateMember(d *decoder, key []byte) {
	switch string(key) {
	case "response":
		d.speaks("response")
	case "thinking":
		d.thinks()
	default:
		d.ollama(key)
	}
}
