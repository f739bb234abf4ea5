package format

// The inputs.json that AIPerf leaves behind: the bodies that it sent, by
// session. They are sent again as they are.

import (
	"encoding/json"
	"errors"
	"fmt"

	"assay/internal/workload"
)

type inputs struct {
	SessionID string            `json:"session_id"`
	Payloads  []json.RawMessage `json:"payloads"`
}

func inputsSession(o object) ([]item, error) {
	var s inputs
	if err := o.into(&s); err != nil {
		return nil, err
	}
	if len(s.Payloads) == 0 {
		return nil, errors.New("payloads is missing or empty")
	}
	var items []item
	for i, p := range s.Payloads {
		e := workload.Entry{Session: s.SessionID, Alone: true}
		if err := payload(&e, p); err != nil {
			return nil, fmt.Errorf("payload %d: %w", i+1, err)
		}
		items = append(items, item{Entry: e})
	}
	return items, nil
}
