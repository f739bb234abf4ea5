package dialect

import "assay/internal/workload"

// chat is OpenAI's chat completions as vLLM, SGLang, llama.cpp, Ollama, TGI,
// TensorRT-LLM and the gateways before them speak it.
var chat = Dialect{
	Name:        "chat",
	About:       "chat completions, as OpenAI and nearly every server has them",
	Path:        "/v1/chat/completions",
	Models:      "/v1/models",
	Streams:     true,
	Takes:       Text | Turns | Images | Audio,
	LimitField:  "max_completion_tokens",
	LimitFields: limitFields,
	Owns:        []string{"messages"},
	Encode:      encodeChat,
	NewDecoder:  func() Decoder { return newDecoder(openAI(chatMember)) },
}

// encodeChat renders the messages; a request that has a prompt only is one
// message of the user.
func encodeChat(r workload.Request, o Options) ([]byte, error) {
	b := newBody(len(r.Prompt)+mediaSize(r), o.Extra)
	b.text("model", o.Model)
	b.member("messages", func(dst []byte) []byte { return appendMessages(dst, r) })
	return b.finish("max_completion_tokens", r, o)
}

// appendMessages appends what a request says as chat has it.
func appendMessages(dst []byte, r workload.Request) []byte {
	messages := r.Messages
	if len(messages) == 0 {
		messages = []workload.Message{{Role: "user", Content: r.Prompt}}
	}
	for i, m := range messages {
		if dst = append(dst, "[,"[min(i, 1)]); m.Raw != nil {
			dst = append(dst, m.Raw...)
			continue
		}
		dst = appendText(append(dst, `{"role":`...), m.Role)
		dst = appendContent(append(dst, `,"content":`...), m)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// chatMember reads what only a choice of chat has. A message stands there
// instead of a delta when the reply is whole, or when a proxy sends a whole
// reply as the only event of a stream.
func chatMember(d *decoder, key []byte) bool {
	switch string(key) {
	case "delta", "message":
		d.object("a delta is no object", chatDelta)
		return true
	}
	return false
}

func chatDelta(d *decoder, key []byte) {
	switch string(key) {
	case "role":
		d.now.role = d.filled("role") || d.now.role
	case "content":
		d.content()
	case "refusal":
		d.speaks("refusal")
	case "reasoning_content", "reasoning":
		d.thinks()
	case "tool_calls":
		d.toolCalls()
	case "function_call":
		d.function()
	default:
		d.in.skip()
	}
}

// content is a string, or a list of parts as Mistral's reasoning models send it.
func (d *decoder) content() {
	if d.in.class() != '[' {
		d.speaks("content")
		return
	}
	d.list("", func(d *decoder) { d.only("a part of content is no object", chatPart) })
}

func chatPart(d *decoder, key []byte) {
	switch string(key) {
	case "text":
		d.speaks("text")
	case "thinking":
		d.now.reasoning = d.in.class() == '[' && d.in.length() > 0 || d.now.reasoning
	default:
		d.in.skip()
	}
}

// toolCalls: a call's delta is content if it brings a name or arguments.
func (d *decoder) toolCalls() {
	d.list("tool_calls is no array", func(d *decoder) { d.only("a tool call is no object", toolCall) })
}

func toolCall(d *decoder, key []byte) {
	if string(key) == "function" {
		d.function()
	} else {
		d.in.skip()
	}
}

func (d *decoder) function() { d.object("", functionMember) }

func functionMember(d *decoder, key []byte) {
	switch string(key) {
	case "name", "arguments":
		d.calls()
	default:
		d.in.skip()
	}
}
