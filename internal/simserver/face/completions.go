package face

import (
	"encoding/json"
	"errors"
	"fmt"
)

// completions is OpenAI's older API: a prompt, and text.
var completions = Face{Name: "completions", Path: "/v1/completions", Parse: parseCompletions, Shape: completionsShape}

type completionsRequest struct {
	limits
	Prompt json.RawMessage `json:"prompt"`
}

func parseCompletions(body []byte) (Ask, error) { return briefly(body, readCompletions) }

func readCompletions(body []byte) (Ask, error) {
	var r completionsRequest
	if err := unmarshal(body, &r); err != nil {
		return Ask{}, err
	}
	var prompt string
	if json.Unmarshal(r.Prompt, &prompt) == nil {
		return r.ask(prompt)
	}
	var list []string
	if json.Unmarshal(r.Prompt, &list) != nil || len(list) != 1 {
		return Ask{}, errors.New("prompt must be one string")
	}
	return r.ask(list[0])
}

func completionsShape(id string, created int64, model string) Shape {
	head := fmt.Sprintf(`{"id":"cmpl-%s","object":"text_completion","created":%d,"model":%s,`, id, created, quote(model))
	return Shape{
		Text: joined([]byte(head+`"choices":[{"index":0,"text":"`),
			[]byte(`","logprobs":null,"finish_reason":null}]}`),
			[]byte(`","logprobs":null,"finish_reason":"stop"}]}`),
			[]byte(`","logprobs":null,"finish_reason":"length"}]}`)),
		Closing: openAIClosing(head),
		Whole: func(text string, s Said) []byte {
			return fmt.Appendf(nil, `%s"choices":[{"index":0,"text":%s,"logprobs":null,"finish_reason":%s}],"usage":%s}`,
				head, quote(text), quote(s.Reason), usage(s))
		},
	}
}
