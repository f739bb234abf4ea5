package dialect

// cohereRerank is Cohere's ranking of version 2, which vLLM has too.
var cohereRerank = Dialect{
	Name:       "cohere_rerank",
	About:      "Cohere's ranking, version 2: a score for each document",
	Path:       "/v2/rerank",
	Models:     "/v1/models",
	Aliases:    []string{"cohere_rankings"},
	Takes:      Text | Documents,
	Measures:   Ranked,
	Most:       "top_n",
	Owns:       []string{"query", "documents"},
	Encode:     encodeRerank,
	NewDecoder: values(cohereRerankMember),
}

func cohereRerankMember(d *decoder, key []byte) {
	switch string(key) {
	case "results":
		d.items("results", relevance)
	case "meta":
		d.object("", cohereMeta)
	case "usage": // vLLM's
		d.usage()
	case "error":
		d.fails()
	case "message", "detail":
		d.now.faint = d.says() || d.now.faint
	default:
		d.in.skip()
	}
}
