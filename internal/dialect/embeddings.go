package dialect

import "assay/internal/workload"

// embeddings is OpenAI's: a vector for each text, as nearly every server has it.
var embeddings = Dialect{
	Name:       "embeddings",
	About:      "OpenAI's embeddings: a vector for each text",
	Path:       "/v1/embeddings",
	Models:     "/v1/models",
	Takes:      Text | Texts,
	Measures:   Embeddings,
	Owns:       []string{"input"},
	Encode:     encodeEmbeddings,
	NewDecoder: openAIValues("data", embedding),
}

func encodeEmbeddings(r workload.Request, o Options) ([]byte, error) {
	inputs, err := texts(r)
	if err != nil {
		return nil, err
	}
	b := newBody(listSize(r), o.Extra)
	b.text("model", o.Model)
	b.oneOrList("input", inputs)
	return b.close()
}

// embedding reads a member of an element that has a vector.
func embedding(d *decoder, key []byte) {
	if string(key) == "embedding" {
		d.vector()
	} else {
		d.in.skip()
	}
}
