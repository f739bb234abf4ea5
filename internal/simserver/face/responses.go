package face

import (
	"encoding/json"
	"errors"
	"fmt"
)

// responses is OpenAI's newer API: typed events with numbers, around the text
// those that open and close the response, its item and its part.
var responses = Face{Name: "responses", Path: "/v1/responses", Templated: true, Parse: parseResponses, Shape: responsesShape}

func parseResponses(body []byte) (Ask, error) { return briefly(body, readResponses) }

func readResponses(body []byte) (Ask, error) {
	var r struct {
		Model  string          `json:"model"`
		Input  json.RawMessage `json:"input"`
		Limit  *int            `json:"max_output_tokens"`
		Stream bool            `json:"stream"`
	}
	if err := unmarshal(body, &r); err != nil {
		return Ask{}, err
	}
	a := Ask{Model: r.Model, Stream: r.Stream, Usage: true}
	if r.Limit != nil {
		if a.Limit = *r.Limit; a.Limit < 1 {
			return Ask{}, fmt.Errorf("max_output_tokens must be at least 1, got %d", a.Limit)
		}
	}
	var text string
	if json.Unmarshal(r.Input, &text) == nil && len(r.Input) > 0 && r.Input[0] == '"' {
		a.Texts = []string{text}
		return a, nil
	}
	var items []struct {
		Content textOrParts `json:"content"`
	}
	if err := json.Unmarshal(r.Input, &items); err != nil || len(items) == 0 {
		return Ask{}, errors.New("input must be a text or a list of messages")
	}
	for _, item := range items {
		a.Texts = append(a.Texts, string(item.Content))
	}
	return a, nil
}

// responsesReason is why a response is not complete; "" when it is.
func responsesReason(s Said) string {
	if s.Reason == "length" {
		return "max_output_tokens"
	}
	return ""
}

func responsesShape(id string, created int64, model string) Shape {
	item := func(status, content string) string {
		return fmt.Sprintf(`{"id":"msg_%s","type":"message","status":%q,"role":"assistant","content":[%s]}`, id, status, content)
	}
	part := func(text string) string { return `{"type":"output_text","annotations":[],"text":` + text + `}` }
	response := func(status, reason, output, usage string) string {
		incomplete := "null"
		if reason != "" {
			incomplete = `{"reason":` + quote(reason) + `}`
		}
		return fmt.Sprintf(`{"id":"resp_%s","object":"response","created_at":%d,"status":%q,"error":null,"incomplete_details":%s,"model":%s,"output":[%s],"parallel_tool_calls":true,"tool_choice":"auto","tools":[],"usage":%s}`,
			id, created, status, incomplete, quote(model), output, usage)
	}
	whole := func(text string, s Said) (status, body string) {
		status = "completed"
		if s.Reason == "length" {
			status = "incomplete"
		}
		return status, response(status, responsesReason(s), item("completed", part(text)), responsesUsage(s))
	}
	at := fmt.Sprintf(`"item_id":"msg_%s","output_index":0,"content_index":0,`, id)
	event := func(kind string, n int, members string) Event {
		return Event{kind, fmt.Appendf(nil, `{"type":%q,"sequence_number":%d,%s}`, kind, n, members)}
	}
	const before = 4 // events
	return Shape{
		Opening: []Event{
			event("response.created", 0, `"response":`+response("in_progress", "", "", "null")),
			event("response.in_progress", 1, `"response":`+response("in_progress", "", "", "null")),
			event("response.output_item.added", 2, `"output_index":0,"item":`+item("in_progress", "")),
			event("response.content_part.added", 3, at+`"part":`+part(`""`)),
		},
		Name: "response.output_text.delta",
		Text: func(dst, text []byte, s Said) []byte {
			dst = fmt.Appendf(dst, `{"type":"response.output_text.delta","sequence_number":%d,%s"logprobs":[],"delta":"`, before+s.Output-s.Tokens, at)
			return append(append(dst, text...), `"}`...)
		},
		Closing: func(s Said, _ bool) []Event {
			n := before + s.Output
			text := quote(s.All())
			status, body := whole(text, s)
			return []Event{
				event("response.output_text.done", n, at+`"logprobs":[],"text":`+text),
				event("response.content_part.done", n+1, at+`"part":`+part(text)),
				event("response.output_item.done", n+2, `"output_index":0,"item":`+item("completed", part(text))),
				event("response."+status, n+3, `"response":`+body),
			}
		},
		Whole: func(text string, s Said) []byte {
			_, body := whole(quote(text), s)
			return []byte(body)
		},
	}
}

func responsesUsage(s Said) string {
	return fmt.Sprintf(`{"input_tokens":%d,"input_tokens_details":{"cached_tokens":%d},"output_tokens":%d,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":%d}`,
		s.Input, max(0, s.Cached), s.Output, s.Input+s.Output)
}
