package sdks

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	cohere "github.com/cohere-ai/cohere-go/v2"
	"github.com/cohere-ai/cohere-go/v2/core"
	"github.com/cohere-ai/cohere-go/v2/option"
	v2 "github.com/cohere-ai/cohere-go/v2/v2"
)

var cohereChat = speaker{
	client: client{endpoint: "cohere_chat", cannot: negative, failure: cohereFailure},
	stop:   "COMPLETE", length: "MAX_TOKENS",
	ask: askCohere, stream: streamCohere,
}

func newCohere(s site) *v2.Client {
	return v2.NewClient(option.WithBaseURL(s.url), option.WithToken(s.key), option.WithHTTPClient(s.client()), option.WithMaxAttempts(1))
}

// cohereFailure: the SDK keeps the body of a refusal and none of its headers.
func cohereFailure(err error) failure {
	var e *core.APIError
	if !errors.As(err, &e) {
		return failure{}
	}
	var said struct {
		Message string
		Error   struct{ Message string } // Jina's
	}
	if inner := e.Unwrap(); inner != nil {
		_ = json.Unmarshal([]byte(inner.Error()), &said)
	}
	return failure{status: e.StatusCode, message: said.Message + said.Error.Message}
}

func cohereMessages(a ask) cohere.ChatMessages {
	var said cohere.ChatMessages
	for i, text := range a.said {
		m := &cohere.ChatMessageV2{Role: "user", User: &cohere.UserMessageV2{Content: &cohere.UserMessageV2Content{String: text}}}
		if i%2 == 1 {
			m = &cohere.ChatMessageV2{Role: "assistant", Assistant: &cohere.AssistantMessage{Content: &cohere.AssistantMessageV2Content{String: text}}}
		}
		said = append(said, m)
	}
	return said
}

// atMost is a limit where there is one.
func atMost(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

func cohereReply(r reply, reason cohere.ChatFinishReason, u *cohere.Usage) reply {
	tokens := u.GetTokens()
	if tokens == nil || tokens.InputTokens == nil || tokens.OutputTokens == nil {
		return r
	}
	r.reason, r.input, r.output = string(reason), int64(*tokens.InputTokens), int64(*tokens.OutputTokens)
	return r
}

func askCohere(ctx context.Context, s site, a ask) (reply, error) {
	got, err := newCohere(s).Chat(ctx, &cohere.V2ChatRequest{Model: a.model, Messages: cohereMessages(a), MaxTokens: atMost(a.limit)})
	if err != nil {
		return reply{}, err
	}
	var r reply
	for _, part := range got.Message.Content {
		r.text += part.Text.Text
	}
	return cohereReply(r, got.FinishReason, got.Usage), nil
}

func streamCohere(ctx context.Context, s site, a ask) (reply, error) {
	stream, err := newCohere(s).ChatStream(ctx, &cohere.V2ChatStreamRequest{Model: a.model, Messages: cohereMessages(a), MaxTokens: atMost(a.limit)})
	if err != nil {
		return reply{}, err
	}
	defer stream.Close()
	var r reply
	for {
		event, err := stream.Recv()
		var syntax *json.SyntaxError
		switch {
		case errors.As(err, &syntax):
			// An empty line that came alone. The stream goes on:
			// github.com/cohere-ai/cohere-go/issues/103.
		case errors.Is(err, io.EOF):
			return r, nil
		case err != nil:
			return r, err
		case event.ContentDelta != nil:
			r.text, r.events = r.text+*event.ContentDelta.Delta.Message.Content.Text, r.events+1
		case event.MessageEnd != nil:
			r = cohereReply(r, *event.MessageEnd.Delta.FinishReason, event.MessageEnd.Delta.Usage)
		}
	}
}
