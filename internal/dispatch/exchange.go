package dispatch

// One exchange: write, read, stamp, decode, and the record of it. The order is
// read, stamp, then decode: nothing that takes time comes before a stamp.

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/url"
	"strings"
	"time"

	"assay/internal/dialect"
	"assay/internal/record"
	"assay/internal/wire"
)

// maxWords bounds what is kept of the server's words.
const maxWords = 512

// carry takes one request over the wire and lands its record.
func (d *Dispatcher) carry(f *flight, freed func(ended int64)) {
	target := f.target()
	f.URL = target.URL
	d.begin(f)
	x := d.exchange(f, target.Pool)
	if f.Ended == record.None {
		f.Ended = d.Now()
	}
	settle(f)
	f.places.leave(f.Ended)
	ended, t, turn := f.Ended, f.talk, f.turn
	if x != nil {
		x.Over()
	}
	if t != nil {
		t.hear(d, f)
	}
	d.land(f)
	if t != nil {
		d.goOn(t, turn)
	} else if freed != nil {
		freed(ended)
	}
	if x != nil {
		x.Finish() // may wait for the reply's rest: after all stamps, after the slot is free
	}
}

// target is where the request goes.
func (f *flight) target() *Target {
	s := f.stream
	if s.Route != nil {
		return &s.Targets[s.Route(f.route, f.turn)]
	}
	return &s.Targets[int(f.route%uint64(len(s.Targets)))]
}

// exchange returns the exchange when its connection may serve again, nil when
// it is gone.
func (d *Dispatcher) exchange(f *flight, pool wire.Pool) wire.Exchange {
	limits := f.stream.Limits
	x, err := pool.Open(context.Background(), f.bytes, wire.Terms{
		Idle:   time.Duration(limits.Idle),
		Until:  f.Released + f.cancel.patience(limits.Request),
		Holder: f.holder,
	})
	f.bytes = nil // a reply may take long, and a request be large
	if x != nil {
		t := x.Times()
		f.Ready, f.Sent, f.Written = t.Ready, t.Sent, t.Written
		f.DNS, f.Connect, f.TLS, f.Reused = t.DNS, t.Connect, t.TLS, t.Reused
		f.Handover = t.Handover
	}
	if err != nil {
		return d.lost(f, x, err)
	}
	head, err := x.Head()
	if t := x.Times(); t.FirstByte != record.None {
		f.TTFB, f.RTT = t.FirstByte-f.Sent, t.RTT
	}
	if err != nil {
		return d.lost(f, x, err)
	}
	f.HTTPStatus = head.Status
	if head.Status/100 != 2 {
		kind := record.HTTPError(head.Status)
		if head.Status/100 == 3 {
			kind = record.ErrRedirect
		}
		f.RetryAfter = wire.RetryAfter(head.Header)
		return d.refused(f, x, kind, head.Header.Get("Location"))
	}
	if f.stream.Streamed && IsStream(&f.stream.Dialect, head.ContentType) {
		return d.stream(f, x)
	}
	return d.whole(f, x, mediaType(head.ContentType))
}

const plainJSON = "application/json"

// mediaType is the content type without parameters, in lower case.
func mediaType(contentType string) string {
	t, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(t))
}

// lost is an exchange that the network, a limit or the drain ended.
func (d *Dispatcher) lost(f *flight, x wire.Exchange, err error) wire.Exchange {
	if x != nil {
		x.Abort()
	}
	kind := wire.KindOf(err)
	switch {
	case kind == "" || d.draining.Load(): // given up by this side
		f.Status = record.Censored
	case kind == record.ErrTimeout && f.cancel.patience(f.stream.Limits.Request) < f.stream.Limits.Request:
		f.Status = record.Cancelled
	case kind == record.ErrLocal:
		f.Status = record.Local
		d.blame(f, kind, err.Error())
	default:
		f.Status = record.Failed
		d.blame(f, kind, err.Error())
	}
	return nil
}

// refused is an answer that says no: its first words are the example.
func (d *Dispatcher) refused(f *flight, x wire.Exchange, kind, location string) wire.Exchange {
	words := make([]byte, maxWords)
	n := 0
	var err error
	for err == nil && n < len(words) {
		var piece wire.Piece
		piece, err = x.Read(words[n:])
		n += piece.N
	}
	f.Ended = d.Now()
	f.Status = record.Failed
	text := string(words[:n])
	if location != "" {
		text = "redirected to " + bare(location) + " (redirects are not followed) " + text
	}
	d.blame(f, kind, text)
	if errors.Is(err, io.EOF) {
		return x
	}
	x.Abort()
	return nil
}

// bare is a URL without its query and credentials, which may hold keys.
func bare(location string) string {
	u, err := url.Parse(location)
	if err != nil {
		return "an unreadable address"
	}
	u.User, u.RawQuery = nil, ""
	return u.String()
}

// blame names the fault; the first one named stands.
func (d *Dispatcher) blame(f *flight, kind, text string) {
	if f.ErrorKind != "" {
		return
	}
	for _, s := range d.Secrets {
		text = strings.ReplaceAll(text, s, "***")
	}
	if len(text) > maxWords {
		text = text[:maxWords]
	}
	f.ErrorKind = kind
	f.ErrorMessage = record.Message(strings.TrimSpace(text))
}

// settle fills in what follows from the events: the stamps of the first and
// the last content, the clock.
func settle(f *flight) {
	if n := len(f.Events); n > 0 {
		f.First, f.Last = f.Events[0].Arrived, f.Events[n-1].Arrived
	}
	user := 0
	for _, e := range f.Events {
		if !e.Stamped() {
			user++
		}
		if f.FirstOutput == record.None && e.Kind() != record.Reasoning {
			f.FirstOutput = e.Arrived
		}
	}
	switch {
	case len(f.Events) == 0:
		f.Clock = record.NoClock
	case user == 0:
		f.Clock = record.Kernel
	case user == len(f.Events):
		f.Clock = record.User
	default:
		f.Clock = record.Mixed
	}
	f.Unstamped = user
}

// account takes the token counts from the decoder: the server's usage if it
// gave one, else what the events carried.
func account(f *flight, r dialect.Reply) {
	f.FinishReason = record.Message(r.FinishReason)
	f.Cached, f.ReasoningCount = r.Cached, r.Reasoning
	switch {
	case r.InputTokens != record.NoCount:
		f.Input, f.InputSource = r.InputTokens, record.FromUsage
	case f.WantInput != record.NoCount:
		f.Input, f.InputSource = f.WantInput, cmp.Or(f.stream.InputSource, record.FromWords)
	}
	if f.stream.Dialect.Textless() {
		return // what came back is no tokens
	}
	switch {
	case r.OutputTokens != record.NoCount:
		f.Output, f.TokenSource = r.OutputTokens, record.FromUsage
	case r.TokensTold:
		f.Output, f.TokenSource = r.SumTokens, record.FromTokens
	default:
		f.Output, f.TokenSource = r.SumTokens, record.FromEvents
	}
}
