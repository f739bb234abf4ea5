package dialect

// vllmClassify is vLLM's classification, which SGLang has too at /v1/classify.
var vllmClassify = Dialect{
	Name:       "vllm_classify",
	About:      "vLLM's classification: a label for each text",
	Path:       "/classify",
	Models:     "/v1/models",
	Takes:      Text | Texts,
	Measures:   Judged,
	Owns:       []string{"input"},
	Encode:     encodeEmbeddings,
	NewDecoder: openAIValues("data", classified),
}

func classified(d *decoder, key []byte) {
	if string(key) == "probs" && d.in.class() == '[' {
		if d.in.length() > 0 {
			d.item()
		}
		return
	}
	d.in.skip()
}
