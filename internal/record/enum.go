package record

import "fmt"

// Status is how a request ended. The zero value is Censored: nothing is known
// of its end.
type Status uint8

const (
	Censored  Status = iota // had not ended by the drain limit
	OK                      //
	Failed                  // the server's or the network's fault
	Cancelled               // hung up by the contract: not a failure
	Local                   // a fault of the client: no descriptors, ports, memory
)

// Phase is the part of the run in which a request was due (open loop) or
// released (closed loop).
type Phase uint8

const (
	Warmup Phase = iota
	Measured
)

// Release is what let the request go.
type Release uint8

const (
	AtDue   Release = iota // the schedule (open loop)
	Slot                   // the end of the request that held the slot (closed loop)
	Turn                   // the end of the turn before
	Ceiling                // the opening of a ceiling
)

// Clock names the source of arrival stamps.
type Clock uint8

const (
	NoClock Clock = iota // no event was stamped
	User
	Kernel
	Packet
	Mixed
)

// Kind is what an event carried.
type Kind uint8

const (
	Other Kind = iota
	Role
	Text
	Reasoning
	Tool
	Finish
	Usage
	End
	Error
	Values // what is no text: vectors, scores, labels
)

// Content tells whether the kind is content-bearing (docs/metrics.md).
func (k Kind) Content() bool { return k == Text || k == Reasoning || k == Tool || k == Values }

// TokenSource names where a token count comes from.
type TokenSource uint8

const (
	NoSource      TokenSource = iota
	FromUsage                 // the server's usage
	FromTokens                // token ids or logprobs in the events
	FromTokenizer             // the model's tokenizer
	FromWords                 // the built-in word count
	FromEvents                // one a content-bearing event
)

var (
	statusNames  = []string{"censored", "ok", "failed", "cancelled", "local"}
	phaseNames   = []string{"warmup", "measured"}
	releaseNames = []string{"due", "slot", "turn", "ceiling"}
	clockNames   = []string{"none", "user", "kernel", "packet", "mixed"}
	kindNames    = []string{"other", "role", "text", "reasoning", "tool", "finish", "usage", "end", "error", "values"}
	sourceNames  = []string{"none", "usage", "token_ids", "tokenizer", "words", "events"}
)

func (s Status) String() string      { return name(statusNames, int(s)) }
func (p Phase) String() string       { return name(phaseNames, int(p)) }
func (r Release) String() string     { return name(releaseNames, int(r)) }
func (c Clock) String() string       { return name(clockNames, int(c)) }
func (k Kind) String() string        { return name(kindNames, int(k)) }
func (t TokenSource) String() string { return name(sourceNames, int(t)) }

func name(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("unknown(%d)", i)
}

// Kinds of error, the vocabulary of Record.ErrorKind. An answer with a status
// that is not 2xx is "http_404" and so on (see HTTPError).
const (
	ErrDNS           = "dns"             // the name could not be resolved
	ErrConnect       = "connect"         // refused, unreachable, or not accepted in time
	ErrTLS           = "tls"             // the handshake failed
	ErrReset         = "reset"           // the connection was cut inside the exchange
	ErrTruncated     = "truncated"       // the stream ended without end marker or finish reason
	ErrIdle          = "idle"            // silent past the idle limit
	ErrTimeout       = "timeout"         // the request limit passed
	ErrProtocol      = "protocol"        // the answer is not HTTP, or breaks it
	ErrRedirect      = "redirect"        // 3xx: never followed
	ErrContentType   = "content_type"    // not what the endpoint answers with
	ErrBody          = "error_body"      // status 200, and the body is an error
	ErrStream        = "stream_error"    // an error event inside a stream
	ErrDecode        = "decode"          // an event that is not what the API says
	ErrEmpty         = "empty"           // status 200 and no content
	ErrItems         = "items"           // another number of vectors, scores, … than was asked for
	ErrEventTooLarge = "event_too_large" // one event beyond the bound
	ErrBodyTooLarge  = "body_too_large"  // a reply beyond the bound, in bytes or in events
	ErrLocal         = "local"           // no descriptors, ports or memory here
)

// HTTPError is the error kind of an answer with this status.
func HTTPError(status int) string { return fmt.Sprintf("http_%d", status) }
