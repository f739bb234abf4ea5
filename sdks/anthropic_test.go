package sdks

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

// A limit is mandatory, so that a reply never ends of itself.
var anthropicMessages = speaker{
	client: client{
		endpoint: "messages", waits: true, cannot: negative, failure: anthropicFailure,
		kinds: map[int]string{400: "invalid_request_error", 401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error", 500: "api_error"},
	},
	length: "max_tokens", cached: true,
	ask: askMessages, stream: streamMessages,
}

func newAnthropic(s site, retries int) anthropic.Client {
	return anthropic.NewClient(option.WithBaseURL(s.url), option.WithAPIKey(s.key), option.WithHTTPClient(s.client()), option.WithMaxRetries(retries))
}

func anthropicFailure(err error) failure {
	var e *anthropic.Error
	if !errors.As(err, &e) {
		return failure{}
	}
	var said struct{ Error struct{ Message string } }
	_ = json.Unmarshal([]byte(e.RawJSON()), &said) // the SDK has no field for it
	return failure{status: e.StatusCode, kind: string(e.Type()), message: said.Error.Message, retryAfter: e.Response.Header.Get("Retry-After")}
}

func messageParams(a ask) anthropic.MessageNewParams {
	p := anthropic.MessageNewParams{Model: anthropic.Model(a.model), MaxTokens: int64(a.limit)}
	for i, text := range a.said {
		if i%2 == 0 {
			p.Messages = append(p.Messages, anthropic.NewUserMessage(anthropic.NewTextBlock(text)))
		} else {
			p.Messages = append(p.Messages, anthropic.NewAssistantMessage(anthropic.NewTextBlock(text)))
		}
	}
	return p
}

func messageReply(m *anthropic.Message) reply {
	r := reply{
		reason: string(m.StopReason), output: m.Usage.OutputTokens, cached: m.Usage.CacheReadInputTokens,
		input: m.Usage.InputTokens + m.Usage.CacheReadInputTokens + m.Usage.CacheCreationInputTokens,
	}
	for _, block := range m.Content {
		r.text += block.Text
	}
	return r
}

func askMessages(ctx context.Context, s site, a ask) (reply, error) {
	c := newAnthropic(s, a.retries)
	got, err := c.Messages.New(ctx, messageParams(a))
	if err != nil {
		return reply{}, err
	}
	return messageReply(got), nil
}

func streamMessages(ctx context.Context, s site, a ask) (reply, error) {
	c := newAnthropic(s, a.retries)
	stream := c.Messages.NewStreaming(ctx, messageParams(a))
	defer stream.Close()
	var all anthropic.Message
	events := 0
	for stream.Next() {
		event := stream.Current()
		if err := all.Accumulate(event); err != nil {
			return reply{}, err
		}
		if delta, ok := event.AsAny().(anthropic.ContentBlockDeltaEvent); ok && delta.Delta.Text != "" {
			events++
		}
	}
	r := messageReply(&all)
	r.events = events
	return r, stream.Err()
}
