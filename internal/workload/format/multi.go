package format

// AIPerf's conversations, one a line: the history grows by the replies of the
// server that is measured.

import (
	"errors"
	"fmt"

	"assay/internal/workload"
)

type multiTurn struct {
	SessionID string   `json:"session_id"`
	Turns     []single `json:"turns"`
}

func (m *multiTurn) set(name string, q *quick) bool {
	switch name {
	case "session_id":
		return toText(q, &m.SessionID)
	case "turns":
		return each(q, func(turn []byte) bool {
			var s single
			ok := plainly(turn, singleMembers, s.set)
			m.Turns = append(m.Turns, s)
			return ok
		})
	}
	return false
}

func multiTurnLine(o object) ([]item, error) {
	var m multiTurn
	if !plainly(o.data, []string{"session_id", "turns"}, m.set) {
		m = multiTurn{}
		if err := o.into(&m); err != nil {
			return nil, err
		}
	}
	var items []item
	var system []workload.Message
	for i := range m.Turns {
		e, err := m.Turns[i].entry(o)
		if err != nil {
			return nil, fmt.Errorf("turn %d: %w", i+1, err)
		}
		if i == 0 && len(m.Turns) > 1 && m.Turns[0].Role == "system" {
			system = e.Messages
			continue
		}
		if len(system) > 0 {
			if e.Messages == nil {
				e.Messages, e.Text = []workload.Message{{Role: "user", Content: e.Text}}, ""
			}
			e.Messages = append(system, e.Messages...)
			system = nil
		}
		e.Session = m.SessionID
		items = append(items, item{Entry: e})
	}
	if len(items) == 0 {
		return nil, errors.New("turns is missing or empty")
	}
	return items, nil
}
