package face

import (
	"errors"
	"fmt"
)

// embeddings is OpenAI's: a vector for each text.
var embeddings = Face{Name: "embeddings", Path: "/v1/embeddings", Parse: parseEmbeddings, Answer: embeddingsAnswer}

type embeddingsRequest struct {
	Model      string    `json:"model"`
	Input      oneOrMany `json:"input"`
	InputType  string    `json:"input_type"` // of another API at this path
	Dimensions *int      `json:"dimensions"`
	Format     string    `json:"encoding_format"`
}

func parseEmbeddings(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		var r embeddingsRequest
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		if r.InputType != "" {
			return Ask{}, errors.New("input_type is not known")
		}
		return r.ask()
	})
}

func (r embeddingsRequest) ask() (Ask, error) {
	v := Values{Base64: r.Format == "base64"}
	switch {
	case r.Model == "":
		return Ask{}, errors.New("model is required")
	case r.Format != "" && r.Format != "float" && !v.Base64:
		return Ask{}, fmt.Errorf("encoding_format %q is not known: float and base64 are", r.Format)
	case r.Dimensions != nil && *r.Dimensions < 1:
		return Ask{}, fmt.Errorf("dimensions must be at least 1, got %d", *r.Dimensions)
	case r.Dimensions != nil:
		v.Size = *r.Dimensions
	}
	return valued(r.Model, v, r.Input...)
}

func embeddingsAnswer(_ string, _ int64, a Ask, s Said) []byte {
	dst := each([]byte(`{"object":"list","data":`), a.Items(), func(dst []byte, i int) []byte {
		dst = fmt.Appendf(dst, `{"object":"embedding","index":%d,"embedding":`, i)
		return append(a.appendVectorOf(dst, i), '}')
	})
	return fmt.Appendf(dst, `,"model":%s,"usage":%s}`, quote(a.Model), read(s))
}

// read is the usage of an API that writes no tokens.
func read(s Said) string {
	return fmt.Sprintf(`{"prompt_tokens":%d,"total_tokens":%d}`, s.Input, s.Input)
}
