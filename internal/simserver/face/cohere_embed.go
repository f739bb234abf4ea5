package face

import (
	"errors"
	"fmt"
)

// cohereEmbed is Cohere's embedding of version 2.
var cohereEmbed = Face{Name: "cohere_embed", Path: "/v2/embed", Parse: parseCohereEmbed, Answer: cohereEmbedAnswer, Refusal: cohereRefusal}

func parseCohereEmbed(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		var r struct {
			Model     string   `json:"model"`
			Texts     []string `json:"texts"`
			InputType string   `json:"input_type"`
			Types     []string `json:"embedding_types"`
			Size      int      `json:"output_dimension"`
		}
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		v := Values{Size: r.Size}
		switch {
		case r.InputType == "":
			return Ask{}, errors.New("input_type is required")
		case len(r.Types) > 1:
			return Ask{}, errors.New("this server gives vectors of one type")
		case len(r.Types) == 1 && r.Types[0] == "base64":
			v.Base64 = true
		case len(r.Types) == 1 && r.Types[0] != "float":
			return Ask{}, fmt.Errorf("embedding type %q is not known: float and base64 are", r.Types[0])
		}
		return valued(r.Model, v, r.Texts...)
	})
}

func cohereEmbedAnswer(id string, _ int64, a Ask, s Said) []byte {
	kind := "float"
	if a.Values.Base64 {
		kind = "base64"
	}
	dst := fmt.Appendf(nil, `{"id":%q,"embeddings":{"%s":`, id, kind)
	dst = a.appendVectors(dst)
	dst = append(dst, `},"texts":`...)
	dst = each(dst, len(a.Texts), func(dst []byte, i int) []byte { return append(dst, quote(a.Texts[i])...) })
	return fmt.Appendf(dst, `,"response_type":"embeddings_by_type","meta":{"api_version":{"version":"2"},"billed_units":{"input_tokens":%d}}}`, s.Input)
}
