package format

// AIPerf's single requests: a text, or several that are sent as one, with
// pictures and recordings beside it. Rows of one session_id follow one another,
// and none holds the history of the others.

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"

	"assay/internal/workload"
)

type single struct {
	Text         *string         `json:"text"`
	Texts        json.RawMessage `json:"texts"`
	Image        json.RawMessage `json:"image"`
	Images       json.RawMessage `json:"images"`
	Audio        json.RawMessage `json:"audio"`
	Audios       json.RawMessage `json:"audios"`
	Video        json.RawMessage `json:"video"`
	Videos       json.RawMessage `json:"videos"`
	Timestamp    *float64        `json:"timestamp"` // ms
	Delay        *float64        `json:"delay"`     // ms
	Role         string          `json:"role"`
	SessionID    string          `json:"session_id"`
	OutputLength *int64          `json:"output_length"`
	OutputTokens json.RawMessage `json:"output_tokens"` // of workload.prompts, which is another format
	Extra        map[string]any  `json:"extra"`
}

var singleMembers = []string{"text", "texts", "image", "images", "audio", "audios", "video", "videos", "timestamp", "delay",
	"role", "session_id", "output_length", "output_tokens", "extra"}

func (s *single) set(name string, q *quick) bool {
	switch name {
	case "text":
		return toTextThere(q, &s.Text)
	case "texts":
		return toRaw(q, &s.Texts)
	case "timestamp":
		return toNumber(q, &s.Timestamp)
	case "delay":
		return toNumber(q, &s.Delay)
	case "role":
		return toText(q, &s.Role)
	case "session_id":
		return toText(q, &s.SessionID)
	case "output_length":
		return toWhole(q, &s.OutputLength)
	case "extra":
		return toMembers(q, &s.Extra)
	}
	return false
}

// readSingle reads a row of its own.
func readSingle(o object) (*single, error) {
	s := &o.room.single
	*s = single{}
	if plainly(o.data, singleMembers, s.set) {
		return s, nil
	}
	*s = single{}
	return s, o.into(s)
}

func isSingle(p probe) string {
	if name := p.any("text", "texts", "image", "images", "audio", "audios", "video", "videos"); name != "" && !p.has("output_tokens") {
		return "an object has " + name
	}
	return ""
}

func singleTurnLine(o object) ([]item, error) {
	s, err := readSingle(o)
	if err != nil {
		return nil, err
	}
	if s.Timestamp != nil && s.Delay != nil {
		return nil, errors.New("it has both timestamp and delay")
	}
	e, err := s.entry(o)
	e.Session, e.Alone = s.SessionID, true
	return one(e), err
}

// poolLine is a row that is drawn: it has no time and no session.
func poolLine(o object) ([]item, error) {
	s, err := readSingle(o)
	if err != nil {
		return nil, err
	}
	if s.Timestamp != nil || s.Delay != nil || s.SessionID != "" {
		return nil, errors.New("a pool is drawn from: timestamp, delay and session_id mean nothing in it")
	}
	e, err := s.entry(o)
	return one(e), err
}

func (s *single) entry(o object) (workload.Entry, error) {
	e := workload.Entry{Extra: s.Extra}
	media, err := s.media(o)
	if err != nil {
		return e, err
	}
	if given(s.OutputTokens) {
		return e, errors.New("output_tokens is of a file for workload.prompts; this format has output_length")
	}
	text, err := s.text()
	if err != nil && (media == nil || given(s.Texts)) {
		return e, err
	}
	e.Text = text
	if role := cmp.Or(s.Role, "user"); role != "user" || media != nil {
		e.Text, e.Messages = "", []workload.Message{{Role: role, Content: text, Media: media}}
	}
	if err := when(&e, s.Timestamp, s.Delay); err != nil {
		return e, err
	}
	e.Output, err = optional("output_length", s.OutputLength)
	return e, err
}

func (s *single) text() (string, error) {
	switch {
	case s.Text != nil && given(s.Texts):
		return "", errors.New("it has both text and texts")
	case s.Text != nil && *s.Text != "":
		return *s.Text, nil
	case !given(s.Texts):
		return "", errors.New("text is missing or empty")
	}
	all, err := texts(s.Texts)
	if err == nil && strings.TrimSpace(strings.Join(all, "")) == "" {
		err = errors.New("texts is empty")
	}
	return strings.Join(all, "\n"), err
}

// texts is a list of texts, or of {"name": …, "contents": […]}.
func texts(raw json.RawMessage) ([]string, error) {
	var all []string
	if json.Unmarshal(raw, &all) == nil {
		return all, nil
	}
	var named []struct {
		Contents []string `json:"contents"`
	}
	if json.Unmarshal(raw, &named) != nil {
		return nil, errors.New("texts is no list of texts")
	}
	all = nil // what did not fit was taken all the same
	for _, n := range named {
		all = append(all, n.Contents...)
	}
	return all, nil
}
