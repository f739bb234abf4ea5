package dialect

import (
	"bytes"

	"assay/internal/workload"
)

// sglangGenerate is SGLang's own API. Each event has all the text so far, or
// only what is new if the server was started so; which of the two shows.
var sglangGenerate = Dialect{
	Name:        "sglang_generate",
	Aliases:     []string{"sglang"},
	About:       "SGLang's own generate",
	Path:        "/generate",
	Models:      "/v1/models",
	Modelless:   true,
	Streams:     true,
	Takes:       Text,
	LimitField:  sglangLimits[0],
	LimitFields: sglangLimits,
	Owns:        []string{"text"},
	Encode:      encodeSGLang,
	NewDecoder: func() Decoder {
		return newDecoder(api{member: sglangMember, done: sglangDone, marker: "[DONE]"})
	},
}

var sglangLimits = []string{"sampling_params.max_new_tokens"}

func encodeSGLang(r workload.Request, o Options) ([]byte, error) {
	if _, err := limitField(o, sglangLimits); err != nil {
		return nil, err
	}
	prompt, err := oneText("sglang_generate", r)
	if err != nil {
		return nil, err
	}
	b := newBody(len(prompt), o.Extra)
	b.text("text", prompt)
	if r.OutputTokens > 0 {
		b.object("sampling_params", func(in *body) { in.number("max_new_tokens", r.OutputTokens) })
	}
	if o.Stream {
		b.truth("stream", true)
	}
	return b.close()
}

func sglangMember(d *decoder, key []byte) {
	switch string(key) {
	case "text":
		if d.in.class() == '"' {
			d.later()
		} else {
			d.other("text is no string")
		}
	case "meta_info":
		d.object("meta_info is no object", sglangMeta)
	case "error":
		d.fails()
	default:
		d.in.skip()
	}
}

func sglangMeta(d *decoder, key []byte) {
	switch string(key) {
	case "finish_reason":
		d.object("finish_reason is no object", sglangFinish)
	case "prompt_tokens":
		d.counts(&d.now.usage.input)
	case "completion_tokens":
		d.counts(&d.now.usage.output)
	case "cached_tokens":
		d.counts(&d.now.usage.cached)
	case "reasoning_tokens":
		d.counts(&d.now.usage.reasoning)
	default:
		d.in.skip()
	}
}

func sglangFinish(d *decoder, key []byte) {
	if string(key) == "type" {
		d.reason()
	} else {
		d.in.skip()
	}
}

// sglangDone finds what is new in the text. One that does not begin with all
// that was said before is new as a whole, and so is each after it. Two equal
// ones in a row are taken for one that did not grow until that is known.
func sglangDone(d *decoder) {
	if string(d.now.finish) == "abort" {
		d.now.failed = true
	}
	if d.now.delta.to == 0 || d.in.bad {
		return
	}
	text := d.in.b[d.now.delta.from+1 : d.now.delta.to-1]
	grown, all := bytes.CutPrefix(text, d.last)
	if !all || d.grows {
		d.grows = true
		grown = text
	} else {
		d.last = append(d.last, grown...)
	}
	d.now.text = len(grown) > 0
	if d.keeps {
		d.kept = append(d.kept, plainly(grown)...)
	}
}
