package dialect

import "assay/internal/workload"

// responses is OpenAI's newer API: typed events, of which the last holds the
// whole response with its usage.
var responses = Dialect{
	Name:        "responses",
	About:       "OpenAI's Responses",
	Path:        "/v1/responses",
	Models:      "/v1/models",
	Streams:     true,
	Takes:       Text | Turns,
	LimitField:  "max_output_tokens",
	LimitFields: responsesLimits,
	Owns:        []string{"input"},
	Encode:      encodeResponses,
	NewDecoder: func() Decoder {
		return newDecoder(api{member: responsesMember, done: responsesDone})
	},
}

var responsesLimits = []string{"max_output_tokens"}

func encodeResponses(r workload.Request, o Options) ([]byte, error) {
	if _, err := limitField(o, responsesLimits); err != nil {
		return nil, err
	}
	b := newBody(sizeOf(r), o.Extra)
	b.text("model", o.Model)
	if len(r.Messages) == 0 {
		b.text("input", r.Prompt)
	} else {
		b.member("input", func(dst []byte) []byte { return appendTurns(dst, r.Messages) })
	}
	if r.OutputTokens > 0 {
		b.number("max_output_tokens", r.OutputTokens)
	}
	if o.Stream {
		b.truth("stream", true)
	}
	return b.close()
}

// responsesMember reads an event. What a delta or an item is about stands in
// the type, which may stand behind it.
func responsesMember(d *decoder, key []byte) {
	switch string(key) {
	case "type":
		d.now.name = d.word("type")
	case "delta", "item":
		d.later()
	case "response":
		d.object("a response is no object", responsesWhole)
	default:
		if d.now.whole || string(key) == "error" {
			responsesWhole(d, key)
		} else {
			d.in.skip()
		}
	}
}

// responsesWhole reads a response: what it said is of interest where nothing
// of it came before.
func responsesWhole(d *decoder, key []byte) {
	switch string(key) {
	case "usage":
		d.usage()
	case "status":
		if raw := d.word("status"); d.now.finish == nil {
			d.now.finish = raw
		}
	case "incomplete_details":
		d.object("", responsesIncomplete)
	case "error":
		d.fails()
	case "output":
		if d.now.whole {
			d.list("output is no array", func(d *decoder) { d.only("an item is no object", responsesItem) })
			return
		}
		d.in.skip()
	default:
		d.in.skip()
	}
}

func responsesIncomplete(d *decoder, key []byte) {
	if string(key) != "reason" {
		d.in.skip()
	} else if raw := d.word("reason"); len(raw) > 0 {
		d.now.finish = raw
	}
}

// responsesItem reads an item of the output: a message, a reasoning, a call.
func responsesItem(d *decoder, key []byte) {
	switch string(key) {
	case "content", "summary":
		d.list("", func(d *decoder) { d.object("", responsesPart) })
	case "name", "arguments":
		d.calls()
	default:
		d.in.skip()
	}
}

func responsesPart(d *decoder, key []byte) {
	switch string(key) {
	case "text", "refusal":
		d.speaks("text")
	default:
		d.in.skip()
	}
}

// responsesCall reads the name of the call that an item begins.
func responsesCall(d *decoder, key []byte) {
	if string(key) == "name" {
		d.calls()
	} else {
		d.in.skip()
	}
}

func responsesDone(d *decoder) {
	if d.now.whole {
		d.sum.see(0, len(d.now.finish) > 0)
		return
	}
	status := d.now.finish
	d.now.finish = nil // a status before the end is none
	switch string(d.now.name) {
	case "response.output_text.delta", "response.refusal.delta", "response.audio.transcript.delta":
		d.back(func(d *decoder) { d.speaks("delta") })
	case "response.reasoning_text.delta", "response.reasoning_summary_text.delta":
		d.back((*decoder).thinks)
	case "response.function_call_arguments.delta", "response.custom_tool_call_input.delta", "response.mcp_call_arguments.delta":
		d.back((*decoder).calls)
	case "response.output_item.added":
		d.back(func(d *decoder) { d.object("", responsesCall) })
	case "response.completed", "response.incomplete":
		d.now.end, d.now.finish = true, status
		d.sum.see(0, true)
	case "response.failed", "error":
		d.now.failed = true
	}
}
