package face

import (
	"errors"
	"fmt"
)

// sglangGenerate is SGLang's own API, as it is started by default: each event
// has all the text so far, and the counts.
var sglangGenerate = Face{Name: "sglang_generate", Path: "/generate", Repeats: true, Parse: parseSGLang, Shape: sglangShape}

func parseSGLang(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		var r struct {
			Text     *string `json:"text"`
			Sampling struct {
				Limit int `json:"max_new_tokens"`
			} `json:"sampling_params"`
			Stream bool `json:"stream"`
		}
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		if r.Text == nil {
			return Ask{}, errors.New("text must be provided")
		}
		return Ask{Texts: []string{*r.Text}, Limit: max(0, r.Sampling.Limit), Stream: r.Stream, Usage: true}, nil
	})
}

func sglangShape(id string, _ int64, _ string) Shape {
	after := func(dst []byte, s Said) []byte {
		reason := "null"
		switch {
		case s.Last && s.Reason == "length":
			reason = fmt.Sprintf(`{"type":"length","length":%d}`, s.Output)
		case s.Last:
			reason = `{"type":"stop","matched":2}`
		}
		return fmt.Appendf(dst, `","meta_info":{"id":%q,"finish_reason":%s,"prompt_tokens":%d,"completion_tokens":%d,"cached_tokens":%d}}`,
			id, reason, s.Input, s.Output, max(0, s.Cached))
	}
	return Shape{
		Text: func(dst, text []byte, s Said) []byte {
			return after(append(append(dst, `{"text":"`...), text...), s)
		},
		Closing: func(Said, bool) []Event { return bare("[DONE]") },
		Whole: func(text string, s Said) []byte {
			inside := quote(text)
			return after(append([]byte(`{"text":`), inside[:len(inside)-1]...), s)
		},
	}
}
