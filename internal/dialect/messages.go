package dialect

import (
	"strings"

	"assay/internal/workload"
)

// messages is Anthropic's API: typed events, usage at both ends of the stream.
// Ollama, vLLM and gateways speak it too.
var messages = Dialect{
	Name:        "messages",
	About:       "Anthropic's Messages",
	Path:        "/v1/messages",
	Models:      "/v1/models",
	Headers:     [][2]string{{"anthropic-version", "2023-06-01"}},
	Key:         Key{In: Header, Name: "x-api-key"},
	Streams:     true,
	Takes:       Text | Turns,
	LimitField:  "max_tokens",
	LimitFields: messagesLimits,
	Owns:        []string{"messages"},
	Encode:      encodeMessages,
	NewDecoder: func() Decoder {
		return newDecoder(api{member: messagesMember, done: messagesDone, apart: true})
	},
}

var messagesLimits = []string{"max_tokens"}

// most is the output limit of a request that knows none: the API demands one.
const most = 16384

// encodeMessages puts what the system says where the API has it: beside the
// conversation.
func encodeMessages(r workload.Request, o Options) ([]byte, error) {
	if _, err := limitField(o, messagesLimits); err != nil {
		return nil, err
	}
	system, turns := apartFromSystem(r.Chat())
	b := newBody(sizeOf(r), o.Extra)
	b.text("model", o.Model)
	limit := r.OutputTokens
	if limit <= 0 {
		limit = most
	}
	b.number("max_tokens", limit)
	if system != "" {
		b.text("system", system)
	}
	b.member("messages", func(dst []byte) []byte { return appendTurns(dst, turns) })
	if o.Stream {
		b.truth("stream", true)
	}
	return b.close()
}

// apartFromSystem takes what the system says out of a conversation.
func apartFromSystem(all []workload.Message) (system string, turns []workload.Message) {
	var says []string
	for _, m := range all {
		if m.Role == "system" {
			says = append(says, m.Content)
		} else {
			turns = append(turns, m)
		}
	}
	return strings.Join(says, "\n\n"), turns
}

// messagesMember reads an event, or a whole reply: a message of its own.
func messagesMember(d *decoder, key []byte) {
	switch string(key) {
	case "type":
		d.now.name = d.word("type")
	case "message":
		d.object("message is no object", messagesMember)
	case "role":
		d.now.role = d.filled("role") || d.now.role
	case "content":
		d.list("content is no array", func(d *decoder) { d.only("a block is no object", messagesBlock) })
	case "content_block":
		d.object("a block is no object", messagesBlock)
	case "delta":
		d.object("a delta is no object", messagesBlock)
	case "stop_reason":
		d.reason()
	case "usage":
		d.usage()
	case "error":
		d.fails()
	default:
		d.in.skip()
	}
}

// messagesBlock reads a block of content or what one event adds to it; each
// kind of it has members of its own. A tool's call begins with its name.
func messagesBlock(d *decoder, key []byte) {
	switch string(key) {
	case "text":
		d.speaks("text")
	case "thinking":
		d.thinks()
	case "name", "partial_json":
		d.calls()
	case "stop_reason":
		d.reason()
	default:
		d.in.skip()
	}
}

func messagesDone(d *decoder) {
	if string(d.now.name) == "message_stop" {
		d.now.end = true
	}
}
