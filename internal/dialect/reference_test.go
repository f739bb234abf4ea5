package dialect_test

// A second reading of events, by encoding/json's tokens and a tree: slow,
// plain, and sharing nothing with the scanner.

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"

	"assay/internal/record"
)

// A member is a key of an object with its value, in the order written: a key
// may come twice.
type member struct {
	key   string
	value any
}

type object []member

func (o object) each(f func(value any), keys ...string) {
	for _, m := range o {
		for _, k := range keys {
			if m.key == k {
				f(m.value)
			}
		}
	}
}

func tree(data []byte) (any, error) {
	if !json.Valid(data) || !utf8.Valid(data) {
		return nil, errors.New("not JSON")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := value(d)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("something follows")
		}
	}
	return v, err
}

func value(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		o := object{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := value(d)
			if err != nil {
				return nil, err
			}
			o = append(o, member{key.(string), v})
		}
		_, err = d.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := value(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = d.Token()
		return list, err
	}
	return token, nil
}

// referenceKind is the kind of a chat or completions event. ok is false where
// the event is not as the API says.
func referenceKind(data []byte, chat bool) (kind record.Kind, isError, ok bool) {
	root, err := tree(data)
	top, isObject := root.(object)
	if err != nil || !isObject {
		return 0, false, false
	}
	r := reference{chat: chat}
	r.top(top)
	if r.error || r.choices == 0 && r.otherError {
		return record.Error, true, true
	}
	for _, k := range []record.Kind{record.Text, record.Tool, record.Reasoning, record.Finish, record.Role, record.Usage} {
		if r.has[k] {
			return k, false, !r.strange
		}
	}
	return record.Other, false, !r.strange
}

type reference struct {
	chat              bool
	error, otherError bool
	choices           int
	strange           bool
	has               [16]bool
}

func (r *reference) top(o object) {
	o.each(func(v any) { r.error = r.error || says(v) }, "error")
	detail, objectError := false, false
	o.each(func(v any) { detail = detail || says(v) }, "detail")
	o.each(func(v any) {
		if s, ok := v.(string); ok {
			objectError = objectError || s == "error"
		}
	}, "object")
	r.otherError = detail || objectError
	usage := func(v any) { r.has[record.Usage] = r.has[record.Usage] || v != nil }
	o.each(usage, "usage")
	o.each(func(v any) {
		if groq, ok := v.(object); ok {
			groq.each(usage, "usage")
		}
	}, "x_groq")
	o.each(func(v any) {
		list, ok := v.([]any)
		r.strange = r.strange || !ok && v != nil
		r.choices += len(list)
		for _, c := range list {
			choice, ok := c.(object)
			r.strange = r.strange || !ok
			r.choice(choice)
		}
	}, "choices")
}

func says(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case object:
		return len(v) > 0
	}
	return true
}

func (r *reference) choice(o object) {
	finish := ""
	o.each(func(v any) {
		s, ok := v.(string)
		r.strange = r.strange || !ok && v != nil
		finish = s
	}, "finish_reason")
	r.has[record.Finish] = r.has[record.Finish] || finish != ""
	if !r.chat {
		o.each(func(v any) { r.filled(record.Text, v) }, "text")
		o.each(func(v any) { r.maybe(record.Reasoning, v) }, "reasoning", "reasoning_content")
		return
	}
	o.each(func(v any) {
		d, ok := v.(object)
		r.strange = r.strange || !ok && v != nil
		r.delta(d)
	}, "delta", "message")
}

func (r *reference) delta(d object) {
	d.each(func(v any) { r.filled(record.Role, v) }, "role")
	d.each(func(v any) { r.filled(record.Text, v) }, "refusal")
	d.each(func(v any) { r.maybe(record.Reasoning, v) }, "reasoning", "reasoning_content")
	d.each(func(v any) {
		parts, isList := v.([]any)
		if !isList {
			r.filled(record.Text, v)
		}
		for _, p := range parts {
			part, ok := p.(object)
			r.strange = r.strange || !ok
			part.each(func(v any) { r.filled(record.Text, v) }, "text")
			part.each(func(v any) {
				list, _ := v.([]any)
				r.has[record.Reasoning] = r.has[record.Reasoning] || len(list) > 0
			}, "thinking")
		}
	}, "content")
	function := func(v any) {
		f, _ := v.(object)
		f.each(func(v any) { r.maybe(record.Tool, v) }, "name", "arguments")
	}
	d.each(function, "function_call")
	d.each(func(v any) {
		calls, ok := v.([]any)
		r.strange = r.strange || !ok && v != nil
		for _, c := range calls {
			call, ok := c.(object)
			r.strange = r.strange || !ok
			call.each(function, "function")
		}
	}, "tool_calls")
}

// filled is for a member that must be a string or null, maybe for one that
// counts only if it is a string.
func (r *reference) filled(k record.Kind, v any) {
	_, isString := v.(string)
	r.strange = r.strange || !isString && v != nil
	r.maybe(k, v)
}

func (r *reference) maybe(k record.Kind, v any) {
	s, _ := v.(string)
	r.has[k] = r.has[k] || s != ""
}
