package dialect

import "assay/internal/workload"

// gemini is Google's API. Model and method stand in the path; every event of a
// stream is a response of its own with a running usage.
var gemini = Dialect{
	Name:        "gemini",
	About:       "Google's generateContent, of Gemini and Vertex AI",
	Path:        "/v1beta/models/{model}:generateContent",
	StreamPath:  "/v1beta/models/{model}:streamGenerateContent",
	Query:       "alt=sse",
	Models:      "/v1beta/models",
	Key:         Key{In: Header, Name: "x-goog-api-key"},
	Streams:     true,
	Takes:       Text | Turns,
	LimitField:  geminiLimits[0],
	LimitFields: geminiLimits,
	Owns:        []string{"contents"},
	Encode:      encodeGemini,
	NewDecoder: func() Decoder {
		return newDecoder(api{member: geminiMember})
	},
}

var geminiLimits = []string{"generationConfig.maxOutputTokens"}

func encodeGemini(r workload.Request, o Options) ([]byte, error) {
	if _, err := limitField(o, geminiLimits); err != nil {
		return nil, err
	}
	system, turns := apartFromSystem(r.Chat())
	b := newBody(sizeOf(r), o.Extra)
	if system != "" {
		b.member("systemInstruction", func(dst []byte) []byte { return appendParts(append(dst, '{'), system) })
	}
	b.member("contents", func(dst []byte) []byte {
		dst = append(dst, '[')
		for i, m := range turns {
			if i > 0 {
				dst = append(dst, ',')
			}
			role := m.Role
			if role == "assistant" {
				role = "model"
			}
			dst = append(appendText(append(dst, `{"role":`...), role), ',')
			dst = appendParts(dst, m.Content)
		}
		return append(dst, ']')
	})
	if r.OutputTokens > 0 {
		b.object("generationConfig", func(in *body) { in.number("maxOutputTokens", r.OutputTokens) })
	}
	return b.close()
}

// appendParts ends an object that has one text as its parts.
func appendParts(dst []byte, text string) []byte {
	return append(appendText(append(dst, `"parts":[{"text":`...), text), "}]}"...)
}

func geminiMember(d *decoder, key []byte) {
	switch string(key) {
	case "candidates":
		d.list("candidates is no array", (*decoder).geminiCandidate)
	case "usageMetadata":
		d.geminiUsage()
	case "promptFeedback":
		d.object("", geminiFeedback)
	case "error":
		d.fails()
	default:
		d.in.skip()
	}
}

// geminiFeedback: a prompt that is blocked has no candidate.
func geminiFeedback(d *decoder, key []byte) {
	if string(key) == "blockReason" {
		d.now.faint = d.filled("")
	} else {
		d.in.skip()
	}
}

func (d *decoder) geminiCandidate() {
	if !d.in.open('{') {
		d.strange("a candidate is no object")
		return
	}
	d.now.said = true
	index, before := 0, len(d.kept)
	var finish []byte
	for first := true; ; first = false {
		key, ok := d.in.member(first)
		if !ok {
			break
		}
		switch string(key) {
		case "content":
			d.object("content is no object", geminiContent)
		case "finishReason":
			finish = d.word("finishReason")
		case "index":
			index, _ = d.in.count()
		default:
			d.in.skip()
		}
	}
	if index != 0 {
		d.kept = d.kept[:before] // a conversation goes on with the first
	}
	if len(finish) > 0 {
		d.now.finish = finish
	}
	d.sum.see(index, len(finish) > 0)
}

func geminiContent(d *decoder, key []byte) {
	switch string(key) {
	case "parts":
		d.list("parts is no array", (*decoder).geminiPart)
	case "role":
		d.now.role = d.filled("") || d.now.role
	default:
		d.in.skip()
	}
}

// geminiPart: a thought is a text that says of itself that it is one.
func (d *decoder) geminiPart() {
	if !d.in.open('{') {
		d.strange("a part is no object")
		return
	}
	before, text, thought := len(d.kept), false, false
	for first := true; ; first = false {
		key, ok := d.in.member(first)
		if !ok {
			break
		}
		switch string(key) {
		case "text":
			text = d.words("text")
		case "thought":
			thought = d.truth()
		case "functionCall":
			d.object("", responsesCall)
		default:
			d.in.skip()
		}
	}
	if thought {
		d.kept = d.kept[:before]
		d.now.reasoning = d.now.reasoning || text
		return
	}
	d.now.text = d.now.text || text
}

// geminiUsage: thoughts are counted beside the candidates.
func (d *decoder) geminiUsage() {
	u, thoughts := noUsage, noUsage.output
	if !d.in.open('{') {
		d.other("")
		return
	}
	for first := true; ; first = false {
		key, ok := d.in.member(first)
		if !ok {
			break
		}
		switch string(key) {
		case "promptTokenCount":
			d.in.countInto(&u.input)
		case "candidatesTokenCount":
			d.in.countInto(&u.output)
		case "cachedContentTokenCount":
			d.in.countInto(&u.cached)
		case "thoughtsTokenCount":
			d.in.countInto(&thoughts)
		default:
			d.in.skip()
		}
	}
	if u.reasoning = thoughts; thoughts > 0 {
		u.output = max(0, u.output) + thoughts
	}
	d.now.usage, d.now.hasUsage = u, true
}
