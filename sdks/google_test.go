package sdks

import (
	"context"
	"errors"

	"google.golang.org/genai"
)

var googleGemini = speaker{
	client: client{
		endpoint: "gemini", cannot: negative, failure: geminiFailure,
		kinds: map[int]string{400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL"},
	},
	stop: "STOP", length: "MAX_TOKENS", cached: true,
	ask: askGemini, stream: streamGemini,
}

func newGemini(ctx context.Context, s site) (*genai.Client, error) {
	return genai.NewClient(ctx, &genai.ClientConfig{
		APIKey: s.key, Backend: genai.BackendGeminiAPI, HTTPClient: s.client(), HTTPOptions: genai.HTTPOptions{BaseURL: s.url},
	})
}

// geminiFailure: the SDK keeps no header of a refusal.
func geminiFailure(err error) failure {
	var e genai.APIError
	if !errors.As(err, &e) {
		return failure{}
	}
	return failure{status: e.Code, kind: e.Status, message: e.Message}
}

func geminiParams(a ask) ([]*genai.Content, *genai.GenerateContentConfig) {
	var said []*genai.Content
	for i, text := range a.said {
		role := genai.Role(genai.RoleUser)
		if i%2 == 1 {
			role = genai.RoleModel
		}
		said = append(said, genai.NewContentFromText(text, role))
	}
	return said, &genai.GenerateContentConfig{MaxOutputTokens: int32(a.limit)}
}

// heard adds what a response brings.
func (r reply) heard(got *genai.GenerateContentResponse) reply {
	if text := got.Text(); text != "" {
		r.text, r.events = r.text+text, r.events+1
	}
	for _, c := range got.Candidates {
		r.reason = string(c.FinishReason)
	}
	if u := got.UsageMetadata; u != nil {
		r.input, r.output, r.cached = int64(u.PromptTokenCount), int64(u.CandidatesTokenCount), int64(u.CachedContentTokenCount)
	}
	return r
}

func askGemini(ctx context.Context, s site, a ask) (reply, error) {
	c, err := newGemini(ctx, s)
	if err != nil {
		return reply{}, err
	}
	said, config := geminiParams(a)
	got, err := c.Models.GenerateContent(ctx, a.model, said, config)
	if err != nil {
		return reply{}, err
	}
	r := reply{}.heard(got)
	r.events = 0
	return r, nil
}

func streamGemini(ctx context.Context, s site, a ask) (reply, error) {
	c, err := newGemini(ctx, s)
	if err != nil {
		return reply{}, err
	}
	said, config := geminiParams(a)
	var r reply
	for got, err := range c.Models.GenerateContentStream(ctx, a.model, said, config) {
		if err != nil {
			return r, err
		}
		r = r.heard(got)
	}
	return r, nil
}
