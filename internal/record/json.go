// The record as people and other programs read it: one JSON object a line,
// its field names an interface that does not change.
package record

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
)

// A Line is a record in the form of `assay records`. What is not known is
// null. Times are ns since the run's epoch.
type Line struct {
	Seq     uint64  `json:"seq"`
	Stream  string  `json:"stream"`
	Session *string `json:"session"`
	Turn    int     `json:"turn"`
	Role    *string `json:"role"`
	Worker  int     `json:"worker"`
	Phase   string  `json:"phase"`
	Release string  `json:"release"`
	URL     string  `json:"url"`

	Endpoint string `json:"endpoint"`

	Due         *int64 `json:"due_ns"`
	Free        *int64 `json:"free_ns"`
	Released    *int64 `json:"released_ns"`
	Ready       *int64 `json:"ready_ns"`
	Sent        *int64 `json:"sent_ns"`
	Written     *int64 `json:"written_ns"`
	First       *int64 `json:"first_ns"`
	FirstOutput *int64 `json:"first_output_ns"`
	Last        *int64 `json:"last_ns"`
	Ended       *int64 `json:"ended_ns"`
	DNS         *int64 `json:"dns_ns"`
	Connect     *int64 `json:"connect_ns"`
	TLS         *int64 `json:"tls_ns"`
	TTFB        *int64 `json:"ttfb_ns"`

	Reused     bool       `json:"reused"`
	Clock      *string    `json:"clock"`
	Coalesced  int        `json:"coalesced"` // events that share a read with a later one
	Status     string     `json:"status"`
	Error      *LineError `json:"error"`
	HTTPStatus *int       `json:"http_status"`

	WantInput    *int    `json:"want_input_tokens"`
	WantOutput   *int    `json:"want_output_tokens"`
	Input        *int    `json:"input_tokens"`
	Output       *int    `json:"output_tokens"`
	TokenSource  *string `json:"token_source"` // of output_tokens
	Cached       *int    `json:"cached_tokens"`
	Reasoning    *int    `json:"reasoning_tokens"`
	FinishReason *string `json:"finish_reason"`
	RequestID    *string `json:"request_id"`
	BodySHA256   *string `json:"body_sha256"`

	Arrivals []int64    `json:"arrivals_ns"` // of content-bearing events, like the next two
	Reads    []int64    `json:"read_ns"`
	Tokens   []int      `json:"tokens"`
	Other    []LineMark `json:"other"` // every other event

	Streamed    bool     `json:"streamed"` // the reply was asked for as events
	InputSource *string  `json:"input_token_source"`
	Kinds       []string `json:"kinds"`     // of the content-bearing events
	Unstamped   int      `json:"unstamped"` // events on the fallback clock
	Dropped     int      `json:"dropped"`   // other events that were counted and not kept
	RTT         *int64   `json:"rtt_ns"`    // smallest round trip of the connection
	Handover    *int64   `json:"handover_ns"`
	RetryAfter  *int64   `json:"retry_after_ns"` // that the refusing server asked for
	Turns       *int     `json:"turns"`          // requests that the session was to have
	Images      *int     `json:"images"`
	AudioMS     *int     `json:"audio_ms"`
	MediaBytes  *int     `json:"media_bytes"` // without base64
	Items       *int     `json:"items"`       // sent, where the answer is no text
}

// A LineError is what went wrong.
type LineError struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

// A LineMark is an event without content.
type LineMark struct {
	Kind string `json:"kind"`
	T    *int64 `json:"t_ns"`
}

// Line returns the record in the form of `assay records`.
func (r *Record) Line() Line {
	l := Line{
		Seq: r.Seq, Stream: r.Stream, Session: known(r.Session, ""), Turn: r.Turn, Role: known(r.Role, ""),
		Worker: r.Worker, Phase: r.Phase.String(), Release: r.Release.String(), URL: r.URL, Endpoint: r.Endpoint,
		Due: known(r.Due, None), Free: known(r.Free, None), Released: known(r.Released, None),
		Ready: known(r.Ready, None), Sent: known(r.Sent, None), Written: known(r.Written, None),
		First: known(r.First, None), FirstOutput: known(r.FirstOutput, None), Last: known(r.Last, None),
		Ended: known(r.Ended, None), DNS: known(r.DNS, None), Connect: known(r.Connect, None),
		TLS: known(r.TLS, None), TTFB: known(r.TTFB, None),
		Reused: r.Reused, Clock: known(r.Clock.String(), NoClock.String()), Coalesced: r.Coalesced(),
		Status: r.Status.String(), HTTPStatus: known(r.HTTPStatus, 0),
		WantInput: known(r.WantInput, NoCount), WantOutput: known(r.WantOutput, NoCount),
		Input: known(r.Input, NoCount), Output: known(r.Output, NoCount),
		TokenSource: known(r.TokenSource.String(), NoSource.String()),
		Cached:      known(r.Cached, NoCount), Reasoning: known(r.ReasoningCount, NoCount),
		FinishReason: known(r.FinishReason, ""), RequestID: known(r.RequestID, ""),
		Streamed:    r.Streamed,
		InputSource: known(r.InputSource.String(), NoSource.String()),
		Unstamped:   r.Unstamped, Dropped: r.Dropped, RTT: known(r.RTT, None), Handover: known(r.Handover, None), RetryAfter: known(r.RetryAfter, None),
		Turns: known(r.Turns, 0), Images: known(r.Images, 0), AudioMS: known(r.AudioMS, 0), MediaBytes: known(r.MediaBytes, 0), Items: known(r.Items, 0),
	}
	if r.ErrorKind != "" {
		l.Error = &LineError{Kind: r.ErrorKind, Message: r.ErrorMessage}
	}
	if r.BodySHA256 != ([32]byte{}) {
		sum := hex.EncodeToString(r.BodySHA256[:])
		l.BodySHA256 = &sum
	}
	l.fillEvents(r)
	return l
}

func (l *Line) fillEvents(r *Record) {
	n := len(r.Events)
	l.Arrivals, l.Reads = make([]int64, n), make([]int64, n)
	l.Tokens, l.Kinds = make([]int, n), make([]string, n)
	for i, e := range r.Events {
		l.Arrivals[i], l.Reads[i], l.Tokens[i], l.Kinds[i] = e.Arrived, e.Read(), e.Tokens(), e.Kind().String()
	}
	l.Other = make([]LineMark, len(r.Marks))
	for i, m := range r.Marks {
		l.Other[i] = LineMark{Kind: m.Kind.String(), T: known(m.T, None)}
	}
}

// known is nil for the value that stands for "missing".
func known[T comparable](v, missing T) *T {
	if v == missing {
		return nil
	}
	return &v
}

// MarshalJSON writes the record as a Line.
func (r *Record) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // an & in a URL is an &
	if err := e.Encode(r.Line()); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
