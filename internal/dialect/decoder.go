package dialect

// What the decoders of all APIs have in common: an event is one JSON object,
// whose members an API reads in its own file; what the events of a reply add
// up to is counted here. Everything that an event needs lies in the decoder,
// so that an event allocates nothing.

import (
	"bytes"
	"unicode/utf8"

	"assay/internal/record"
)

// An api is how the events of one API are read.
type api struct {
	// member reads the value of one member of an event's object, or of a whole
	// reply's, and skips it where it says nothing.
	member func(d *decoder, key []byte)
	// done draws from all members what none tells alone; nil where there is no
	// such thing.
	done func(d *decoder)
	// marker is an end marker that is no JSON; "" where there is none.
	marker string
	// apart: the prompt's tokens that a cache knew, or was told to keep, are
	// not in the count of the prompt's tokens.
	apart bool
	// element reads one element of a reply that is a bare list; nil where it is
	// an object.
	element func(d *decoder)
}

// A chunk is what one event said.
type chunk struct {
	role, text, reasoning, tool bool

	tokens   int // by token ids, else by logprobs
	finish   []byte
	usage    usage
	hasUsage bool
	end      bool   // it ends the reply
	failed   bool   // it is an error
	whole    bool   // not part of a stream
	items    int    // vectors, scores, …
	strange  string // what is not as the API says; "" when all is

	// What an API notes of an event until all of it is read.
	name  []byte // of the event, or its type
	delta span   // a value to be read then
	said  bool   // there is something that no error goes with
	faint bool   // an error, if nothing is said
}

// A span is a value where it lies in the event.
type span struct{ from, to int }

// decoder is the Decoder of every API whose events are JSON objects.
type decoder struct {
	api api

	in    scanner
	now   chunk
	sum   tally
	ended bool

	keeps bool   // the words of the reply
	kept  []byte // so far
	last  []byte // of APIs whose events repeat what was said: all of it
	grows bool   // they do not, as it turned out
}

func newDecoder(a api) *decoder {
	d := &decoder{api: a}
	d.Reset()
	return d
}

func (d *decoder) Reset() {
	const most = 1 << 16 // bytes that are held for a later reply
	kept, last := d.kept[:0], d.last[:0]
	if cap(kept) > most {
		kept = nil
	}
	if cap(last) > most {
		last = nil
	}
	*d = decoder{api: d.api, sum: newTally(), kept: kept, last: last}
}

func (d *decoder) Keep() { d.keeps = true }

func (d *decoder) Kept() []byte { return d.kept }

func (d *decoder) Reply() Reply { return d.sum.reply(d.api.apart) }

// Event decodes one event. What comes after the end marker is not part of the
// reply and counts for nothing.
func (d *decoder) Event(name, data []byte) Delta {
	data = bytes.TrimSpace(data)
	switch {
	case d.ended:
		return Delta{Kind: record.Other}
	case d.api.marker != "" && string(data) == d.api.marker:
		d.ended, d.sum.marked = true, true
		return Delta{Kind: record.End, End: true}
	case string(name) == "error":
		return Delta{Kind: record.Error, ErrorKind: record.ErrStream, ErrorText: ErrorWords(data)}
	case len(data) == 0:
		return Delta{Kind: record.Other}
	}
	if bad := d.read(name, data, false); bad.ErrorKind != "" {
		return bad
	}
	if d.now.failed {
		return Delta{Kind: record.Error, ErrorKind: record.ErrStream, ErrorText: ErrorWords(data)}
	}
	delta := Delta{Kind: d.now.kind(), Tokens: d.sum.add(&d.now), End: d.now.end}
	if d.now.end {
		d.ended, d.sum.marked = true, true
	}
	if string(d.now.finish) == "error" {
		delta.Kind, delta.ErrorKind = record.Error, record.ErrStream
		delta.ErrorText = "the server ended the reply with finish_reason \"error\""
	}
	return delta
}

// Whole decodes a reply that is not streamed. Its tokens are those of the
// whole reply.
func (d *decoder) Whole(body []byte) Delta {
	if bad := d.read(nil, body, true); bad.ErrorKind != "" {
		return bad
	}
	if d.now.failed {
		return Delta{Kind: record.Error, ErrorKind: record.ErrBody, ErrorText: ErrorWords(body)}
	}
	delta := Delta{Kind: d.now.kind(), Tokens: d.sum.add(&d.now), End: true}
	d.ended, d.sum.marked = true, true
	return delta
}

// read fills now from one JSON text; a Delta with an error when it can't.
func (d *decoder) read(name, data []byte, whole bool) Delta {
	d.now = chunk{usage: noUsage, whole: whole, name: name}
	if !utf8.Valid(data) {
		return undecodable("invalid UTF-8", data)
	}
	d.in.reset(data)
	switch c := d.in.class(); {
	case c == '[' && d.api.element != nil:
		if d.list("", d.api.element) == 0 {
			d.odd("an empty list")
		}
	case c != '{':
		return undecodable("not a JSON object", data)
	default:
		d.object("", d.api.member)
	}
	if d.in.bad || d.in.class() != 0 || d.in.i != len(data) {
		return undecodable("not JSON", data)
	}
	if d.api.done != nil {
		d.api.done(d)
	}
	d.now.failed = d.now.failed || d.now.faint && !d.now.said
	if d.now.strange != "" && !d.now.failed {
		return undecodable(d.now.strange, data)
	}
	return Delta{}
}

// kind is the one kind of a chunk that may carry several things. Text and tool
// calls win over reasoning, because they begin the answer proper.
func (c *chunk) kind() record.Kind {
	switch {
	case c.text:
		return record.Text
	case c.tool:
		return record.Tool
	case c.reasoning:
		return record.Reasoning
	case c.items > 0:
		return record.Values
	case len(c.finish) > 0:
		return record.Finish
	case c.role:
		return record.Role
	case c.hasUsage:
		return record.Usage
	case c.end:
		return record.End
	}
	return record.Other
}
