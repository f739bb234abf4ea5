package sdks

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/ollama/ollama/api"
)

// A limit of any size suits this API.
var ollamaChat = speaker{
	client: client{endpoint: "ollama_chat", cannot: nameless, failure: ollamaFailure},
	stop:   "stop", length: "length",
	ask:    func(ctx context.Context, s site, a ask) (reply, error) { return chatOllama(ctx, s, a, false) },
	stream: func(ctx context.Context, s site, a ask) (reply, error) { return chatOllama(ctx, s, a, true) },
}

var ollamaGenerate = speaker{
	client: client{endpoint: "ollama_generate", cannot: nameless, failure: ollamaFailure},
	stop:   "stop", length: "length",
	ask:    func(ctx context.Context, s site, a ask) (reply, error) { return generateOllama(ctx, s, a, false) },
	stream: func(ctx context.Context, s site, a ask) (reply, error) { return generateOllama(ctx, s, a, true) },
}

// A bearer shows a key, which the SDK does only at the maker's own address.
type bearer struct {
	site
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.key)
	return b.wire.RoundTrip(r)
}

func newOllama(s site) (*api.Client, error) {
	at, err := url.Parse(s.url)
	if err != nil {
		return nil, err
	}
	return api.NewClient(at, &http.Client{Transport: bearer{s}}), nil
}

func ollamaFailure(err error) failure {
	var e api.StatusError
	var locked api.AuthorizationError
	switch {
	case errors.As(err, &e):
		return failure{status: e.StatusCode, message: e.ErrorMessage}
	case errors.As(err, &locked): // which keeps no message
		return failure{status: locked.StatusCode}
	}
	return failure{}
}

func ollamaOptions(a ask) map[string]any {
	if a.limit == 0 {
		return nil
	}
	return map[string]any{"num_predict": a.limit}
}

// add is the reply with one more piece.
func (r reply) add(text string, done bool, reason string, m api.Metrics) reply {
	if text != "" {
		r.text, r.events = r.text+text, r.events+1
	}
	if done {
		r.reason, r.input, r.output = reason, int64(m.PromptEvalCount), int64(m.EvalCount)
	}
	return r
}

func chatOllama(ctx context.Context, s site, a ask, stream bool) (reply, error) {
	c, err := newOllama(s)
	if err != nil {
		return reply{}, err
	}
	req := &api.ChatRequest{Model: a.model, Stream: &stream, Options: ollamaOptions(a)}
	for i, text := range a.said {
		role := "user"
		if i%2 == 1 {
			role = "assistant"
		}
		req.Messages = append(req.Messages, api.Message{Role: role, Content: text})
	}
	var r reply
	err = c.Chat(ctx, req, func(got api.ChatResponse) error {
		r = r.add(got.Message.Content, got.Done, got.DoneReason, got.Metrics)
		return nil
	})
	return r.finished(stream, err)
}

func generateOllama(ctx context.Context, s site, a ask, stream bool) (reply, error) {
	c, err := newOllama(s)
	if err != nil {
		return reply{}, err
	}
	req := &api.GenerateRequest{Model: a.model, Prompt: strings.Join(a.said, " "), Stream: &stream, Options: ollamaOptions(a)}
	var r reply
	err = c.Generate(ctx, req, func(got api.GenerateResponse) error {
		r = r.add(got.Response, got.Done, got.DoneReason, got.Metrics)
		return nil
	})
	return r.finished(stream, err)
}

// finished is the reply as it ended. This client says nothing of a stream that
// breaks off (github.com/ollama/ollama/pull/9570): whoever uses it must look
// whether the reply was done.
func (r reply) finished(stream bool, err error) (reply, error) {
	if !stream {
		r.events = 0
	}
	if err == nil && r.reason == "" {
		err = errors.New("the reply is not done")
	}
	return r, err
}
