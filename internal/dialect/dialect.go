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

func (f Framing) String() string { return [...]string{"sse", "json lines"}[f] }

// Types are the media types under which a stream of this framing may come;
// the first is the one that is asked for.
func (f Framing) Types() []string { return streamTypes[f] }

var streamTypes = [...][]string{
	{"text/event-stream"},
	{"application/x-ndjson", "application/jsonl", "application/x-jsonlines", "application/json-lines", "application/stream+json"},
}

// Takes is what a request to an API may carry.
type Takes uint16

const (
	Text      Takes = 1 << iota // one text
	Turns                       // a conversation
	Images                      // beside the text
	Audio                       // beside the text
	Texts                       // several texts, each for itself
	Documents                   // texts that are compared with another
)

// A Measure is what an API's answers are counted in.
type Measure string

// Tokens: a text, token by token. What else there is has no metrics of tokens.
const Tokens Measure = "tokens"

// A Dialect is one API. What is left out is what OpenAI's API does.
type Dialect struct {
	Name    string   // as in the contract: "chat"
	Aliases []string // other tools' names for it; a contract may use them
	About   string   // in a few words

	// Path is the default path; {model} in it stands for the model's name.
	Path       string
	StreamPath string // of a streamed answer, where that has a path of its own
	Query      string // that a streamed answer wants in its address: "alt=sse"
	Models     string // where its servers list their models; "" where they don't
	Modelless  bool   // the request names no model: the server has one

	Headers [][2]string // of its own, in each request
	Key     Key         // how the caller's key is sent

	Framing Framing
	Streams bool // can stream
	// Quiet: the stream has no end marker and no finish reason. The proper end
	// of its body is all that tells that it is whole.
	Quiet bool

	Takes    Takes
	Measures Measure // "" is Tokens
	Most     string  // member of the body that bounds how many values come back

	Endless     bool     // nothing in a request bounds the reply
	LimitField  string   // default field of the output limit: "max_completion_tokens"
	LimitFields []string // fields that body_limit may name; dots lead into objects
	Owns        []string // members of the body that say the workload, which nothing else may set
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
	Items                     int  // vectors, scores, …: what the answer has where it is no text
}
