package face

import (
	"errors"
	"fmt"
)

// cohereChat is Cohere's chat of version 2: named events, the counts in the last.
var cohereChat = Face{
	Name: "cohere_chat", Path: "/v2/chat", Templated: true,
	Parse: parseCohereChat, Shape: cohereChatShape, Refusal: cohereRefusal,
}

func parseCohereChat(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		var r struct {
			Model    string `json:"model"`
			Limit    int    `json:"max_tokens"`
			Stream   bool   `json:"stream"`
			Messages []struct {
				Content textOrParts `json:"content"`
			} `json:"messages"`
		}
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		switch {
		case r.Model == "":
			return Ask{}, errors.New("invalid request: model is required")
		case len(r.Messages) == 0:
			return Ask{}, errors.New("invalid request: messages must not be empty")
		case r.Limit < 0:
			return Ask{}, fmt.Errorf("invalid request: max_tokens must not be negative, got %d", r.Limit)
		}
		a := Ask{Model: r.Model, Limit: r.Limit, Stream: r.Stream, Usage: true}
		for _, m := range r.Messages {
			a.Texts = append(a.Texts, string(m.Content))
		}
		return a, nil
	})
}

func cohereChatShape(id string, _ int64, _ string) Shape {
	// The tokens that are paid for are those of the texts alone.
	end := func(s Said) string {
		reason := "COMPLETE"
		if s.Reason == "length" {
			reason = "MAX_TOKENS"
		}
		return fmt.Sprintf(`"finish_reason":%q,"usage":{"billed_units":{"input_tokens":%d,"output_tokens":%d},"tokens":{"input_tokens":%d,"output_tokens":%d},"cached_tokens":%d}`,
			reason, s.Input, s.Output, s.Input, s.Output, max(0, s.Cached))
	}
	after := []byte(`"}}}}`)
	return Shape{
		Opening: []Event{
			{"message-start", fmt.Appendf(nil, `{"id":%q,"type":"message-start","delta":{"message":{"role":"assistant","content":[],"tool_plan":"","tool_calls":[],"citations":[]}}}`, id)},
			{"content-start", []byte(`{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":""}}}}`)},
		},
		Name: "content-delta",
		Text: joined([]byte(`{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"`), after, after, after),
		Closing: func(s Said, _ bool) []Event {
			return []Event{
				{"content-end", []byte(`{"type":"content-end","index":0}`)},
				{"message-end", fmt.Appendf(nil, `{"type":"message-end","id":%q,"delta":{%s}}`, id, end(s))},
				{"", []byte("[DONE]")}, // the end, as the maker's own clients know it
			}
		},
		Whole: func(text string, s Said) []byte {
			return fmt.Appendf(nil, `{"id":%q,"message":{"role":"assistant","content":[{"type":"text","text":%s}]},%s}`, id, quote(text), end(s))
		},
	}
}

func cohereRefusal(_ int, _, message string) []byte {
	return encoded(map[string]string{"message": message})
}
