package dialect

// vllmPooling is vLLM's way to whatever a model's pooler makes of a text: a
// vector, a vector for each token, or scores.
var vllmPooling = Dialect{
	Name:       "vllm_pooling",
	About:      "vLLM's pooling: what a model makes of each text",
	Path:       "/pooling",
	Models:     "/v1/models",
	Takes:      Text | Texts,
	Measures:   Embeddings,
	Owns:       []string{"input"},
	Encode:     encodeList("input"),
	NewDecoder: openAIValues("data", pooled),
}

func pooled(d *decoder, key []byte) {
	if string(key) == "data" {
		d.vector()
	} else {
		d.in.skip()
	}
}
