// Package dialect says how a request is said to an API and how its answer is
// understood: one file per API, one line each in the table. It moves no
// bytes and takes no time stamps; wire does.
package dialect

import (
	"assay/internal/record"
	"assay/internal/workload"
)

// Framing is how the events of a streamed answer are told apart.
type Framing uint8

const (
	SSE       Framing = iota // text/event-stream
	JSONLines                // one object a line
)

// A Dialect is one API.
type Dialect struct {
	Name        string // as in the contract: "chat"
	Path        string // default path: "/v1/chat/completions"
	Framing     Framing
	Streams     bool     // can stream
	LimitField  string   // default field of the output limit: "max_completion_tokens"
	LimitFields []string // fields that body_limit may name
	Encode      func(workload.Request, Options) ([]byte, error)
	// NewDecoder returns the decoder of one reply; it is reused by Reset.
	NewDecoder func() Decoder
}

// Options are what a request needs beside its content.
type Options struct {
	Model      string
	Stream     bool
	LimitField string         // "" for the dialect's default
	Extra      map[string]any // merged into the body, shallow
}

// A Decoder understands the events of one reply. Event must allocate nothing
// for an ordinary text event.
type Decoder interface {
	Reset()
	// Keep has the words of this reply kept, for a conversation that goes on.
	// Without it none are, and Reset ends it.
	Keep()
	// Kept is what the assistant said so far, if it is kept: the first choice,
	// without reasoning and tool calls. It is good until Reset.
	Kept() []byte
	// Event decodes one event of a stream: its name ("" without) and its data.
	Event(name, data []byte) Delta
	// Whole decodes a reply that is not streamed.
	Whole(body []byte) Delta
	// Reply is what the events so far add up to.
	Reply() Reply
}

// A Delta is what one event brought.
type Delta struct {
	Kind      record.Kind // Text wins over Reasoning, content over Finish, Finish over Usage
	Tokens    int         // k[i] as the event itself tells it (usage, ids, logprobs); 0: not told
	End       bool        // the end marker
	ErrorKind string      // record.ErrStream, ErrBody, ErrDecode; "" without
	ErrorText string      // the server's words
}

// A Reply is what a decoder knows of the whole reply.
type Reply struct {
	InputTokens, OutputTokens int // of the server's usage; record.NoCount when not given
	Cached, Reasoning         int
	SumTokens                 int  // Σ k[i], where an event that does not tell counts 1
	TokensTold                bool // every k[i] came from the event itself
	FinishReason              string
	Finished                  bool // an end marker or a finish reason was seen
}
