package face

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// gemini is Google's API: every event is a response with the counts so far.
var gemini = Face{
	Name: "gemini", Path: "/v1beta/models/{model}:generateContent", StreamPath: "/v1beta/models/{model}:streamGenerateContent",
	Templated: true, Keys: []string{"X-Goog-Api-Key", "?key", "Authorization"},
	Parse: parseGemini, Shape: geminiShape, Refusal: geminiRefusal,
}

type geminiText struct {
	Parts []struct {
		Text string `json:"text"`
	} `json:"parts"`
}

func (t geminiText) String() string {
	var texts []string
	for _, p := range t.Parts {
		texts = append(texts, p.Text)
	}
	return strings.Join(texts, "\n")
}

func parseGemini(body []byte) (Ask, error) {
	return briefly(body, func(body []byte) (Ask, error) {
		var r struct {
			System   *geminiText  `json:"systemInstruction"`
			Contents []geminiText `json:"contents"`
			Config   struct {
				Limit int `json:"maxOutputTokens"`
			} `json:"generationConfig"`
		}
		if err := unmarshal(body, &r); err != nil {
			return Ask{}, err
		}
		if len(r.Contents) == 0 {
			return Ask{}, errors.New("contents is not specified")
		}
		if r.Config.Limit < 0 {
			return Ask{}, fmt.Errorf("max_output_tokens must be positive, got %d", r.Config.Limit)
		}
		a := Ask{Limit: r.Config.Limit, Stream: true, Usage: true}
		if r.System != nil {
			a.Texts = append(a.Texts, r.System.String())
		}
		for _, c := range r.Contents {
			a.Texts = append(a.Texts, c.String())
		}
		return a, nil
	})
}

func geminiShape(id string, _ int64, model string) Shape {
	const before = `{"candidates":[{"content":{"parts":[{"text":"`
	after := func(dst []byte, s Said) []byte {
		dst = append(dst, `"}],"role":"model"}`...)
		switch {
		case s.Last && s.Reason == "length":
			dst = append(dst, `,"finishReason":"MAX_TOKENS"`...)
		case s.Last:
			dst = append(dst, `,"finishReason":"STOP"`...)
		}
		dst = fmt.Appendf(dst, `,"index":0}],"usageMetadata":{"promptTokenCount":%d,"candidatesTokenCount":%d,"totalTokenCount":%d`, s.Input, s.Output, s.Input+s.Output)
		if s.Cached > 0 {
			dst = fmt.Appendf(dst, `,"cachedContentTokenCount":%d`, s.Cached)
		}
		return fmt.Appendf(dst, `},"modelVersion":%s,"responseId":%q}`, quote(model), id)
	}
	return Shape{
		Text: func(dst, text []byte, s Said) []byte {
			return after(append(append(dst, before...), text...), s)
		},
		Closing: func(Said, bool) []Event { return nil },
		Whole: func(text string, s Said) []byte {
			inside := quote(text)
			return after(append([]byte(before), inside[1:len(inside)-1]...), s)
		},
	}
}

func geminiRefusal(status int, _, message string) []byte {
	name := strings.ToUpper(strings.ReplaceAll(http.StatusText(status), " ", "_"))
	if named := map[int]string{400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL"}[status]; named != "" {
		name = named
	}
	return encoded(map[string]any{"error": map[string]any{"code": status, "message": message, "status": name}})
}
