package dialect

import "assay/internal/workload"

// chat is OpenAI's chat completions as vLLM, SGLang, llama.cpp, Ollama, TGI,
// TensorRT-LLM and the gateways before them speak it.
var chat = Dialect{
	Name:        "chat",
	Path:        "/v1/chat/completions",
	Framing:     SSE,
	Streams:     true,
	LimitField:  "max_completion_tokens",
	LimitFields: limitFields,
	Encode:      encodeChat,
	NewDecoder:  func() Decoder { return newOpenAI((*openAI).chatMember) },
}

// encodeChat renders the messages; a request that has a prompt only is one
// message of the user.
func encodeChat(r workload.Request, o Options) ([]byte, error) {
	messages := r.Messages
	if len(messages) == 0 {
		messages = []workload.Message{{Role: "user", Content: r.Prompt}}
	}
	b := newBody(len(r.Prompt)+mediaSize(r), o.Extra)
	b.text("model", o.Model)
	b.member("messages", func(dst []byte) []byte {
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
	})
	return b.finish("max_completion_tokens", r, o)
}

// chatMember reads what only a choice of chat has. A message stands there
// instead of a delta when the reply is whole, or when a proxy sends a whole
// reply as the only event of a stream.
func (d *openAI) chatMember(key []byte) bool {
	switch string(key) {
	case "delta", "message":
		d.delta()
		return true
	}
	return false
}

func (d *openAI) delta() {
	if d.in.null() {
		return
	}
	if !d.in.open('{') {
		d.strange("a delta is no object")
		return
	}
	for first := true; ; first = false {
		key, ok := d.in.member(first)
		if !ok {
			return
		}
		switch string(key) {
		case "role":
			d.now.role = d.filled("role") || d.now.role
		case "content":
			d.content()
		case "refusal":
			d.now.text = d.words("refusal") || d.now.text
		case "reasoning_content", "reasoning":
			d.now.reasoning = d.filled("") || d.now.reasoning
		case "tool_calls":
			d.toolCalls()
		case "function_call":
			d.function()
		default:
			d.in.skip()
		}
	}
}

// filled reads a string and tells whether it has a character; white space is
// one. Null is nothing; another type is strange, unless name is "".
func (d *openAI) filled(name string) bool {
	raw, ok := d.in.text()
	switch {
	case ok:
		return len(raw) > 0
	case name == "":
		d.in.skip()
	case !d.in.null():
		d.strange(name + " is no string")
	}
	return false
}

// content is a string, or a list of parts as Mistral's reasoning models send it.
func (d *openAI) content() {
	if d.in.class() != '[' {
		d.now.text = d.words("content") || d.now.text
		return
	}
	d.in.open('[')
	for first := true; d.in.more(first, ']'); first = false {
		d.part()
	}
}

func (d *openAI) part() {
	if !d.in.open('{') {
		d.strange("a part of content is no object")
		return
	}
	for first := true; ; first = false {
		key, ok := d.in.member(first)
		if !ok {
			return
		}
		switch string(key) {
		case "text":
			d.now.text = d.words("text") || d.now.text
		case "thinking":
			d.now.reasoning = d.in.class() == '[' && d.in.length() > 0 || d.now.reasoning
		default:
			d.in.skip()
		}
	}
}

// toolCalls: a call's delta is content if it brings a name or arguments.
func (d *openAI) toolCalls() {
	if d.in.null() {
		return
	}
	if !d.in.open('[') {
		d.strange("tool_calls is no array")
		return
	}
	for first := true; d.in.more(first, ']'); first = false {
		d.toolCall()
	}
}

func (d *openAI) toolCall() {
	if !d.in.open('{') {
		d.strange("a tool call is no object")
		return
	}
	for first := true; ; first = false {
		key, ok := d.in.member(first)
		if !ok {
			return
		}
		if string(key) == "function" {
			d.function()
		} else {
			d.in.skip()
		}
	}
}

func (d *openAI) function() {
	if !d.in.open('{') {
		d.in.skip()
		return
	}
	for first := true; ; first = false {
		key, ok := d.in.member(first)
		if !ok {
			return
		}
		switch string(key) {
		case "name", "arguments":
			d.now.tool = d.filled("") || d.now.tool
		default:
			d.in.skip()
		}
	}
}
