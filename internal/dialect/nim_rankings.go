package dialect

import "assay/internal/workload"

// nimRankings is the ranking of NVIDIA's retrieval services: query and passages
// are objects, and scores are logits.
var nimRankings = Dialect{
	Name:       "nim_rankings",
	About:      "ranking of NVIDIA's NIM",
	Path:       "/v1/ranking",
	Models:     "/v1/models",
	Aliases:    []string{"rankings"},
	Takes:      Text | Documents,
	Measures:   Ranked,
	Owns:       []string{"query", "passages"},
	Encode:     encodeNimRankings,
	NewDecoder: openAIValues("rankings", nimRank),
}

func encodeNimRankings(r workload.Request, o Options) ([]byte, error) {
	query, passages, err := compared(r)
	if err != nil {
		return nil, err
	}
	b := newBody(listSize(r), o.Extra)
	b.text("model", o.Model)
	b.object("query", func(in *body) { in.text("text", query) })
	b.member("passages", func(dst []byte) []byte {
		for i, p := range passages {
			dst = append(dst, "[,"[min(i, 1)])
			dst = append(appendText(append(dst, `{"text":`...), p), '}')
		}
		return append(dst, ']')
	})
	return b.close()
}

func nimRank(d *decoder, key []byte) {
	if string(key) == "logit" {
		d.score()
	} else {
		d.in.skip()
	}
}
