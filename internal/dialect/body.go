package dialect

// Bodies are written member by member in a fixed order, so that the same
// request is the same bytes wherever it is encoded.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"assay/internal/workload"
)

// A body is a JSON object under construction. What the contract's extra says
// takes the place of a member of the same name; the rest of it comes last.
type body struct {
	b     []byte
	from  int // where in b it begins
	extra map[string]any
	used  map[string]bool
	err   error
}

func newBody(size int, extra map[string]any) *body {
	return &body{b: make([]byte, 0, size+size/8+256), extra: extra, used: map[string]bool{}}
}

func (b *body) member(name string, value func(dst []byte) []byte) {
	b.used[name] = true
	b.b = append(b.b, "{,"[min(len(b.b)-b.from, 1)])
	b.b = append(appendText(b.b, name), ':')
	instead, replaced := b.extra[name]
	if !replaced {
		b.b = value(b.b)
		return
	}
	raw, err := json.Marshal(instead)
	if err != nil && b.err == nil {
		b.err = fmt.Errorf("encode extra %q: %w", name, err)
	}
	b.b = append(b.b, raw...)
}

func (b *body) text(name, value string) {
	b.member(name, func(dst []byte) []byte { return appendText(dst, value) })
}

func (b *body) raw(name, value string) {
	b.member(name, func(dst []byte) []byte { return append(dst, value...) })
}

// object writes an object. What extra says of the same name is no other object
// but is added to its members, or takes their places.
func (b *body) object(name string, write func(in *body)) {
	own, merged := b.extra[name].(map[string]any)
	if _, replaced := b.extra[name]; replaced && !merged {
		b.raw(name, "")
		return
	}
	b.used[name] = true
	b.b = append(b.b, "{,"[min(len(b.b)-b.from, 1)])
	b.b = append(appendText(b.b, name), ':')
	in := &body{b: b.b, from: len(b.b), extra: own, used: map[string]bool{}}
	write(in)
	var err error
	if b.b, err = in.close(); err != nil && b.err == nil {
		b.err = err
	}
}

func (b *body) number(name string, n int) { b.raw(name, strconv.Itoa(n)) }

func (b *body) truth(name string, is bool) { b.raw(name, strconv.FormatBool(is)) }

func (b *body) close() ([]byte, error) {
	var rest []string
	for name := range b.extra {
		if !b.used[name] {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	for _, name := range rest {
		b.raw(name, "")
	}
	if len(b.b) == b.from {
		b.b = append(b.b, '{')
	}
	return append(b.b, '}'), b.err
}

// limitField is the field of the output limit that a request wants: one of the
// API's, the first of them unless it is told.
func limitField(o Options, fields []string) (string, error) {
	if o.LimitField == "" {
		return fields[0], nil
	}
	if !slices.Contains(fields, o.LimitField) {
		return "", fmt.Errorf("there is no field %q for the output limit", o.LimitField)
	}
	return o.LimitField, nil
}

// appendTurns appends a conversation as a list of roles and texts.
func appendTurns(dst []byte, turns []workload.Message) []byte {
	dst = append(dst, '[')
	for i, m := range turns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendText(append(dst, `{"role":`...), m.Role)
		dst = appendText(append(dst, `,"content":`...), m.Content)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// oneText is the text of a request to an API that takes no conversation: how
// its turns would be joined is the model's own affair.
func oneText(name string, r workload.Request) (string, error) {
	switch {
	case len(r.Messages) == 0:
		return r.Prompt, nil
	case r.Prompt == "" && len(r.Messages) == 1:
		return r.Messages[0].Content, nil
	}
	return "", fmt.Errorf("%s takes one text, and the prompt is a conversation", name)
}

// sizeOf is about how long a request's text is.
func sizeOf(r workload.Request) int {
	n := len(r.Prompt)
	for _, m := range r.Messages {
		n += len(m.Content) + 32
	}
	return n
}

// limitFields are the names that the output limit has had in OpenAI's API.
var limitFields = []string{"max_completion_tokens", "max_tokens"}

// finish adds what chat and completions have in common: the output limit,
// under the name asked for or else the API's current one, and streaming.
func (b *body) finish(current string, r workload.Request, o Options) ([]byte, error) {
	if o.LimitField == "" {
		o.LimitField = current
	}
	limit, err := limitField(o, limitFields)
	if err != nil {
		return nil, err
	}
	if r.OutputTokens > 0 {
		b.number(limit, r.OutputTokens)
	}
	if o.Stream {
		b.raw("stream", "true")
		b.raw("stream_options", `{"include_usage":true}`)
	}
	return b.close()
}

// appendText appends s as a JSON string. HTML is not escaped: servers count
// and log what was meant.
func appendText(dst []byte, s string) []byte {
	if isPlain(s) {
		return append(append(append(dst, '"'), s...), '"')
	}
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		panic("internal error: a string that is no JSON")
	}
	return append(dst, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}

// isPlain tells whether a string stands in JSON as it is. Nearly all prompts
// do, and the general way costs as much as all the rest of encoding one.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
