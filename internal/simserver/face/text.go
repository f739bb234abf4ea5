package face

import (
	"encoding/json"
	"strings"
)

// textOrParts is a text, or a list of parts of which those with a text count.
type textOrParts string

func (t *textOrParts) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' || string(b) == "null" {
		return json.Unmarshal(b, (*string)(t))
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.Text
	}
	*t = textOrParts(strings.Join(texts, "\n"))
	return nil
}

// encoded is v as JSON.
func encoded(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("internal error: " + err.Error())
	}
	return b
}
