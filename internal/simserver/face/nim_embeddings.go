package face

import (
	"errors"
	"fmt"
)

// nimEmbeddings is OpenAI's embeddings with what the texts are for.
var nimEmbeddings = Face{Name: "nim_embeddings", Path: "/v1/embeddings", Parse: parseNimEmbeddings, Answer: embeddingsAnswer}

func parseNimEmbeddings(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		var r embeddingsRequest
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		switch r.InputType {
		case "query", "passage":
			return r.ask()
		case "":
			return Ask{}, errors.New("input_type is required")
		}
		return Ask{}, fmt.Errorf("input_type %q is not known: query and passage are", r.InputType)
	})
}
