package dialect

import "assay/internal/workload"

// tgiGenerate is the API of Hugging Face's Text Generation Inference: an event
// a token, the last with all the text and, as asked for here, the counts.
var tgiGenerate = Dialect{
	Name:        "tgi_generate",
	Aliases:     []string{"huggingface_generate"},
	About:       "Text Generation Inference's own generate",
	Path:        "/generate",
	StreamPath:  "/generate_stream",
	Models:      "/v1/models",
	Modelless:   true,
	Streams:     true,
	Takes:       Text,
	LimitField:  tgiLimits[0],
	LimitFields: tgiLimits,
	Owns:        []string{"inputs"},
	Encode:      encodeTGI,
	NewDecoder:  func() Decoder { return newDecoder(api{member: tgiMember}) },
}

var tgiLimits = []string{"parameters.max_new_tokens"}

func encodeTGI(r workload.Request, o Options) ([]byte, error) {
	if _, err := limitField(o, tgiLimits); err != nil {
		return nil, err
	}
	prompt, err := oneText("tgi_generate", r)
	if err != nil {
		return nil, err
	}
	b := newBody(len(prompt), o.Extra)
	b.text("inputs", prompt)
	b.object("parameters", func(in *body) {
		if r.OutputTokens > 0 {
			in.number("max_new_tokens", r.OutputTokens)
		}
		in.truth("details", true)
	})
	return b.close()
}

func tgiMember(d *decoder, key []byte) {
	switch string(key) {
	case "token":
		d.tgiToken()
	case "generated_text":
		if d.now.whole {
			d.speaks("generated_text")
		} else {
			d.now.end = d.in.class() == '"'
			d.in.skip()
		}
	case "details":
		d.object("details is no object", tgiDetails)
	case "error":
		d.fails()
	default:
		d.in.skip()
	}
}

// tgiToken: a special token is none of the text.
func (d *decoder) tgiToken() {
	if !d.in.open('{') {
		d.other("token is no object")
		return
	}
	before, text, special := len(d.kept), false, false
	for first := true; ; first = false {
		key, ok := d.in.member(first)
		if !ok {
			break
		}
		switch string(key) {
		case "text":
			text = d.words("text")
		case "special":
			special = d.truth()
		default:
			d.in.skip()
		}
	}
	d.now.tokens = 1
	if special {
		d.kept = d.kept[:before]
		return
	}
	d.now.text = text
}

func tgiDetails(d *decoder, key []byte) {
	switch string(key) {
	case "finish_reason":
		d.reason()
	case "generated_tokens":
		d.counts(&d.now.usage.output)
	case "input_length":
		d.counts(&d.now.usage.input)
	default:
		d.in.skip()
	}
}
