package format

// Messages of a chat, and bodies that hold them.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"assay/internal/workload"
)

// A message is what a chat endpoint takes. Content is a text or a list of parts.
type message struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// messages reads a list of messages. One that has more than a role and a text
// is sent as it stands in the file; its text is what is counted.
func messages(e *workload.Entry, raw json.RawMessage) (err error) {
	e.Messages, err = readMessages(raw)
	return err
}

// member sets a member of the body.
func member(e *workload.Entry, name string, value json.RawMessage) {
	extra := map[string]any{}
	for k, v := range e.Extra {
		extra[k] = v
	}
	extra[name] = json.RawMessage(bytes.Clone(value))
	e.Extra = extra
}

func readMessages(raw json.RawMessage) (read []workload.Message, err error) {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, errors.New("messages is no list")
	}
	if len(list) == 0 {
		return nil, errors.New("messages is an empty list")
	}
	for i, one := range list {
		var members map[string]json.RawMessage
		var m message
		if json.Unmarshal(one, &members) != nil || json.Unmarshal(one, &m) != nil || m.Role == "" {
			return nil, fmt.Errorf("message %d is no object with a role", i+1)
		}
		text, plain, err := content(m.Content)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i+1, err)
		}
		said := workload.Message{Role: m.Role, Content: text}
		if !plain || len(members) != 2 {
			said.Raw = bytes.Clone(one)
		}
		read = append(read, said)
	}
	return read, nil
}

// content is a text, null beside a call of a tool, or a list of parts of which
// the texts are taken.
func content(raw json.RawMessage) (text string, plain bool, err error) {
	if !given(raw) {
		return "", false, nil
	}
	if json.Unmarshal(raw, &text) == nil {
		return text, true, nil
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return "", false, errors.New("content is neither a text nor a list of parts")
	}
	var all []string
	for _, p := range parts {
		if p.Text != "" {
			all = append(all, p.Text)
		}
	}
	return strings.Join(all, "\n"), false, nil
}

// A body is what a chat or completions endpoint is sent, as far as it is
// understood.
type body struct {
	Stream              bool            `json:"stream"`
	Messages            json.RawMessage `json:"messages"`
	Prompt              json.RawMessage `json:"prompt"`
	Input               json.RawMessage `json:"input"`
	MaxTokens           *int64          `json:"max_tokens"`
	MaxCompletionTokens *int64          `json:"max_completion_tokens"`
	MaxOutputTokens     *int64          `json:"max_output_tokens"`
}

// limit is the output limit of a body.
func (b *body) limit() (int, error) {
	for _, l := range []struct {
		name  string
		value *int64
	}{{"max_completion_tokens", b.MaxCompletionTokens}, {"max_tokens", b.MaxTokens}, {"max_output_tokens", b.MaxOutputTokens}} {
		if l.value != nil {
			return tokens(l.name, *l.value)
		}
	}
	return 0, nil
}

// payload takes a body as it is. What of it is text is counted.
func payload(e *workload.Entry, raw json.RawMessage) error {
	var b body
	if err := decode(raw, &b, false); err != nil {
		return fmt.Errorf("payload: %w", err)
	}
	limit, err := b.limit()
	if err != nil {
		return err
	}
	if limit > 0 {
		e.Output = limit
	}
	e.Raw, e.Streamed = bytes.Clone(raw), b.Stream
	switch {
	case given(b.Messages):
		err = messages(e, b.Messages)
		for i := range e.Messages {
			e.Messages[i].Raw = nil // they are counted and not sent
		}
	case given(b.Prompt):
		e.Text, err = prompt("prompt", b.Prompt)
	case given(b.Input):
		e.Text, err = prompt("input", b.Input)
	}
	return err
}

// prompt is a text, or what else a body may have there: texts in a list.
func prompt(name string, raw json.RawMessage) (string, error) {
	var text string
	var texts []string
	switch {
	case json.Unmarshal(raw, &text) == nil:
		return text, nil
	case json.Unmarshal(raw, &texts) == nil:
		return strings.Join(texts, "\n"), nil
	case raw[0] == '[':
		return "", nil // token ids, or messages of another kind: nothing to count
	}
	return "", fmt.Errorf("%s is neither a text nor a list", name)
}
