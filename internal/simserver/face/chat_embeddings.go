package face

import (
	"errors"
	"strings"
)

// chatEmbeddings is vLLM's: one vector for a conversation.
var chatEmbeddings = Face{Name: "chat_embeddings", Path: "/v1/embeddings", Templated: true, Parse: parseChatEmbeddings, Answer: embeddingsAnswer}

func parseChatEmbeddings(body []byte) (Ask, error) {
	var of struct {
		Size   int    `json:"dimensions"`
		Format string `json:"encoding_format"`
	}
	if err := unmarshal(body, &of); err != nil {
		return Ask{}, err
	}
	a, err := parseChat(body)
	if err != nil {
		return Ask{}, err
	}
	if a.Stream {
		return Ask{}, errors.New("a vector is not streamed")
	}
	v, err := valued(a.Model, Values{Size: of.Size, Base64: of.Format == "base64"}, strings.Join(a.Texts, "\n"))
	v.Media = a.Media
	for i := range v.Media {
		v.Media[i].Behind = 0
	}
	return v, err
}
