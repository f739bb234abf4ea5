// Package record holds what is known of one request: its stamps, its events,
// its outcome. It is the vocabulary that the worker writes and everything
// later reads. It measures nothing and judges nothing; it promises that a
// Record survives the codec and the columnar file unchanged.
package record

import "math"

// None is the value of a stamp or duration that was never taken. It is not 0:
// 0 is the epoch.
const None int64 = math.MinInt64

// NoCount is the value of a count that nobody told.
const NoCount = -1

// A Record is one request of the load. Stamps are nanoseconds since the run's
// epoch on the monotonic clock; durations are nanoseconds. What is missing is
// None or NoCount, never 0.
type Record struct {
	Stream  string // name of the stream; "main" when the contract has one
	Seq     uint64 // position in the stream's plan, from 0, warm-up included
	Session string // "" unless the request belongs to a session
	Turn    int    // 1 for first turns; one more than the latest of those that it waited for
	Role    string // "" or the part it plays in a session ("verifier", …)
	Turns   int    // requests that its session was to have, sent or not; 0 without a session
	Worker  int

	Phase   Phase
	Release Release

	URL      string // without credentials
	Endpoint string
	Streamed bool // the reply was asked for as events; without it only latency exists

	Due, Free, Released, Ready int64
	Sent, Written              int64
	First, FirstOutput, Last   int64 // t[1], first non-reasoning content, t[m]
	Ended                      int64

	DNS, Connect, TLS, TTFB int64 // durations
	RTT                     int64 // duration: the connection's smallest round trip, by the kernel, when the answer's head was there
	Handover                int64 // duration: from Sent until the kernel had taken the first bytes: what stands between is this client's
	RetryAfter              int64 // duration: how long the server that refused the request wants to be left alone
	Reused                  bool  // the connection had served a request before, or was opened ahead of need

	Clock     Clock
	Unstamped int // events for which the kernel gave no stamp

	Status       Status
	ErrorKind    string // one of the ErrorKinds; "" when there is none
	ErrorMessage string // the server's or the system's own words, bounded
	HTTPStatus   int    // 0 when no answer's head was read

	WantInput, WantOutput  int // tokens asked for
	Images                 int // pictures that were sent beside the words, 0 without
	AudioMS                int // ms of the recordings, as far as they are known
	MediaBytes             int // of both, without base64
	Items                  int // texts to be made a vector of, documents to be ranked, … that were sent, where the answer is no text; else 0
	Input, Output          int // tokens by the best source
	InputSource            TokenSource
	TokenSource            TokenSource // of Output
	Cached, ReasoningCount int
	FinishReason           string
	RequestID              string // the X-Request-ID that was sent
	BodySHA256             [32]byte

	Events  []Event // content-bearing, in order of arrival
	Marks   []Mark  // every other event
	Dropped int     // marks beyond MaxMarks that were counted and not kept
}

// MaxMarks bounds what a hostile stream of contentless events can cost.
const MaxMarks = 4096

// New returns a Record in which nothing is known yet.
func New(stream string, seq uint64) Record {
	return Record{
		Stream: stream, Seq: seq, Turn: 1,
		Due: None, Free: None, Released: None, Ready: None, Sent: None, Written: None,
		First: None, FirstOutput: None, Last: None, Ended: None,
		DNS: None, Connect: None, TLS: None, TTFB: None, RTT: None, Handover: None, RetryAfter: None,
		WantInput: NoCount, WantOutput: NoCount, Input: NoCount, Output: NoCount,
		Cached: NoCount, ReasoningCount: NoCount,
	}
}

// HasMedia tells whether pictures or recordings were sent beside the words.
func (r *Record) HasMedia() bool { return r.Images+r.AudioMS+r.MediaBytes > 0 }

// An Event is one content-bearing event in 16 bytes: a stream may bring
// thousands and a worker holds thousands of streams.
type Event struct {
	Arrived int64  // t[i]
	ReadLag uint32 // read[i] − t[i] in ns, clamped to [0, 4.29 s]
	packed  uint32 // tokens<<8 | unstamped<<7 | kind
}

const (
	maxTokens     = 1<<24 - 1
	unstampedFlag = 1 << 7
	kindMask      = unstampedFlag - 1
)

// NewEvent packs an event. Tokens beyond 16,777,215 and lags beyond 4.29 s
// saturate; a read before the arrival (the error of the clock offset, some
// microseconds) counts as no lag.
func NewEvent(arrived, read int64, kind Kind, tokens int, stamped bool) Event {
	lag := read - arrived
	lag = max(0, min(lag, math.MaxUint32))
	p := uint32(max(0, min(tokens, maxTokens)))<<8 | uint32(kind)&kindMask
	if !stamped {
		p |= unstampedFlag
	}
	return Event{Arrived: arrived, ReadLag: uint32(lag), packed: p}
}

// Read is when user space had the event: read[i].
func (e Event) Read() int64 { return e.Arrived + int64(e.ReadLag) }

// Tokens is k[i], the number of tokens the event carried.
func (e Event) Tokens() int { return int(e.packed >> 8) }

// Kind is Text, Reasoning or Tool. An event with both reasoning and text is Text.
func (e Event) Kind() Kind { return Kind(e.packed & kindMask) }

// Stamped tells whether Arrived is the run's clock (kernel or packet) and not
// the fallback to user space.
func (e Event) Stamped() bool { return e.packed&unstampedFlag == 0 }

// Packed is the event's third word as it is stored; Unpack is its inverse.
func (e Event) Packed() uint32 { return e.packed }

// Unpack rebuilds an event from its stored words.
func Unpack(arrived int64, lag, packed uint32) Event {
	return Event{Arrived: arrived, ReadLag: lag, packed: packed}
}

// A Mark is an event that brought no content.
type Mark struct {
	Kind Kind
	T    int64
}

// SharesRead tells whether content event i came in one read with a later
// event, with content or without: then its stamp is that event's, and it
// arrived no later than it. Marks keep no order against content; a role comes
// before, everything else after.
func (r *Record) SharesRead(i int) bool {
	e := r.Events[i]
	if i+1 < len(r.Events) {
		return r.Events[i+1].Read() == e.Read()
	}
	for k := len(r.Marks) - 1; k >= 0 && r.Marks[k].T >= e.Arrived; k-- {
		if r.Marks[k].T == e.Arrived && r.Marks[k].Kind != Role {
			return true
		}
	}
	return false
}

// Coalesced counts the content events that share a read with a later event.
func (r *Record) Coalesced() int {
	n := 0
	for i := range r.Events {
		if r.SharesRead(i) {
			n++
		}
	}
	return n
}
