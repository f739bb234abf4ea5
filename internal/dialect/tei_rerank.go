package dialect

import "assay/internal/workload"

// teiRerank is the ranking of Hugging Face's text-embeddings-inference: a bare
// list of places.
var teiRerank = Dialect{
	Name:       "tei_rerank",
	About:      "text-embeddings-inference: ranking",
	Path:       "/rerank",
	Modelless:  true,
	Aliases:    []string{"hf_tei_rankings"},
	Takes:      Text | Documents,
	Measures:   Ranked,
	Owns:       []string{"query", "texts"},
	Encode:     encodeTeiRerank,
	NewDecoder: bareValues(func(d *decoder) { d.itemOf("a rank", scored) }),
}

func encodeTeiRerank(r workload.Request, o Options) ([]byte, error) {
	query, documents, err := compared(r)
	if err != nil {
		return nil, err
	}
	b := newBody(listSize(r), o.Extra)
	b.text("query", query)
	b.list("texts", documents)
	return b.close()
}

// scored reads a member of an element that has a score.
func scored(d *decoder, key []byte) {
	if string(key) == "score" {
		d.score()
	} else {
		d.in.skip()
	}
}
