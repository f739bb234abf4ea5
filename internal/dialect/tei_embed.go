package dialect

import "assay/internal/workload"

// teiEmbed is the embedding of Hugging Face's text-embeddings-inference: a bare
// list of vectors.
var teiEmbed = Dialect{
	Name:       "tei_embed",
	About:      "text-embeddings-inference: vectors",
	Path:       "/embed",
	Modelless:  true,
	Aliases:    []string{"hf_tei_embeddings"},
	Takes:      Text | Texts,
	Measures:   Embeddings,
	Owns:       []string{"inputs"},
	Encode:     encodeTeiEmbed,
	NewDecoder: bareValues((*decoder).vector),
}

func encodeTeiEmbed(r workload.Request, o Options) ([]byte, error) {
	inputs, err := texts(r)
	if err != nil {
		return nil, err
	}
	b := newBody(listSize(r), o.Extra)
	b.oneOrList("inputs", inputs)
	return b.close()
}
