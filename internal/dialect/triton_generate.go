package dialect

import "assay/internal/workload"

// tritonGenerate is the generate extension of NVIDIA's Triton, as the backends
// of TensorRT-LLM and vLLM have it. It counts nothing and has no end marker:
// tokens are events, and the end of the body is the end.
var tritonGenerate = Dialect{
	Name:        "triton_generate",
	About:       "Triton's generate extension",
	Path:        "/v2/models/{model}/generate",
	StreamPath:  "/v2/models/{model}/generate_stream",
	Streams:     true,
	Quiet:       true,
	Takes:       Text,
	LimitField:  tritonLimits[0],
	LimitFields: tritonLimits,
	Owns:        []string{"text_input"},
	Encode:      encodeTriton,
	NewDecoder:  func() Decoder { return newDecoder(api{member: tritonMember}) },
}

var tritonLimits = []string{"max_tokens", "parameters.max_tokens"}

// encodeTriton: what a backend does not know as a tensor it takes for a
// parameter, so that one form does for both of them.
func encodeTriton(r workload.Request, o Options) ([]byte, error) {
	limit, err := limitField(o, tritonLimits)
	if err != nil {
		return nil, err
	}
	prompt, err := oneText("triton_generate", r)
	if err != nil {
		return nil, err
	}
	b := newBody(len(prompt), o.Extra)
	b.text("text_input", prompt)
	switch {
	case r.OutputTokens <= 0:
	case limit == tritonLimits[0]:
		b.number(limit, r.OutputTokens)
	default:
		b.object("parameters", func(in *body) { in.number("max_tokens", r.OutputTokens) })
	}
	b.truth("stream", o.Stream)
	return b.close()
}

func tritonMember(d *decoder, key []byte) {
	switch string(key) {
	case "text_output":
		d.speaks("text_output")
	case "error":
		d.fails()
	default:
		d.in.skip()
	}
}
