package format

// AIPerf's trees of calls, one conversation a line, in which no member is
// unknown. Conversations without branches are sessions; those that fork, spawn
// or conduct others are refused by name, for sent without their branches they
// would be other traffic.

import (
	"encoding/json"
	"errors"
	"fmt"

	"assay/internal/workload"
)

type dag struct {
	SessionID        string          `json:"session_id"`
	Turns            []dagTurn       `json:"turns"`
	PreSessionSpawns []string        `json:"pre_session_spawns"`
	Orchestrator     bool            `json:"orchestrator"`
	Spawns           json.RawMessage `json:"spawns"`
	Rounds           json.RawMessage `json:"rounds"`
	ThinkTime        *float64        `json:"think_time_ms"`
	ThinkTimeSigma   *float64        `json:"think_time_sigma"`
	ThinkTimeMin     *float64        `json:"think_time_min_ms"`
	ThinkTimeMax     *float64        `json:"think_time_max_ms"`
	ContextMode      string          `json:"context_mode"`
}

type dagTurn struct {
	Messages  json.RawMessage `json:"messages"`
	Model     string          `json:"model"`
	MaxTokens *int64          `json:"max_tokens"`
	Tools     json.RawMessage `json:"tools"`
	Extra     map[string]any  `json:"extra"`
	Forks     json.RawMessage `json:"forks"`
	Spawns    json.RawMessage `json:"spawns"`
	Delay     *float64        `json:"delay"` // ms
}

// isDAG tells a turn with messages from one with a text.
func isDAG(p probe) string {
	if p.has("orchestrator") {
		return "an object has orchestrator"
	}
	var turns []map[string]json.RawMessage
	if json.Unmarshal(p.members["turns"], &turns) != nil || len(turns) == 0 || turns[0]["messages"] == nil {
		return ""
	}
	return "an object has turns with messages"
}

func dagLine(o object) ([]item, error) {
	var d dag
	if err := o.strictly(&d); err != nil {
		return nil, err
	}
	switch {
	case d.SessionID == "":
		return nil, errors.New("session_id is missing")
	case d.Orchestrator:
		return nil, errors.New("orchestrator: conversations that conduct others are not sent")
	case len(d.PreSessionSpawns) > 0 || some(d.Spawns):
		return nil, errors.New("spawns: conversations that start others are not sent")
	case len(d.Turns) == 0:
		return nil, errors.New("turns is missing or empty")
	}
	var items []item
	for i := range d.Turns {
		e, err := d.Turns[i].entry()
		if err != nil {
			return nil, fmt.Errorf("turn %d: %w", i+1, err)
		}
		e.Session, e.Alone = d.SessionID, d.ContextMode == whole
		items = append(items, item{Entry: e})
	}
	return items, nil
}

// some tells whether a list has an element.
func some(raw json.RawMessage) bool { return given(raw) && string(raw) != "[]" }

func (t *dagTurn) entry() (workload.Entry, error) {
	e := workload.Entry{Extra: t.Extra}
	if some(t.Forks) || some(t.Spawns) {
		return e, errors.New("forks and spawns are not sent")
	}
	if err := when(&e, nil, t.Delay); err != nil {
		return e, err
	}
	var err error
	if e.Output, err = optional("max_tokens", t.MaxTokens); err != nil {
		return e, err
	}
	if t.Model != "" {
		member(&e, "model", quoted(t.Model))
	}
	if given(t.Tools) {
		member(&e, "tools", t.Tools)
	}
	if !given(t.Messages) {
		return e, errors.New("messages is missing")
	}
	return e, messages(&e, t.Messages)
}

func quoted(s string) json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil {
		panic("internal error: a string that is no JSON")
	}
	return b
}
