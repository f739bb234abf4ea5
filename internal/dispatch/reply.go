package dispatch

// Reading a reply: event by event, or as a whole.

import (
	"errors"
	"io"
	"strconv"

	"assay/internal/dialect"
	"assay/internal/record"
	"assay/internal/tokenizer"
	"assay/internal/wire"
)

// stream reads events until the end marker, the end of the body, or a fault.
func (d *Dispatcher) stream(f *flight, x wire.Exchange) wire.Exchange {
	defer func() { account(f, f.decoder.Reply()) }()
	for {
		piece, err := x.Read(f.scanner.Buffer())
		if piece.N > 0 {
			f.scanner.Advance(piece)
			if !d.fits(f, piece) {
				x.Abort()
				return nil
			}
			if d.events(f, x) {
				return d.hangUp(f, x)
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			d.closed(f, x)
			return x
		case err != nil:
			return d.lost(f, x, err)
		}
	}
}

// events takes the complete events out of the scanner and reports whether the
// reply is over.
func (d *Dispatcher) events(f *flight, x wire.Exchange) bool {
	for {
		ev, ok := f.scanner.Next()
		if !ok {
			break
		}
		if d.event(f, ev, x.ArrivedAt(ev.End)) {
			return true
		}
	}
	if f.scanner.Err() != nil {
		d.fault(f, record.ErrEventTooLarge, "an event is larger than the bound of this client")
		return true
	}
	return false
}

// event notes one event and reports whether it ends the reply.
func (d *Dispatcher) event(f *flight, ev wire.Event, at wire.Stamp) bool {
	delta := f.decoder.Event(ev.Name, ev.Data)
	if delta.Kind.Content() {
		tokens := delta.Tokens
		if tokens == 0 {
			tokens = 1
		}
		if len(f.Events) == cap(f.Events) && !d.room(f) {
			f.Ended = at.Arrived
			return true
		}
		f.Events = append(f.Events, record.NewEvent(at.Arrived, at.Read, delta.Kind, tokens, at.Clock != record.User))
		f.places.begun(at.Arrived)
		if f.cancel.enough(tokens) {
			f.Ended, f.Status = d.Now(), record.Cancelled
			return true
		}
	} else if len(f.Marks) < record.MaxMarks {
		f.Marks = append(f.Marks, record.Mark{Kind: delta.Kind, T: at.Arrived})
	} else {
		f.Dropped++
	}
	if delta.ErrorKind != "" {
		f.Ended = at.Arrived
		d.fault(f, delta.ErrorKind, delta.ErrorText)
		return true
	}
	if delta.End {
		f.Ended = at.Arrived
		d.judge(f, f.decoder.Reply())
		return true
	}
	return false
}

// closed is the end of the body without an end marker: a last event may lack
// its blank line, and a finish reason will do.
func (d *Dispatcher) closed(f *flight, x wire.Exchange) {
	if ev, ok := f.scanner.Flush(); ok {
		if d.event(f, ev, x.ArrivedAt(ev.End)) {
			return
		}
	}
	f.Ended = d.Now()
	d.judge(f, f.decoder.Reply())
}

// judge gives a reply that ended by itself its status.
func (d *Dispatcher) judge(f *flight, r dialect.Reply) {
	switch {
	case len(f.Events) == 0:
		d.fault(f, record.ErrEmpty, "the reply has no content")
	case !r.Finished && !f.stream.Dialect.Quiet:
		d.fault(f, record.ErrTruncated, "the stream ended without an end marker or a finish reason")
	default:
		f.Status = record.OK
	}
}

// fault is a reply that came and is no good.
func (d *Dispatcher) fault(f *flight, kind, text string) {
	f.Status = record.Failed
	d.blame(f, kind, text)
}

// whole reads a reply that is not a stream of events.
func (d *Dispatcher) whole(f *flight, x wire.Exchange, mediaType string) wire.Exchange {
	body, end, err := d.body(f, x)
	switch {
	case f.ErrorKind != "": // beyond a bound
		x.Abort()
		return nil
	case err != nil:
		return d.lost(f, x, err)
	}
	if len(body) == 0 {
		f.Ended = d.Now()
		d.fault(f, record.ErrEmpty, "the reply has no body")
		return x
	}
	at := x.ArrivedAt(end)
	f.Ended = at.Arrived
	if mediaType != plainJSON {
		d.fault(f, record.ErrContentType, wrongType(f, mediaType, body))
		return x
	}
	f.decoder.Keep()
	delta := f.decoder.Whole(body)
	switch {
	case delta.ErrorKind != "":
		d.fault(f, delta.ErrorKind, delta.ErrorText)
	case f.stream.Streamed:
		d.fault(f, record.ErrContentType, wrongType(f, mediaType, body))
	case !delta.Kind.Content():
		d.fault(f, record.ErrEmpty, "the reply has no content")
	case f.decoder.Reply().Items != f.answers:
		d.fault(f, record.ErrItems, wrongNumber(f, body))
	default:
		f.Events = append(f.Events, record.NewEvent(at.Arrived, at.Read, delta.Kind, delta.Tokens, at.Clock != record.User))
		f.Status = record.OK
	}
	account(f, f.decoder.Reply())
	countWords(f)
	return x
}

// countWords counts the words of a whole reply of which the server told no
// number: that it is one event says nothing.
func countWords(f *flight) {
	if f.TokenSource != record.FromEvents {
		return
	}
	if n := tokenizer.Words(string(f.decoder.Kept())); n > 0 {
		f.Output, f.TokenSource = n, record.FromWords
	}
}

// wrongNumber is an answer with more or fewer values than were asked for.
func wrongNumber(f *flight, body []byte) string {
	return "want " + strconv.Itoa(f.answers) + " " + string(f.stream.Dialect.Measures) + ", got " + strconv.Itoa(f.decoder.Reply().Items) + ": " + string(body[:min(len(body), maxWords)])
}

func wrongType(f *flight, mediaType string, body []byte) string {
	want := plainJSON
	if f.stream.Streamed {
		want = f.stream.Dialect.Framing.Types()[0]
	}
	if mediaType == "" {
		mediaType = "no content type"
	}
	return "want " + want + ", got " + mediaType + ": " + string(body[:min(len(body), maxWords)])
}

// body reads a whole body and says where in the connection it ended. Beyond
// the bounds it ends the reply.
func (d *Dispatcher) body(f *flight, x wire.Exchange) (body []byte, end uint64, err error) {
	body = make([]byte, 0, 4096)
	for {
		if len(body) == cap(body) {
			size := min(2*cap(body), d.bounds.Body)
			if size <= len(body) {
				d.fault(f, record.ErrBodyTooLarge, "the reply is larger than "+strconv.Itoa(d.bounds.Body)+" bytes")
				return nil, 0, nil
			}
			if !d.hold(f, int64(size-len(body))) {
				return nil, 0, nil
			}
			body = append(make([]byte, 0, size), body...)
		}
		piece, err := x.Read(body[len(body):cap(body)])
		if piece.N > 0 {
			body, end = body[:len(body)+piece.N], piece.End
		}
		if errors.Is(err, io.EOF) {
			return body, end, nil
		}
		if err != nil {
			return nil, 0, err
		}
	}
}
