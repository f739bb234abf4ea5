package face

// teiEmbed is the embedding of text-embeddings-inference.
var teiEmbed = Face{Name: "tei_embed", Path: "/embed", Parse: parseTeiEmbed, Answer: teiEmbedAnswer, Refusal: teiRefusal}

func parseTeiEmbed(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		var r struct {
			Inputs oneOrMany `json:"inputs"`
			Size   int       `json:"dimensions"`
		}
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		return valued("", Values{Size: r.Size}, r.Inputs...)
	})
}

func teiEmbedAnswer(_ string, _ int64, a Ask, _ Said) []byte { return a.appendVectors(nil) }

func teiRefusal(_ int, kind, message string) []byte {
	return encoded(map[string]string{"error": message, "error_type": kind})
}
