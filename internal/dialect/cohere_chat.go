package dialect

import "assay/internal/workload"

// cohereChat is Cohere's chat of version 2: typed events; tokens are counted,
// and those that are paid for beside them.
var cohereChat = Dialect{
	Name:        "cohere_chat",
	About:       "Cohere's chat, version 2",
	Path:        "/v2/chat",
	Models:      "/v1/models",
	Streams:     true,
	Takes:       Text | Turns,
	LimitField:  "max_tokens",
	LimitFields: cohereLimits,
	Owns:        []string{"messages"},
	Encode:      encodeCohereChat,
	NewDecoder: func() Decoder {
		return newDecoder(api{member: cohereMember, done: cohereDone, marker: "[DONE]"})
	},
}

var cohereLimits = []string{"max_tokens"}

func encodeCohereChat(r workload.Request, o Options) ([]byte, error) {
	if _, err := limitField(o, cohereLimits); err != nil {
		return nil, err
	}
	b := newBody(sizeOf(r), o.Extra)
	b.text("model", o.Model)
	b.member("messages", func(dst []byte) []byte { return appendTurns(dst, r.Chat()) })
	if r.OutputTokens > 0 {
		b.number("max_tokens", r.OutputTokens)
	}
	b.truth("stream", o.Stream)
	return b.close()
}

// cohereMember reads an event, its delta, and a whole reply, which has the
// members of a delta. An error has a text for a message.
func cohereMember(d *decoder, key []byte) {
	switch string(key) {
	case "type":
		d.now.name = d.word("type")
	case "delta":
		d.object("a delta is no object", cohereMember)
	case "message":
		if d.in.class() == '"' {
			d.now.failed = true
			d.in.skip()
			return
		}
		d.object("message is no object", cohereMessage)
	case "finish_reason":
		d.reason()
	case "usage":
		d.object("usage is no object", cohereUsage)
	case "error":
		d.fails()
	default:
		d.in.skip()
	}
}

func cohereMessage(d *decoder, key []byte) {
	switch string(key) {
	case "role":
		d.now.role = d.filled("role") || d.now.role
	case "content":
		d.oneOrMore(coherePart)
	case "tool_plan":
		d.thinks()
	case "tool_calls":
		d.oneOrMore(toolCall)
	default:
		d.in.skip()
	}
}

func coherePart(d *decoder, key []byte) {
	switch string(key) {
	case "text":
		d.speaks("text")
	case "thinking":
		d.thinks()
	default:
		d.in.skip()
	}
}

// cohereUsage: the tokens that are paid for are those of the text alone. They
// count where the others are not told.
func cohereUsage(d *decoder, key []byte) {
	switch string(key) {
	case "tokens":
		d.usage()
	case "billed_units":
		d.later()
	case "cached_tokens":
		d.counts(&d.now.usage.cached)
	default:
		d.in.skip()
	}
}

func cohereDone(d *decoder) {
	if d.now.usage.input == noUsage.input && d.now.usage.output == noUsage.output {
		d.back((*decoder).usage)
	}
	switch {
	case string(d.now.finish) == "ERROR":
		d.now.failed = true
	case string(d.now.name) == "message-end":
		d.now.end = true
	}
}
