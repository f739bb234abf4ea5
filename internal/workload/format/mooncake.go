package format

// Mooncake's trace, as it was published and as AIPerf extends it. The prompt
// is said in one of four ways: its length (with the hashes of its blocks), its
// text, its messages, or the whole body.

import (
	"encoding/json"
	"errors"
	"fmt"

	"assay/internal/workload"
)

type mooncake struct {
	Timestamp    *float64        `json:"timestamp"` // ms
	Delay        *float64        `json:"delay"`     // ms
	SessionID    string          `json:"session_id"`
	InputLength  *int64          `json:"input_length"`
	OutputLength *int64          `json:"output_length"`
	HashIDs      []uint64        `json:"hash_ids"`
	TextInput    *string         `json:"text_input"`
	Messages     json.RawMessage `json:"messages"`
	MessageMode  string          `json:"message_mode"` // history or delta
	ContextMode  string          `json:"context_mode"`
	Tools        json.RawMessage `json:"tools"`
	Payload      json.RawMessage `json:"payload"`
	Extra        map[string]any  `json:"extra"`
}

var mooncakeMembers = []string{"timestamp", "delay", "session_id", "input_length", "output_length", "hash_ids", "text_input",
	"messages", "message_mode", "context_mode", "tools", "payload", "extra"}

func (m *mooncake) set(name string, q *quick) bool {
	switch name {
	case "timestamp":
		return toNumber(q, &m.Timestamp)
	case "delay":
		return toNumber(q, &m.Delay)
	case "session_id":
		return toText(q, &m.SessionID)
	case "input_length":
		return toWhole(q, &m.InputLength)
	case "output_length":
		return toWhole(q, &m.OutputLength)
	case "hash_ids":
		return toIDs(q, &m.HashIDs)
	case "text_input":
		return toTextThere(q, &m.TextInput)
	case "messages":
		return toRaw(q, &m.Messages)
	case "message_mode":
		return toText(q, &m.MessageMode)
	case "context_mode":
		return toText(q, &m.ContextMode)
	case "tools":
		return toRaw(q, &m.Tools)
	case "payload":
		return toRaw(q, &m.Payload)
	case "extra":
		return toMembers(q, &m.Extra)
	}
	return false
}

// whole is AIPerf's name for rows that hold the history themselves.
const whole = "message_array_with_responses"

// isMooncake leaves rows with a model to raw payloads.
func isMooncake(p probe) string {
	if p.has("input_length") {
		return "an object has input_length"
	}
	if name := p.any("text_input", "payload"); name != "" {
		return "an object has " + name
	}
	if p.has("messages") && !p.has("model") && p.any("timestamp", "delay", "output_length", "session_id", "message_mode") != "" {
		return "an object has messages and when or how long, and no model"
	}
	return ""
}

func mooncakeLine(o object) ([]item, error) {
	m := &o.room.mooncake
	*m = mooncake{}
	if !plainly(o.data, mooncakeMembers, m.set) {
		*m = mooncake{}
		if err := o.into(m); err != nil {
			return nil, err
		}
	}
	e := workload.Entry{Session: m.SessionID, Extra: m.Extra}
	if err := when(&e, m.Timestamp, m.Delay); err != nil {
		return nil, err
	}
	var err error
	if e.Output, err = optional("output_length", m.OutputLength); err != nil {
		return nil, err
	}
	if err := m.prompt(&e, o.block); err != nil {
		return nil, err
	}
	return one(e), nil
}

// prompt reads the one of four ways that is there.
func (m *mooncake) prompt(e *workload.Entry, block int) error {
	ways := 0
	for _, there := range []bool{m.InputLength != nil, m.TextInput != nil, given(m.Messages), given(m.Payload)} {
		if there {
			ways++
		}
	}
	switch {
	case ways != 1:
		return fmt.Errorf("want one of input_length, text_input, messages and payload, it has %d of them", ways)
	case len(m.HashIDs) > 0 && m.InputLength == nil:
		return errors.New("hash_ids want an input_length")
	case m.InputLength != nil:
		e.Alone = m.ContextMode == whole
		return blocks(e, *m.InputLength, m.HashIDs, block)
	case m.TextInput != nil:
		if *m.TextInput == "" {
			return errors.New("text_input is empty")
		}
		e.Text = *m.TextInput
		return nil
	case given(m.Payload):
		e.Alone = true
		return payload(e, m.Payload)
	}
	switch m.MessageMode {
	case "", "history":
		e.Alone = true
	case "delta":
	default:
		return fmt.Errorf("message_mode %q is neither history nor delta", shorten(m.MessageMode))
	}
	if given(m.Tools) {
		member(e, "tools", m.Tools)
	}
	return messages(e, m.Messages)
}

// given tells whether a member is there and not null.
func given(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// blocks sets what a prompt of so many tokens shares with others. The hashes
// may be of its beginning only; the last block may be cut short by the length.
func blocks(e *workload.Entry, length int64, hashes []uint64, block int) error {
	n, err := tokens("input_length", length)
	if err != nil {
		return err
	}
	if last := int64(len(hashes)-1) * int64(block); len(hashes) > 0 && length <= last {
		return fmt.Errorf("input_length %d does not reach into the last of its %d blocks of %d tokens", length, len(hashes), block)
	}
	e.Input = n
	if len(hashes) > 0 {
		e.Blocks, e.Block = hashes, block
	}
	return nil
}
