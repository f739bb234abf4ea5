package face

import (
	"errors"
	"fmt"
	"strings"
)

// solidoRAG is SOLIDO's prompt: whole answers, and no counts.
var solidoRAG = Face{Name: "solido_rag", Path: "/rag/api/prompt", Templated: true, Parse: parseSolido, Shape: solidoShape}

func parseSolido(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		var r struct {
			Query oneOrMany `json:"query"`
			Model string    `json:"inference_model"`
		}
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		if strings.Join(r.Query, "") == "" {
			return Ask{}, errors.New("query is empty")
		}
		return Ask{Model: r.Model, Texts: r.Query}, nil
	})
}

func solidoShape(string, int64, string) Shape {
	return Shape{Whole: func(text string, _ Said) []byte {
		return fmt.Appendf(nil, `{"content":%s,"sources":[{"title":"a manual","page":1}]}`, quote(text))
	}}
}
