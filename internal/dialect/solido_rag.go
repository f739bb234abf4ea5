package dialect

import "assay/internal/workload"

// solidoRAG is the prompt of NVIDIA's SOLIDO, which finds documents and answers
// from them: the answer and its sources in one object. Nothing bounds the
// answer, and nothing is counted.
var solidoRAG = Dialect{
	Name:       "solido_rag",
	About:      "SOLIDO: an answer from documents that are found",
	Path:       "/rag/api/prompt",
	Takes:      Text,
	Endless:    true,
	Owns:       []string{"query", "inference_model"},
	Encode:     encodeSolido,
	NewDecoder: func() Decoder { return newDecoder(api{member: solidoMember}) },
}

// encodeSolido names the filters that the service is known by, unless extra
// names others.
func encodeSolido(r workload.Request, o Options) ([]byte, error) {
	prompt, err := oneText("solido_rag", r)
	if err != nil {
		return nil, err
	}
	b := newBody(len(prompt), o.Extra)
	b.list("query", []string{prompt})
	b.raw("filters", `{"family":"Solido","tool":"SDE"}`)
	b.text("inference_model", o.Model)
	return b.close()
}

func solidoMember(d *decoder, key []byte) {
	switch string(key) {
	case "content":
		d.speaks("content")
	case "error":
		d.fails()
	case "detail":
		d.now.faint = d.says() || d.now.faint
	default:
		d.in.skip()
	}
}
