// Prompts that somebody brings: a file of them, read line by line.

package workload

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"unicode/utf8"
)

// Orders in which the lines of a prompts file are taken.
const (
	Sampled    = "sampled"
	Sequential = "sequential"
)

// A prompt is a line of a prompts file.
type prompt struct {
	text     string
	messages []Message
	input    int // tokens of the prompt as counted
	output   int // 0 when the line does not say
}

// line is the form of a line; what else it holds is an error, for a misspelt
// output_tokens would otherwise be ignored without a word.
type line struct {
	Text         *string       `json:"text"`
	Messages     []lineMessage `json:"messages"`
	OutputTokens *int          `json:"output_tokens"`
}

type lineMessage struct {
	Role    string  `json:"role"`
	Content *string `json:"content"`
}

const lineForm = `want {"text": "…"} or {"messages": [{"role": "user", "content": "…"}]}, and if wanted "output_tokens": 256`

// load reads a prompts file whole. It is all or nothing: a run over the lines
// that happened to be readable would be another run.
func load(fsys fs.FS, name string, count func(string) int) ([]prompt, error) {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, fmt.Errorf("prompts: %w", err)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // some editors put one
	var prompts []prompt
	number := 0
	for text := range bytes.Lines(data) {
		number++
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		p, err := parse(text)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		p.input = count(p.text)
		for _, m := range p.messages {
			p.input += count(m.Content)
		}
		if p.input == 0 {
			return nil, fmt.Errorf("%s:%d: the prompt is empty", name, number)
		}
		prompts = append(prompts, p)
	}
	if len(prompts) == 0 {
		return nil, fmt.Errorf("%s: no prompts: %s", name, lineForm)
	}
	return prompts, nil
}

func parse(text []byte) (prompt, error) {
	if !utf8.Valid(text) {
		// Decoding would replace the bytes, and another prompt would be sent.
		return prompt{}, errors.New("not UTF-8")
	}
	var l line
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return prompt{}, fmt.Errorf("%w: %s", err, lineForm)
	}
	if _, err := d.Token(); err != io.EOF {
		return prompt{}, errors.New("more than one object on the line")
	}
	return l.prompt()
}

func (l line) prompt() (prompt, error) {
	var p prompt
	switch {
	case l.Text != nil && l.Messages != nil:
		return p, errors.New("both text and messages: " + lineForm)
	case l.Text == nil && len(l.Messages) == 0:
		return p, errors.New("neither text nor messages: " + lineForm)
	case l.Text != nil:
		p.text = *l.Text
	}
	for i, m := range l.Messages {
		if m.Role == "" || m.Content == nil {
			return p, fmt.Errorf("message %d has no role or no content", i+1)
		}
		p.messages = append(p.messages, Message{Role: m.Role, Content: *m.Content})
	}
	if l.OutputTokens != nil {
		if p.output = *l.OutputTokens; p.output < 1 || p.output > MaxTokens {
			return p, fmt.Errorf("output_tokens %d is not between 1 and %d", p.output, MaxTokens)
		}
	}
	return p, nil
}
