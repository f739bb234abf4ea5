package face

import (
	"errors"
	"fmt"
)

// llamacppCompletion is llama.cpp's own API: running counts and the tokens'
// ids with each event, an event without text at the end.
var llamacppCompletion = Face{Name: "llamacpp_completion", Path: "/completion", Parse: parseLlamacpp, Shape: llamacppShape}

func parseLlamacpp(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		var r struct {
			Prompt *string `json:"prompt"`
			Limit  int     `json:"n_predict"`
			Stream bool    `json:"stream"`
		}
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		if r.Prompt == nil {
			return Ask{}, errors.New(`"prompt" must be a string`)
		}
		return Ask{Texts: []string{*r.Prompt}, Limit: max(0, r.Limit), Stream: r.Stream, Usage: true}, nil
	})
}

func llamacppShape(_ string, _ int64, model string) Shape {
	end := func(text string, s Said) []byte {
		kind := "eos"
		if s.Reason == "length" {
			kind = "limit"
		}
		cached := max(0, s.Cached)
		return fmt.Appendf(nil, `{"index":0,"content":%s,"tokens":[],"id_slot":0,"stop":true,"model":%s,"tokens_predicted":%d,"tokens_evaluated":%d,"has_new_line":false,"truncated":false,"stop_type":%q,"stopping_word":"","tokens_cached":%d,"timings":{"cache_n":%d,"prompt_n":%d,"predicted_n":%d}}`,
			text, quote(model), s.Output, s.Input, kind, s.Input+s.Output, cached, s.Input-cached, s.Output)
	}
	return Shape{
		Text: func(dst, text []byte, s Said) []byte {
			dst = append(append(append(dst, `{"index":0,"content":"`...), text...), `","tokens":[`...)
			for i := range s.Tokens {
				if i > 0 {
					dst = append(dst, ',')
				}
				dst = fmt.Append(dst, s.Output-s.Tokens+i)
			}
			return fmt.Appendf(dst, `],"stop":false,"id_slot":-1,"tokens_predicted":%d,"tokens_evaluated":%d}`, s.Output, s.Input)
		},
		Closing: func(s Said, _ bool) []Event { return []Event{{Data: end(`""`, s)}} },
		Whole:   func(text string, s Said) []byte { return end(quote(text), s) },
	}
}
