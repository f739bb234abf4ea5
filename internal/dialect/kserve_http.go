package dialect

import (
	"strconv"

	"assay/internal/workload"
)

// kserveHTTP is the open inference protocol over HTTP, as Triton, KServe and
// OpenVINO have it: tensors go in and tensors come out. Texts are tensors of
// bytes, under the names that TensorRT-LLM's models give them. It counts
// nothing and has no streams.
var kserveHTTP = Dialect{
	Name:       "kserve_http",
	About:      "the open inference protocol (v2), with texts",
	Path:       "/v2/models/{model}/infer",
	Takes:      Text,
	Owns:       []string{"inputs"},
	Encode:     encodeKserve,
	NewDecoder: func() Decoder { return newDecoder(api{member: kserveMember}) },
}

func encodeKserve(r workload.Request, o Options) ([]byte, error) {
	prompt, err := oneText("kserve_http", r)
	if err != nil {
		return nil, err
	}
	b := newBody(len(prompt), o.Extra)
	b.member("inputs", func(dst []byte) []byte {
		dst = append(dst, `[{"name":"text_input","shape":[1,1],"datatype":"BYTES","data":[`...)
		dst = append(appendText(dst, prompt), `]}`...)
		if r.OutputTokens > 0 {
			dst = append(dst, `,{"name":"max_tokens","shape":[1,1],"datatype":"INT32","data":[`...)
			dst = append(strconv.AppendInt(dst, int64(r.OutputTokens), 10), `]}`...)
		}
		return append(dst, ']')
	})
	return b.close()
}

func kserveMember(d *decoder, key []byte) {
	switch string(key) {
	case "outputs":
		d.list("outputs is no array", func(d *decoder) { d.only("an output is no object", kserveOutput) })
	case "error":
		d.fails()
	default:
		d.in.skip()
	}
}

// kserveOutput: a tensor of strings is text, and others are what a model tells
// beside it.
func kserveOutput(d *decoder, key []byte) {
	if string(key) != "data" {
		d.in.skip()
		return
	}
	d.list("", func(d *decoder) {
		if d.in.class() == '"' {
			d.speaks("")
		} else {
			d.in.skip()
		}
	})
}
