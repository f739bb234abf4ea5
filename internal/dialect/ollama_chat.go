package dialect

import "assay/internal/workload"

// ollamaChat is Ollama's own API of chats: JSON lines, the last of which ends
// the reply and counts its tokens.
var ollamaChat = Dialect{
	Name:        "ollama_chat",
	About:       "Ollama's own chats",
	Path:        "/api/chat",
	Models:      "/api/tags",
	Framing:     JSONLines,
	Streams:     true,
	Takes:       Text | Turns,
	LimitField:  ollamaLimits[0],
	LimitFields: ollamaLimits,
	Owns:        []string{"messages"},
	Encode:      encodeOllamaChat,
	NewDecoder:  func() Decoder { return newDecoder(api{member: ollamaChatMember}) },
}

var ollamaLimits = []string{"options.num_predict"}

func encodeOllamaChat(r workload.Request, o Options) ([]byte, error) {
	b := newBody(sizeOf(r), o.Extra)
	b.text("model", o.Model)
	b.member("messages", func(dst []byte) []byte { return appendTurns(dst, r.Chat()) })
	return b.ollama(r, o)
}

// ollama adds what both of Ollama's APIs have. A stream is what it sends
// unless it is told not to.
func (b *body) ollama(r workload.Request, o Options) ([]byte, error) {
	if _, err := limitField(o, ollamaLimits); err != nil {
		return nil, err
	}
	b.truth("stream", o.Stream)
	if r.OutputTokens > 0 {
		b.object("options", func(in *body) { in.number("num_predict", r.OutputTokens) })
	}
	return b.close()
}

func ollamaChatMember(d *decoder, key []byte) {
	if string(key) == "message" {
		d.object("message is no object", ollamaMessage)
		return
	}
	d.ollama(key)
}

func ollamaMessage(d *decoder, key []byte) {
	switch string(key) {
	case "role":
		d.now.role = d.filled("role") || d.now.role
	case "content":
		d.speaks("content")
	case "thinking":
		d.thinks()
	case "tool_calls":
		d.toolCalls()
	default:
		d.in.skip()
	}
}

// ollama reads what both APIs have around the text: the end, and what the
// server counted.
func (d *decoder) ollama(key []byte) {
	switch string(key) {
	case "done":
		d.now.end = d.truth()
	case "done_reason":
		d.reason()
	case "prompt_eval_count":
		d.counts(&d.now.usage.input)
	case "eval_count":
		d.counts(&d.now.usage.output)
	case "error":
		d.fails()
	default:
		d.in.skip()
	}
}
