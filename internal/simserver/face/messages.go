package face

import (
	"errors"
	"fmt"
)

// messages is Anthropic's API: named events, the prompt's count at the
// beginning and the reply's at the end. What a cache had of the prompt is
// counted apart.
var messages = Face{
	Name: "messages", Path: "/v1/messages", Templated: true,
	Keys: []string{"X-Api-Key", "Authorization"}, Needs: []string{"anthropic-version"},
	Parse: parseMessages, Shape: messagesShape, Refusal: messagesRefusal,
}

func parseMessages(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		var r struct {
			Model    string      `json:"model"`
			Limit    *int        `json:"max_tokens"`
			System   textOrParts `json:"system"`
			Stream   bool        `json:"stream"`
			Messages []struct {
				Role    string      `json:"role"`
				Content textOrParts `json:"content"`
			} `json:"messages"`
		}
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		switch {
		case r.Limit == nil:
			return Ask{}, errors.New("max_tokens: Field required")
		case *r.Limit < 1:
			return Ask{}, fmt.Errorf("max_tokens: must be at least 1, got %d", *r.Limit)
		case len(r.Messages) == 0:
			return Ask{}, errors.New("messages: at least one message is required")
		}
		a := Ask{Model: r.Model, Limit: *r.Limit, Stream: r.Stream, Usage: true}
		if r.System != "" {
			a.Texts = append(a.Texts, string(r.System))
		}
		for i, m := range r.Messages {
			if m.Role != "user" && m.Role != "assistant" {
				return Ask{}, fmt.Errorf("messages.%d.role: Input should be 'user' or 'assistant'", i)
			}
			a.Texts = append(a.Texts, string(m.Content))
		}
		return a, nil
	})
}

func messagesReason(s Said) string {
	if s.Reason == "length" {
		return `"max_tokens"`
	}
	return `"end_turn"`
}

// messagesPrompt are the counts of the prompt.
func messagesPrompt(s Said) string {
	cached := max(0, s.Cached)
	return fmt.Sprintf(`"input_tokens":%d,"cache_creation_input_tokens":0,"cache_read_input_tokens":%d,`, s.Input-cached, cached)
}

func messagesShape(id string, _ int64, model string) Shape {
	message := func(content, reason, usage string) string {
		return fmt.Sprintf(`{"id":"msg_%s","type":"message","role":"assistant","model":%s,"content":[%s],"stop_reason":%s,"stop_sequence":null,"usage":{%s}}`,
			id, quote(model), content, reason, usage)
	}
	after := []byte(`"}}`)
	return Shape{
		// The prompt is not counted yet when this leaves: the last usage has it.
		Opening: []Event{
			{"message_start", []byte(`{"type":"message_start","message":` + message("", "null", `"input_tokens":0,"output_tokens":1`) + `}`)},
			{"content_block_start", []byte(`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`)},
			{"ping", []byte(`{"type": "ping"}`)},
		},
		Name: "content_block_delta",
		Text: joined([]byte(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"`), after, after, after),
		Closing: func(s Said, _ bool) []Event {
			return []Event{
				{"content_block_stop", []byte(`{"type":"content_block_stop","index":0}`)},
				{"message_delta", fmt.Appendf(nil, `{"type":"message_delta","delta":{"stop_reason":%s,"stop_sequence":null},"usage":{%s"output_tokens":%d}}`,
					messagesReason(s), messagesPrompt(s), s.Output)},
				{"message_stop", []byte(`{"type":"message_stop"}`)},
			}
		},
		Whole: func(text string, s Said) []byte {
			return []byte(message(`{"type":"text","text":`+quote(text)+`}`, messagesReason(s), fmt.Sprintf(`%s"output_tokens":%d`, messagesPrompt(s), s.Output)))
		},
	}
}

func messagesRefusal(status int, kind, message string) []byte {
	if named := map[int]string{401: "authentication_error", 404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error", 500: "api_error"}[status]; named != "" {
		kind = named
	}
	return encoded(map[string]any{"type": "error", "error": map[string]string{"type": kind, "message": message}})
}
