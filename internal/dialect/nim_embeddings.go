package dialect

import "assay/internal/workload"

// nimEmbeddings is that of NVIDIA's retrieval services: OpenAI's, and what the
// texts are for.
var nimEmbeddings = Dialect{
	Name:       "nim_embeddings",
	About:      "embeddings of NVIDIA's NIM",
	Path:       "/v1/embeddings",
	Models:     "/v1/models",
	Takes:      Text | Texts,
	Measures:   Embeddings,
	Owns:       []string{"input"},
	Encode:     encodeNimEmbeddings,
	NewDecoder: openAIValues("data", embedding),
}

func encodeNimEmbeddings(r workload.Request, o Options) ([]byte, error) {
	inputs, err := texts(r)
	if err != nil {
		return nil, err
	}
	b := newBody(listSize(r), o.Extra)
	b.text("model", o.Model)
	b.list("input", inputs)
	b.text("input_type", "passage")
	return b.close()
}
