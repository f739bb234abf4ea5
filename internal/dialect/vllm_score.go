package dialect

import "assay/internal/workload"

// vllmScore is vLLM's comparison of one text with others, in their order.
var vllmScore = Dialect{
	Name:       "vllm_score",
	About:      "vLLM's scores of a text with each of others",
	Path:       "/score",
	Models:     "/v1/models",
	Takes:      Text | Documents,
	Measures:   Ranked,
	Owns:       []string{"text_1", "text_2", "data_1", "data_2", "queries", "documents", "items"},
	Encode:     encodeVllmScore,
	NewDecoder: openAIValues("data", scored),
}

func encodeVllmScore(r workload.Request, o Options) ([]byte, error) {
	query, documents, err := compared(r)
	if err != nil {
		return nil, err
	}
	b := newBody(listSize(r), o.Extra)
	b.text("model", o.Model)
	b.text("text_1", query)
	b.list("text_2", documents)
	return b.close()
}
