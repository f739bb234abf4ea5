package face

import (
	"errors"
	"fmt"
)

// tritonGenerate is Triton's generate extension: it counts nothing, and a
// stream just ends.
var tritonGenerate = Face{
	Name: "triton_generate", Path: "/v2/models/{model}/generate", StreamPath: "/v2/models/{model}/generate_stream",
	Parse: parseTriton, Shape: tritonShape, Refusal: ollamaRefusal,
}

func parseTriton(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		var r struct {
			Text       *string `json:"text_input"`
			Limit      int     `json:"max_tokens"`
			Parameters struct {
				Limit int `json:"max_tokens"`
			} `json:"parameters"`
		}
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		if r.Text == nil {
			return Ask{}, errors.New("text_input is missing")
		}
		return Ask{Texts: []string{*r.Text}, Limit: max(0, r.Limit, r.Parameters.Limit), Stream: true, Usage: true}, nil
	})
}

func tritonShape(_ string, _ int64, model string) Shape {
	before := fmt.Sprintf(`{"model_name":%s,"model_version":"1","sequence_end":false,"sequence_id":0,"sequence_start":false,"text_output":`, quote(model))
	after := []byte(`"}`)
	return Shape{
		Text:    joined([]byte(before+`"`), after, after, after),
		Closing: func(Said, bool) []Event { return nil },
		Whole:   func(text string, _ Said) []byte { return []byte(before + quote(text) + `}`) },
	}
}
