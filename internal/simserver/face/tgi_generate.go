package face

import (
	"errors"
	"fmt"
)

// tgiGenerate is the API of Text Generation Inference: an event a token, the
// last with the counts, if details are asked for.
var tgiGenerate = Face{
	Name: "tgi_generate", Path: "/generate", StreamPath: "/generate_stream",
	Parse: parseTGI, Shape: tgiShape, Refusal: tgiRefusal,
}

func parseTGI(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		var r struct {
			Inputs     *string `json:"inputs"`
			Parameters struct {
				Limit   int  `json:"max_new_tokens"`
				Details bool `json:"details"`
			} `json:"parameters"`
		}
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		switch {
		case r.Inputs == nil || *r.Inputs == "":
			return Ask{}, errors.New("`inputs` cannot be empty")
		case r.Parameters.Limit < 0:
			return Ask{}, errors.New("`max_new_tokens` must be strictly positive")
		}
		return Ask{Texts: []string{*r.Inputs}, Limit: r.Parameters.Limit, Stream: true, Usage: r.Parameters.Details}, nil
	})
}

func tgiReason(s Said) string {
	if s.Reason == "length" {
		return "length"
	}
	return "eos_token"
}

func tgiShape(string, int64, string) Shape {
	return Shape{
		Text: func(dst, text []byte, s Said) []byte {
			dst = fmt.Appendf(dst, `{"index":%d,"token":{"id":%d,"text":"`, s.Output, s.Output)
			dst = append(append(dst, text...), `","logprob":-1.5,"special":false},`...)
			if !s.Last {
				return append(dst, `"generated_text":null,"details":null}`...)
			}
			return fmt.Appendf(dst, `"generated_text":%s,"details":{"finish_reason":%q,"generated_tokens":%d,"seed":null,"input_length":%d}}`,
				quote(s.All()), tgiReason(s), s.Output, s.Input)
		},
		Closing: func(Said, bool) []Event { return nil },
		Whole: func(text string, s Said) []byte {
			return fmt.Appendf(nil, `{"generated_text":%s,"details":{"finish_reason":%q,"generated_tokens":%d,"seed":null,"prefill":[],"tokens":[]}}`,
				quote(text), tgiReason(s), s.Output)
		},
	}
}

// tgiRefusal: the maker's client tells errors apart by these types.
func tgiRefusal(status int, kind, message string) []byte {
	switch {
	case kind == "invalid_request_error":
		kind, message = "validation", "Input validation error: "+message
	case status == 429:
		kind = "overloaded"
	case status >= 500:
		kind = "generation"
	}
	return encoded(map[string]string{"error": message, "error_type": kind})
}
