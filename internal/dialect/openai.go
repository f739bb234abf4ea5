package dialect

// What the chunks of chat and completions have in common: the object around
// the choices, and what the chunks of one reply add up to. The choices' own
// content is read in chat.go and completions.go.

import (
	"bytes"
	"unicode/utf8"

	"assay/internal/record"
)

// A chunk is what one event said.
type chunk struct {
	role, text, reasoning, tool bool

	tokens   int // by token ids, else by logprobs
	finish   []byte
	usage    usage
	hasUsage bool
	failed   bool   // the event is an error
	whole    bool   // not part of a stream
	strange  string // what is not as the API says; "" when all is
}

// An openAI is the decoder of both APIs. Everything it needs for an event lies
// in it, so that an event allocates nothing.
type openAI struct {
	// member reads a member of a choice that only this API has, and reports
	// whether it was one.
	member func(d *openAI, key []byte) bool

	in    scanner
	now   chunk
	sum   tally
	ended bool

	keeps bool   // the words of the reply
	kept  []byte // so far
}

func newOpenAI(member func(*openAI, []byte) bool) *openAI {
	d := &openAI{member: member}
	d.Reset()
	return d
}

func (d *openAI) Reset() {
	const most = 1 << 16 // bytes that are held for a later reply
	kept := d.kept[:0]
	if cap(kept) > most {
		kept = nil
	}
	*d = openAI{member: d.member, sum: newTally(), kept: kept}
}

func (d *openAI) Keep() { d.keeps = true }

func (d *openAI) Kept() []byte { return d.kept }

func (d *openAI) Reply() Reply { return d.sum.reply() }

// words reads a string of the reply proper and tells whether it has a
// character.
func (d *openAI) words(name string) bool {
	start := d.in.i
	filled := d.filled(name)
	if filled && d.keeps {
		quoted := bytes.TrimSpace(d.in.b[start:d.in.i])
		d.kept = append(d.kept, plainly(quoted[1:len(quoted)-1])...)
	}
	return filled
}

// plainly is a string without its escapes.
func plainly(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	return unescape(raw)
}

// Event decodes one event. What comes after the end marker is not part of the
// reply and counts for nothing.
func (d *openAI) Event(name, data []byte) Delta {
	data = bytes.TrimSpace(data)
	switch {
	case d.ended:
		return Delta{Kind: record.Other}
	case string(data) == "[DONE]":
		d.ended, d.sum.marked = true, true
		return Delta{Kind: record.End, End: true}
	case string(name) == "error":
		return Delta{Kind: record.Error, ErrorKind: record.ErrStream, ErrorText: ErrorWords(data)}
	case len(data) == 0:
		return Delta{Kind: record.Other}
	}
	if bad := d.read(data, false); bad.ErrorKind != "" {
		return bad
	}
	if d.now.failed {
		return Delta{Kind: record.Error, ErrorKind: record.ErrStream, ErrorText: ErrorWords(data)}
	}
	delta := Delta{Kind: d.now.kind(), Tokens: d.sum.add(&d.now)}
	if string(d.now.finish) == "error" {
		delta.Kind, delta.ErrorKind = record.Error, record.ErrStream
		delta.ErrorText = "the server ended the reply with finish_reason \"error\""
	}
	return delta
}

// Whole decodes a reply that is not streamed. Its tokens are those of the
// whole reply.
func (d *openAI) Whole(body []byte) Delta {
	if bad := d.read(body, true); bad.ErrorKind != "" {
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
func (d *openAI) read(data []byte, whole bool) Delta {
	d.now = chunk{usage: noUsage, whole: whole}
	if !utf8.Valid(data) {
		return undecodable("invalid UTF-8", data)
	}
	d.in.reset(data)
	if !d.in.open('{') {
		return undecodable("not a JSON object", data)
	}
	var said head
	for first := true; ; first = false {
		key, ok := d.in.member(first)
		if !ok {
			break
		}
		d.top(key, &said)
	}
	if d.in.bad || d.in.class() != 0 || d.in.i != len(data) {
		return undecodable("not JSON", data)
	}
	d.now.failed = said.error || !said.choices && (said.object || said.detail)
	if d.now.strange != "" && !d.now.failed {
		return undecodable(d.now.strange, data)
	}
	return Delta{}
}

// A head is what the members around the choices said.
type head struct {
	choices bool // there are some
	error   bool // "error" that is not null
	object  bool // "object":"error", as older vLLM says it
	detail  bool // "detail", as FastAPI says it
}

func (d *openAI) top(key []byte, said *head) {
	switch string(key) {
	case "choices":
		said.choices = d.choices()
	case "usage":
		d.readUsage()
	case "x_groq":
		d.groq()
	case "error":
		said.error = d.said()
	case "detail":
		said.detail = d.said()
	case "object":
		if raw, ok := d.in.text(); ok {
			said.object = string(raw) == "error"
		} else {
			d.in.skip()
		}
	default:
		d.in.skip()
	}
}

// said consumes a value and tells whether it says anything: null, false, ""
// and {} don't.
func (d *openAI) said() bool {
	d.in.class()
	start := d.in.i
	d.in.skip()
	switch string(d.in.b[min(start, d.in.i):d.in.i]) {
	case "null", "false", `""`, "{}":
		return false
	}
	return true
}

func (d *openAI) readUsage() {
	if d.in.null() {
		return
	}
	d.now.usage = d.in.usage()
	d.now.hasUsage = true
}

// groq reads Groq's own place for usage: {"x_groq":{"usage":{…}}}.
func (d *openAI) groq() {
	if !d.in.open('{') {
		d.in.skip()
		return
	}
	for first := true; ; first = false {
		key, ok := d.in.member(first)
		if !ok {
			return
		}
		if string(key) == "usage" {
			d.readUsage()
		} else {
			d.in.skip()
		}
	}
}

// choices reads the array and tells whether it has an element.
func (d *openAI) choices() bool {
	if d.in.null() {
		return false
	}
	if !d.in.open('[') {
		d.strange("choices is no array")
		return false
	}
	n := 0
	for ; d.in.more(n == 0, ']'); n++ {
		d.choice(n)
	}
	return n > 0
}

// choice reads one choice. Content of any choice counts.
func (d *openAI) choice(position int) {
	if !d.in.open('{') {
		d.strange("a choice is no object")
		return
	}
	index, ids, logprobs := position, 0, 0
	before := len(d.kept)
	var finish []byte
	for first := true; ; first = false {
		key, ok := d.in.member(first)
		if !ok {
			break
		}
		switch string(key) {
		case "index":
			if n, told := d.in.count(); told {
				index = n
			}
		case "finish_reason":
			finish = d.finishReason()
		case "token_ids":
			ids = d.in.length()
		case "logprobs":
			logprobs = d.in.logprobs()
		default:
			if !d.member(d, key) {
				d.in.skip()
			}
		}
	}
	if index != 0 {
		d.kept = d.kept[:before] // a conversation goes on with the first choice
	}
	if ids == 0 {
		ids = logprobs
	}
	d.now.tokens += ids
	if len(finish) > 0 {
		d.now.finish = finish
	}
	d.sum.see(index, len(finish) > 0)
}

func (d *openAI) finishReason() []byte {
	if raw, ok := d.in.text(); ok {
		return raw
	}
	if !d.in.null() {
		d.strange("finish_reason is no string")
	}
	return nil
}

// strange notes the first thing that is not as the API says, and consumes it.
func (d *openAI) strange(what string) {
	if d.now.strange == "" {
		d.now.strange = what
	}
	d.in.skip()
}

// logprobs counts the tokens that a logprobs object lists: chat has them in
// "content" (and "refusal"), completions in "tokens".
func (s *scanner) logprobs() int {
	if !s.open('{') {
		s.skip()
		return 0
	}
	n := 0
	for first := true; ; first = false {
		key, ok := s.member(first)
		if !ok {
			return n
		}
		switch string(key) {
		case "content", "refusal", "tokens":
			n += s.length()
		default:
			s.skip()
		}
	}
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
	case len(c.finish) > 0:
		return record.Finish
	case c.role:
		return record.Role
	case c.hasUsage:
		return record.Usage
	}
	return record.Other
}
