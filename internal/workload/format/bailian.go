package format

// Alibaba's trace of Bailian: each line is a whole request with its history,
// of so many tokens, in hashed blocks of 16; parent_chat_id is the request
// before it in its conversation.

import (
	"errors"
	"strconv"

	"assay/internal/workload"
)

type bailian struct {
	ChatID       *int64   `json:"chat_id"`
	ParentChatID *int64   `json:"parent_chat_id"`
	Timestamp    *float64 `json:"timestamp"` // seconds
	InputLength  *int64   `json:"input_length"`
	OutputLength *int64   `json:"output_length"`
	HashIDs      []uint64 `json:"hash_ids"`
}

var bailianMembers = []string{"chat_id", "parent_chat_id", "timestamp", "input_length", "output_length", "hash_ids"}

func (b *bailian) set(name string, q *quick) bool {
	switch name {
	case "chat_id":
		return toWhole(q, &b.ChatID)
	case "parent_chat_id":
		return toWhole(q, &b.ParentChatID)
	case "timestamp":
		return toNumber(q, &b.Timestamp)
	case "input_length":
		return toWhole(q, &b.InputLength)
	case "output_length":
		return toWhole(q, &b.OutputLength)
	case "hash_ids":
		return toIDs(q, &b.HashIDs)
	}
	return false
}

func bailianLine(o object) ([]item, error) {
	var b bailian
	if !plainly(o.data, bailianMembers, b.set) {
		b = bailian{}
		if err := o.into(&b); err != nil {
			return nil, err
		}
	}
	switch {
	case b.ChatID == nil:
		return nil, errors.New("chat_id is missing")
	case b.Timestamp == nil:
		return nil, errors.New("timestamp is missing")
	case b.InputLength == nil:
		return nil, errors.New("input_length is missing")
	case b.OutputLength == nil:
		return nil, errors.New("output_length is missing")
	}
	e := workload.Entry{Timed: true, Alone: true}
	var err error
	if e.At, err = nanoseconds("timestamp", *b.Timestamp, second); err != nil {
		return nil, err
	}
	if e.Output, err = tokens("output_length", *b.OutputLength); err != nil {
		return nil, err
	}
	if err := blocks(&e, *b.InputLength, b.HashIDs, o.block); err != nil {
		return nil, err
	}
	i := item{Entry: e, id: strconv.FormatInt(*b.ChatID, 10)}
	if b.ParentChatID != nil && *b.ParentChatID >= 0 {
		i.parent = strconv.FormatInt(*b.ParentChatID, 10)
	}
	return []item{i}, nil
}
