// Package face is how the embedded server says things: one file per API, named
// as in the client's dialects, which it shares no code with. A face reads a
// request and lays out the bytes of the reply once, so that an event costs a
// copy. It moves nothing and waits for nothing.
package face

import (
	"encoding/json"
	"errors"
	"fmt"
)

// A Face is one API. What is left out is what OpenAI's API does.
type Face struct {
	Name       string
	Path       string   // {model} stands in it for the model's name
	StreamPath string   // where a streamed reply is asked for, if not there by the body
	Lines      bool     // a stream is JSON lines, and no server-sent events
	Templated  bool     // a server puts a template around what is said
	Repeats    bool     // each event of a stream has all the text so far
	Keys       []string // headers that may hold the caller's key, "?name" for parameters
	Needs      []string // headers without which a request is refused
	Parse      func(body []byte) (Ask, error)
	Shape      func(id string, created int64, model string) Shape
	Answer     func(id string, created int64, a Ask, s Said) []byte // instead of Shape, of an API whose answers are no text
	Refusal    func(status int, kind, message string) []byte        // an error as this API words it
}

// Table returns every face.
func Table() []Face {
	return []Face{
		chat,
		completions,
		responses,
		messages,
		gemini,
		cohereChat,
		tgiGenerate,
		sglangGenerate,
		llamacppCompletion,
		ollamaChat,
		ollamaGenerate,
		tritonGenerate,
		embeddings,
		nimEmbeddings,
		chatEmbeddings,
		moderations,
		cohereEmbed,
		teiEmbed,
		vllmPooling,
		cohereRerank,
		jinaRerank,
		teiRerank,
		nimRankings,
		vllmScore,
		vllmClassify,
		teiPredict,
		nimImageRetrieval,
		kserveHTTP,
		solidoRAG,
	}
}

// An Ask is what a request wants.
type Ask struct {
	Model  string
	Texts  []string // all its text, for counting: a prompt, or that of each message
	Media  []Medium // pictures and recordings, in their order
	Limit  int      // most tokens of the reply; 0 when it sets none
	Stream bool
	Usage  bool // at the end of the stream
	Values Values
}

// A Shape is the reply of one request with everything in place but its text.
type Shape struct {
	Opening []Event // before any text; none when the API has nothing to say there
	Name    string  // of text events, where the API names its events
	// Text appends an event with this text, which needs no escapes.
	Text func(dst, text []byte, s Said) []byte
	// Closing is what follows the text: all but the last in one write, the last
	// with the end of the body. Usage is asked of it where the request wants it.
	Closing func(s Said, usage bool) []Event
	Whole   func(text string, s Said) []byte
}

// An Event is one of a stream: its JSON, and its name where the API has one.
type Event struct {
	Name string
	Data []byte
}

// Said is where in its reply an event stands.
type Said struct {
	Input, Output, Cached int           // tokens so far, this event's included; Cached is -1 where nothing is cached
	Tokens                int           // of this event
	Last                  bool          // the last with text
	Reason                string        // why the reply ends, "stop" or "length", where it does
	All                   func() string // of the last and of what follows it: all that was said
}

// joined is an event of fixed parts before and after the text.
func joined(before, after, stop, length []byte) func(dst, text []byte, s Said) []byte {
	return func(dst, text []byte, s Said) []byte {
		dst = append(append(dst, before...), text...)
		switch {
		case !s.Last:
			return append(dst, after...)
		case s.Reason == "length":
			return append(dst, length...)
		}
		return append(dst, stop...)
	}
}

// bare are events without names.
func bare(data ...string) []Event {
	events := make([]Event, len(data))
	for i, d := range data {
		events[i].Data = []byte(d)
	}
	return events
}

// limits are the fields of both APIs that bound the reply.
type limits struct {
	Model               string         `json:"model"`
	MaxTokens           *int           `json:"max_tokens"`
	MaxCompletionTokens *int           `json:"max_completion_tokens"`
	N                   *int           `json:"n"`
	Stream              bool           `json:"stream"`
	StreamOptions       *streamOptions `json:"stream_options"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

// ask checks what both APIs share.
func (l limits) ask(texts ...string) (Ask, error) {
	a := Ask{Model: l.Model, Texts: texts, Stream: l.Stream}
	for _, n := range []*int{l.MaxTokens, l.MaxCompletionTokens} {
		if n == nil {
			continue
		}
		if *n < 1 {
			return Ask{}, fmt.Errorf("the output limit must be at least 1, got %d", *n)
		}
		a.Limit = *n
	}
	if l.N != nil && *l.N != 1 {
		return Ask{}, fmt.Errorf("this server gives one choice, n is %d", *l.N)
	}
	if l.StreamOptions != nil {
		if !l.Stream {
			return Ask{}, errors.New("stream_options needs stream: true")
		}
		a.Usage = l.StreamOptions.IncludeUsage
	}
	return a, nil
}

func unmarshal(body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("the body is not the JSON of this endpoint: %w", err)
	}
	return nil
}

// quote is s as JSON.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic("internal error: a string that is no JSON")
	}
	return string(b)
}

// openAIClosing is usage, if it is asked for, and the end marker.
func openAIClosing(head string) func(Said, bool) []Event {
	return func(s Said, withUsage bool) []Event {
		if !withUsage {
			return bare("[DONE]")
		}
		return bare(head+`"choices":[],"usage":`+usage(s)+`}`, "[DONE]")
	}
}

// usage tells the tokens.
func usage(s Said) string {
	details := ""
	if s.Cached >= 0 {
		details = fmt.Sprintf(`,"prompt_tokens_details":{"cached_tokens":%d}`, s.Cached)
	}
	return fmt.Sprintf(`{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d%s}`, s.Input, s.Output, s.Input+s.Output, details)
}
