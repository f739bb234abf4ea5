package format

// AIPerf's trees of calls, one conversation a line, in which no member is
// unknown. A turn may fork conversations, which go on with its history, and
// spawn others, which have none. What begins before the first turn of another,
// or sends nothing itself, is refused by name: a session begins with one
// request.

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

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
	Messages  json.RawMessage   `json:"messages"`
	Model     string            `json:"model"`
	MaxTokens *int64            `json:"max_tokens"`
	Tools     json.RawMessage   `json:"tools"`
	Extra     map[string]any    `json:"extra"`
	Forks     []json.RawMessage `json:"forks"`
	Spawns    []json.RawMessage `json:"spawns"`
	Delay     *float64          `json:"delay"` // ms
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
		return nil, errors.New("orchestrator: a conversation that sends nothing itself can't be sent")
	case len(d.PreSessionSpawns) > 0:
		return nil, errors.New("pre_session_spawns: a session begins with one request")
	case given(d.Spawns) && string(d.Spawns) != "[]":
		return nil, errors.New("spawns of a conversation are an orchestrator's: those of a turn stand in it")
	case len(d.Turns) == 0:
		return nil, errors.New("turns is missing or empty")
	}
	var items []item
	var branches []branch
	for i := range d.Turns {
		e, err := d.Turns[i].entry()
		if err == nil {
			branches, err = d.branches(branches, i)
		}
		if err == nil && i > 0 && d.ContextMode != whole && ofSystem(e) {
			err = errors.New("words of the system belong before the first turn")
		}
		if err != nil {
			return nil, fmt.Errorf("turn %d: %w", i+1, err)
		}
		e.Session, e.Alone = d.SessionID, d.ContextMode == whole
		items = append(items, item{Entry: e, id: d.SessionID})
	}
	items[0].branches = branches
	return items, nil
}

func ofSystem(e workload.Entry) bool {
	return slices.ContainsFunc(e.Messages, func(m workload.Message) bool { return m.Role == "system" })
}

func (t *dagTurn) entry() (workload.Entry, error) {
	e := workload.Entry{Extra: t.Extra}
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

// branches appends those of turn i.
func (d *dag) branches(all []branch, i int) ([]branch, error) {
	last := i == len(d.Turns)-1
	for _, raw := range d.Turns[i].Forks {
		var id string
		var f struct {
			Child      string `json:"child"`
			Background bool   `json:"background"`
		}
		if json.Unmarshal(raw, &id) == nil {
			f.Child = id
		} else if err := decode(raw, &f, true); err != nil {
			return nil, fmt.Errorf("forks: %w", err)
		}
		switch {
		case f.Child == "":
			return nil, errors.New("forks: child is missing")
		case !f.Background && !last:
			return nil, errors.New("forks: a conversation goes on beside one that it forks only with background")
		}
		all = append(all, branch{turn: i, child: f.Child, fork: true, join: -1})
	}
	for _, raw := range d.Turns[i].Spawns {
		spawned, err := d.spawn(raw, i)
		if err != nil {
			return nil, fmt.Errorf("spawns: %w", err)
		}
		all = append(all, spawned...)
	}
	return all, nil
}

// spawn reads one of the spawns of turn i: an id, for which the next turn
// waits, or several with the turn that does.
func (d *dag) spawn(raw json.RawMessage, i int) ([]branch, error) {
	var id string
	if json.Unmarshal(raw, &id) == nil {
		join := i + 1
		if join == len(d.Turns) {
			join = -1 // nobody is left to wait
		}
		if id == "" {
			return nil, errors.New("a child is missing")
		}
		return []branch{{turn: i, child: id, join: join}}, nil
	}
	var s struct {
		Children []string `json:"children"`
		JoinAt   *int     `json:"join_at"`
	}
	if err := decode(raw, &s, true); err != nil {
		return nil, err
	}
	join := i + 1
	if s.JoinAt != nil {
		join = *s.JoinAt
	}
	switch {
	case len(s.Children) == 0:
		return nil, errors.New("children is missing or empty")
	case join <= i || join >= len(d.Turns):
		return nil, fmt.Errorf("join_at %d is no turn behind this one: turns are counted from 0", join)
	}
	var all []branch
	for _, child := range s.Children {
		if child == "" {
			return nil, errors.New("a child is missing")
		}
		all = append(all, branch{turn: i, child: child, join: join})
	}
	return all, nil
}

func quoted(s string) json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil {
		panic("internal error: a string that is no JSON")
	}
	return b
}
