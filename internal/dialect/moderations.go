package dialect

// moderations is OpenAI's: a verdict for each text.
var moderations = Dialect{
	Name:       "moderations",
	About:      "OpenAI's moderations: a verdict on each text",
	Path:       "/v1/moderations",
	Models:     "/v1/models",
	Takes:      Text | Texts,
	Measures:   Judged,
	Owns:       []string{"input"},
	Encode:     encodeEmbeddings,
	NewDecoder: openAIValues("results", moderation),
}

func moderation(d *decoder, key []byte) {
	if c := d.in.class(); string(key) == "flagged" && (c == 't' || c == 'f') {
		d.item()
	}
	d.in.skip()
}
