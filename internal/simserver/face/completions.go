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
		Before: []byte(head + `"choices":[{"index":0,"text":"`),
		After:  []byte(`","logprobs":null,"finish_reason":null}]}`),
		Stop:   []byte(`","logprobs":null,"finish_reason":"stop"}]}`),
		Length: []byte(`","logprobs":null,"finish_reason":"length"}]}`),
		Ending: []byte("[DONE]"),
		Usage: func(input, output, cached int) []byte {
			return []byte(head + `"choices":[],"usage":` + usage(input, output, cached) + `}`)
		},
		Whole: func(text, reason string, input, output, cached int) []byte {
			return fmt.Appendf(nil, `%s"choices":[{"index":0,"text":%s,"logprobs":null,"finish_reason":%s}],"usage":%s}`,
				head, quote(text), quote(reason), usage(input, output, cached))
		},
	}
}
