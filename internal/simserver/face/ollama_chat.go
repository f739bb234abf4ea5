package face

import (
	"errors"
	"fmt"
	"time"
)

// ollamaChat is Ollama's own chat: JSON lines, of which the last has no text,
// why the reply ended, and the counts.
var ollamaChat = Face{
	Name: "ollama_chat", Path: "/api/chat", Lines: true, Templated: true,
	Parse: parseOllamaChat, Shape: ollamaChatShape, Refusal: ollamaRefusal,
}

// ollamaLimits are the fields of both of Ollama's APIs that bound the reply.
type ollamaLimits struct {
	Model   string `json:"model"`
	Stream  *bool  `json:"stream"`
	Options struct {
		NumPredict int `json:"num_predict"`
	} `json:"options"`
}

// ask: what is not said to be no stream is one, and a limit below 1 is none.
func (l ollamaLimits) ask(texts ...string) (Ask, error) {
	if l.Model == "" {
		return Ask{}, errors.New("model is required")
	}
	return Ask{
		Model: l.Model, Texts: texts, Limit: max(0, l.Options.NumPredict),
		Stream: l.Stream == nil || *l.Stream, Usage: true,
	}, nil
}

func parseOllamaChat(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		var r struct {
			ollamaLimits
			Messages []struct {
				Content string `json:"content"`
			} `json:"messages"`
		}
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		texts := make([]string, len(r.Messages))
		for i, m := range r.Messages {
			texts[i] = m.Content
		}
		return r.ask(texts...)
	})
}

func ollamaChatShape(_ string, created int64, model string) Shape {
	return ollamaShape(created, model, `"message":{"role":"assistant","content":"`, `"}`)
}

// ollamaShape is the shape of both APIs: the text stands between before and behind.
func ollamaShape(created int64, model, before, behind string) Shape {
	head := fmt.Sprintf(`{"model":%s,"created_at":%q,`, quote(model), time.Unix(created, 0).UTC().Format(time.RFC3339Nano))
	after := []byte(behind + `,"done":false}`)
	end := func(text string, s Said) []byte {
		body := text[1 : len(text)-1] // of a string's JSON
		return fmt.Appendf(nil, `%s%s%s%s,"done":true,"done_reason":%s,"total_duration":0,"load_duration":0,"prompt_eval_count":%d,"prompt_eval_duration":0,"eval_count":%d,"eval_duration":0}`,
			head, before, body, behind, quote(s.Reason), s.Input, s.Output)
	}
	return Shape{
		Text:    joined([]byte(head+before), after, after, after),
		Closing: func(s Said, _ bool) []Event { return []Event{{Data: end(`""`, s)}} },
		Whole:   func(text string, s Said) []byte { return end(quote(text), s) },
	}
}

func ollamaRefusal(_ int, _, message string) []byte {
	return encoded(map[string]string{"error": message})
}
