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

// A Face is one API.
type Face struct {
	Name      string
	Path      string
	Templated bool // a server puts a template around what is said
	Parse     func(body []byte) (Ask, error)
	Shape     func(id string, created int64, model string) Shape
}

// Table returns every face.
func Table() []Face {
	return []Face{
		chat,
		completions,
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
}

// A Shape is the reply of one request with everything in place but its text.
// An event of the stream is its JSON; the framing is the server's.
type Shape struct {
	Opening []byte // the event before any text; nil when the API has none
	Before  []byte // a text event is Before + text + After; the text needs no escapes
	After   []byte
	Stop    []byte // in place of After on the last event: reason "stop"
	Length  []byte // likewise: reason "length"
	Ending  []byte // the end marker

	// Usage and Whole are rare enough to be made when they are needed.
	Usage func(input, output, cached int) []byte
	Whole func(text, reason string, input, output, cached int) []byte
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

// usage tells the tokens; cached is -1 where nothing is cached.
func usage(input, output, cached int) string {
	details := ""
	if cached >= 0 {
		details = fmt.Sprintf(`,"prompt_tokens_details":{"cached_tokens":%d}`, cached)
	}
	return fmt.Sprintf(`{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d%s}`, input, output, input+output, details)
}
