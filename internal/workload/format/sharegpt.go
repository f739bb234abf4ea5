package format

// Conversations as ShareGPT and its descendants write them: a JSON array, or a
// conversation a line.

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"assay/internal/workload"
)

type shareGPT struct {
	ID            json.RawMessage `json:"id"`
	Conversations []utterance     `json:"conversations"`
	Conversation  []utterance     `json:"conversation"`
	Messages      []utterance     `json:"messages"`
}

// An utterance is said with from and value, or with role and content.
type utterance struct {
	From    string  `json:"from"`
	Value   *string `json:"value"`
	Role    string  `json:"role"`
	Content *string `json:"content"`
}

func isShareGPT(p probe) string {
	if name := p.any("conversations", "conversation"); name != "" {
		return "an object has " + name
	}
	if p.layout == inArray && p.has("messages") && !p.has("model") {
		return "an array of objects with messages"
	}
	return ""
}

func shareGPTConversation(o object) ([]item, error) {
	var c shareGPT
	if err := o.into(&c); err != nil {
		return nil, err
	}
	said := c.Conversations
	if said == nil {
		said = c.Conversation
	}
	if said == nil {
		said = c.Messages
	}
	if said == nil {
		return nil, errors.New("conversations is missing")
	}
	turns, err := turnsOf(said)
	if err != nil {
		return nil, err
	}
	if len(turns) == 0 {
		return nil, errors.New("nobody asks anything")
	}
	id := strings.Trim(string(c.ID), `"`)
	items := make([]item, len(turns))
	for i, t := range turns {
		t.Session = id
		items[i] = item{Entry: t}
	}
	return items, nil
}

// turnsOf makes a turn of each thing that a user says, with the answer that
// followed. What an assistant says before that has no request and is left out;
// the words of the system stand before the first turn.
func turnsOf(said []utterance) ([]workload.Entry, error) {
	var turns []workload.Entry
	var before []workload.Message
	answered := true // the last turn has its answer, or there is none yet
	for i, u := range said {
		who, text, err := u.read()
		if err != nil {
			return nil, fmt.Errorf("utterance %d: %w", i+1, err)
		}
		switch {
		case who == "system" && len(turns) == 0:
			before = append(before, workload.Message{Role: "system", Content: text})
		case who == "assistant" && len(turns) > 0 && !answered:
			turns[len(turns)-1].Recorded = text
			answered = true
		case who == "assistant" && len(turns) == 0:
		case who == "assistant":
			turns[len(turns)-1].Recorded += "\n\n" + text
		case text == "":
			return nil, fmt.Errorf("utterance %d: the user says nothing", i+1)
		case !answered: // the user goes on
			last := &turns[len(turns)-1]
			last.Messages = append(last.Messages, workload.Message{Role: who, Content: text})
		default:
			turns = append(turns, workload.Entry{Messages: append(before, workload.Message{Role: who, Content: text})})
			before, answered = nil, false
		}
	}
	return turns, nil
}

// roles are the names that datasets give.
var roles = map[string]string{
	"human": "user", "user": "user", "prompter": "user",
	"gpt": "assistant", "assistant": "assistant", "chatgpt": "assistant", "bing": "assistant", "bard": "assistant", "model": "assistant",
	"system": "system", "tool": "user", "observation": "user",
}

func (u utterance) read() (who, text string, err error) {
	name, value := u.From, u.Value
	if name == "" {
		name, value = u.Role, u.Content
	}
	who, known := roles[strings.ToLower(name)]
	switch {
	case name == "":
		return "", "", errors.New("from is missing")
	case !known:
		return "", "", fmt.Errorf("from %q is not known", shorten(name))
	case value == nil:
		return "", "", errors.New("value is missing")
	}
	return who, *value, nil
}
