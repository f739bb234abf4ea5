package face

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// chat is OpenAI's chat completions. The role comes alone and first; the
// finish reason stands on the last event with text, as vLLM has it.
var chat = Face{Name: "chat", Path: "/v1/chat/completions", Templated: true, Parse: parseChat, Shape: chatShape}

type chatRequest struct {
	limits
	Messages []struct {
		Content chatContent `json:"content"`
	} `json:"messages"`
}

// chatContent is a string or a list of parts.
type chatContent struct {
	text  string
	media []Medium
}

type chatPart struct {
	Type  string  `json:"type"`
	Text  *string `json:"text"`
	Image *struct {
		URL string `json:"url"`
	} `json:"image_url"`
	Audio *struct {
		Data string `json:"data"`
	} `json:"input_audio"`
}

func (c *chatContent) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' || string(b) == "null" {
		return json.Unmarshal(b, &c.text)
	}
	var parts []chatPart
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	var texts []string
	for _, p := range parts {
		switch {
		case p.Text != nil:
			texts = append(texts, *p.Text)
		case p.Image != nil:
			c.media = append(c.media, Medium{Picture: true, Source: p.Image.URL})
		case p.Audio != nil:
			c.media = append(c.media, Medium{Source: p.Audio.Data})
		default:
			return fmt.Errorf("a part of content is of the type %q: known are text, image_url and input_audio", p.Type)
		}
	}
	c.text = strings.Join(texts, "\n")
	return nil
}

func parseChat(body []byte) (Ask, error) { return briefly(body, readChat) }

func readChat(body []byte) (Ask, error) {
	var r chatRequest
	if err := unmarshal(body, &r); err != nil {
		return Ask{}, err
	}
	if len(r.Messages) == 0 {
		return Ask{}, errors.New("messages is empty")
	}
	texts := make([]string, len(r.Messages))
	var media []Medium
	for i, m := range r.Messages {
		texts[i] = m.Content.text
		for _, x := range m.Content.media {
			x.Behind = i
			media = append(media, x)
		}
	}
	a, err := r.ask(texts...)
	a.Media = media
	return a, err
}

func chatShape(id string, created int64, model string) Shape {
	head := fmt.Sprintf(`{"id":"chatcmpl-%s","object":"chat.completion.chunk","created":%d,"model":%s,`, id, created, quote(model))
	const open = `"choices":[{"index":0,"delta":{`
	return Shape{
		Opening: bare(head + open + `"role":"assistant","content":""},"logprobs":null,"finish_reason":null}]}`),
		Text: joined([]byte(head+open+`"content":"`),
			[]byte(`"},"logprobs":null,"finish_reason":null}]}`),
			[]byte(`"},"logprobs":null,"finish_reason":"stop"}]}`),
			[]byte(`"},"logprobs":null,"finish_reason":"length"}]}`)),
		Closing: openAIClosing(head),
		Whole: func(text string, s Said) []byte {
			return fmt.Appendf(nil, `{"id":"chatcmpl-%s","object":"chat.completion","created":%d,"model":%s,`+
				`"choices":[{"index":0,"message":{"role":"assistant","content":%s},"logprobs":null,"finish_reason":%s}],"usage":%s}`,
				id, created, quote(model), quote(text), quote(s.Reason), usage(s))
		},
	}
}
