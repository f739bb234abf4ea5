package dialect

// jinaRerank is Jina's ranking, which vLLM, llama.cpp and others have too.
var jinaRerank = Dialect{
	Name:       "jina_rerank",
	About:      "Jina's ranking, as vLLM and llama.cpp have it",
	Path:       "/v1/rerank",
	Models:     "/v1/models",
	Takes:      Text | Documents,
	Measures:   Ranked,
	Most:       "top_n",
	Owns:       []string{"query", "documents"},
	Encode:     encodeRerank,
	NewDecoder: openAIValues("results", relevance),
}
