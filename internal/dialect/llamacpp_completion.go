package dialect

import "assay/internal/workload"

// llamacppCompletion is llama.cpp's own API of texts. Newer servers tell ids
// and running counts with each event, older ones count at the end.
var llamacppCompletion = Dialect{
	Name:        "llamacpp_completion",
	About:       "llama.cpp's own completion",
	Path:        "/completion",
	Models:      "/v1/models",
	Modelless:   true,
	Streams:     true,
	Takes:       Text,
	LimitField:  "n_predict",
	LimitFields: llamacppLimits,
	Owns:        []string{"prompt"},
	Encode:      encodeLlamacpp,
	NewDecoder: func() Decoder {
		return newDecoder(api{member: llamacppMember, done: llamacppDone, marker: "[DONE]"})
	},
}

var llamacppLimits = []string{"n_predict"}

func encodeLlamacpp(r workload.Request, o Options) ([]byte, error) {
	if _, err := limitField(o, llamacppLimits); err != nil {
		return nil, err
	}
	prompt, err := oneText("llamacpp_completion", r)
	if err != nil {
		return nil, err
	}
	b := newBody(len(prompt), o.Extra)
	b.text("prompt", prompt)
	if r.OutputTokens > 0 {
		b.number("n_predict", r.OutputTokens)
	}
	if o.Stream {
		b.truth("stream", true)
	}
	return b.close()
}

func llamacppMember(d *decoder, key []byte) {
	switch string(key) {
	case "content":
		d.speaks("content")
	case "tokens":
		d.now.tokens = d.in.length()
	case "stop":
		d.now.end = d.truth()
	case "stop_type":
		d.now.finish = d.word("stop_type")
	case "stopped_limit", "stopped_eos", "stopped_word": // as older servers have it
		if d.truth() {
			d.now.finish = key
		}
	case "tokens_evaluated":
		d.counts(&d.now.usage.input)
	case "tokens_predicted":
		d.counts(&d.now.usage.output)
	case "timings":
		d.object("", llamacppTimings)
	case "error":
		d.fails()
	default:
		d.in.skip()
	}
}

func llamacppTimings(d *decoder, key []byte) {
	if string(key) == "cache_n" {
		d.counts(&d.now.usage.cached)
	} else {
		d.in.skip()
	}
}

// llamacppDone: until the end the reason is "none".
func llamacppDone(d *decoder) {
	if !d.now.end {
		d.now.finish = nil
	}
}
