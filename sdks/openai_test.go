package sdks

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
)

func newOpenAI(s site, retries int) openai.Client {
	return openai.NewClient(option.WithBaseURL(s.url+"/v1"), option.WithAPIKey(s.key), option.WithHTTPClient(s.client()), option.WithMaxRetries(retries))
}

func openAIFailure(err error) failure {
	var e *openai.Error
	if !errors.As(err, &e) {
		return failure{}
	}
	return failure{status: e.StatusCode, kind: e.Type, message: e.Message, retryAfter: e.Response.Header.Get("Retry-After")}
}

// openAI is what its client has of every endpoint.
func openAI(endpoint string, cannot refusal) client {
	kinds := map[int]string{400: "invalid_request_error", 429: "rate_limit_error", 500: "server_error"}
	return client{endpoint: endpoint, kinds: kinds, waits: true, cannot: cannot, failure: openAIFailure}
}

// whole is a limit where there is one.
func whole(n int) param.Opt[int64] {
	if n == 0 {
		return param.Opt[int64]{}
	}
	return openai.Int(int64(n))
}

var openAIChat = speaker{
	client: openAI("chat", negative), stop: "stop", length: "length", cached: true,
	ask: askChat, stream: streamChat,
}

func chatParams(a ask) openai.ChatCompletionNewParams {
	p := openai.ChatCompletionNewParams{Model: a.model, MaxCompletionTokens: whole(a.limit)}
	for i, text := range a.said {
		if i%2 == 0 {
			p.Messages = append(p.Messages, openai.UserMessage(text))
		} else {
			p.Messages = append(p.Messages, openai.AssistantMessage(text))
		}
	}
	return p
}

func askChat(ctx context.Context, s site, a ask) (reply, error) {
	c := newOpenAI(s, a.retries)
	got, err := c.Chat.Completions.New(ctx, chatParams(a))
	if err != nil {
		return reply{}, err
	}
	return chatReply(got.Choices[0].Message.Content, got.Choices[0].FinishReason, got.Usage), nil
}

func chatReply(text, reason string, u openai.CompletionUsage) reply {
	return reply{text: text, reason: reason, input: u.PromptTokens, output: u.CompletionTokens, cached: u.PromptTokensDetails.CachedTokens}
}

func streamChat(ctx context.Context, s site, a ask) (reply, error) {
	p := chatParams(a)
	p.StreamOptions.IncludeUsage = openai.Bool(true)
	c := newOpenAI(s, a.retries)
	stream := c.Chat.Completions.NewStreaming(ctx, p)
	defer stream.Close()
	var all openai.ChatCompletionAccumulator
	events := 0
	for stream.Next() {
		chunk := stream.Current()
		if !all.AddChunk(chunk) {
			return reply{}, errors.New("the accumulator does not take a chunk")
		}
		if len(chunk.Choices) > 0 && chunk.Choices[0].Delta.Content != "" {
			events++
		}
	}
	if len(all.Choices) == 0 {
		return reply{}, stream.Err()
	}
	r := chatReply(all.Choices[0].Message.Content, all.Choices[0].FinishReason, all.Usage)
	r.events = events
	return r, stream.Err()
}

var openAICompletions = speaker{
	client: openAI("completions", negative), stop: "stop", length: "length", cached: true,
	ask: askCompletions, stream: streamCompletions,
}

func completionParams(a ask) openai.CompletionNewParams {
	return openai.CompletionNewParams{
		Model: openai.CompletionNewParamsModel(a.model), MaxTokens: whole(a.limit),
		Prompt: openai.CompletionNewParamsPromptUnion{OfString: openai.String(strings.Join(a.said, " "))},
	}
}

func completionReply(r reply, u openai.CompletionUsage) reply {
	r.input, r.output, r.cached = u.PromptTokens, u.CompletionTokens, u.PromptTokensDetails.CachedTokens
	return r
}

func askCompletions(ctx context.Context, s site, a ask) (reply, error) {
	c := newOpenAI(s, a.retries)
	got, err := c.Completions.New(ctx, completionParams(a))
	if err != nil {
		return reply{}, err
	}
	return completionReply(reply{text: got.Choices[0].Text, reason: string(got.Choices[0].FinishReason)}, got.Usage), nil
}

func streamCompletions(ctx context.Context, s site, a ask) (reply, error) {
	p := completionParams(a)
	p.StreamOptions.IncludeUsage = openai.Bool(true)
	c := newOpenAI(s, a.retries)
	stream := c.Completions.NewStreaming(ctx, p)
	defer stream.Close()
	var r reply
	for stream.Next() {
		got := stream.Current()
		if got.JSON.Usage.Valid() {
			r = completionReply(r, got.Usage)
		}
		for _, choice := range got.Choices {
			if choice.Text != "" {
				r.text, r.events = r.text+choice.Text, r.events+1
			}
			if choice.FinishReason != "" {
				r.reason = string(choice.FinishReason)
			}
		}
	}
	return r, stream.Err()
}

// A response is complete or not, and says why not.
var openAIResponses = speaker{
	client: openAI("responses", negative), stop: "completed ", length: "incomplete max_output_tokens", cached: true,
	ask: askResponses, stream: streamResponses,
}

func responseParams(a ask) responses.ResponseNewParams {
	var said responses.ResponseInputParam
	for i, text := range a.said {
		role := responses.EasyInputMessageRoleUser
		if i%2 == 1 {
			role = responses.EasyInputMessageRoleAssistant
		}
		said = append(said, responses.ResponseInputItemParamOfMessage(text, role))
	}
	return responses.ResponseNewParams{
		Model: a.model, MaxOutputTokens: whole(a.limit),
		Input: responses.ResponseNewParamsInputUnion{OfInputItemList: said},
	}
}

func responseReply(got *responses.Response) reply {
	return reply{
		text: got.OutputText(), reason: string(got.Status) + " " + got.IncompleteDetails.Reason,
		input: got.Usage.InputTokens, output: got.Usage.OutputTokens, cached: got.Usage.InputTokensDetails.CachedTokens,
	}
}

func askResponses(ctx context.Context, s site, a ask) (reply, error) {
	c := newOpenAI(s, a.retries)
	got, err := c.Responses.New(ctx, responseParams(a))
	if err != nil {
		return reply{}, err
	}
	return responseReply(got), nil
}

func streamResponses(ctx context.Context, s site, a ask) (reply, error) {
	c := newOpenAI(s, a.retries)
	stream := c.Responses.NewStreaming(ctx, responseParams(a))
	defer stream.Close()
	var r reply
	for stream.Next() {
		switch got := stream.Current().AsAny().(type) {
		case responses.ResponseTextDeltaEvent:
			r.text, r.events = r.text+got.Delta, r.events+1
		case responses.ResponseCompletedEvent:
			return r.end(responseReply(&got.Response))
		case responses.ResponseIncompleteEvent:
			return r.end(responseReply(&got.Response))
		}
	}
	return r, stream.Err()
}

// end is the reply as the last event has it, if that is what the events before
// it were.
func (r reply) end(last reply) (reply, error) {
	if last.text != r.text {
		return r, fmt.Errorf("the last event has the text %q, the events before it had %q", last.text, r.text)
	}
	last.events = r.events
	return last, nil
}
