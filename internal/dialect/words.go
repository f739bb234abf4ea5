package dialect

// The server's own words: what an error says, for a record's example.

import (
	"bytes"
	"encoding/json"
	"strings"

	"assay/internal/record"
)

// maxWords bounds what is kept of them, in bytes.
const maxWords = 512

// ErrorWords returns what an error body or an error event says: the message of
// the usual JSON forms, else the text itself. It is bounded and valid UTF-8.
func ErrorWords(body []byte) string {
	body = bytes.TrimSpace(body)
	var object map[string]json.RawMessage
	if json.Unmarshal(body, &object) == nil {
		for _, key := range []string{"error", "message", "detail"} {
			if words := said(object[key]); words != "" {
				return bounded(words)
			}
		}
		var response struct{ Error json.RawMessage }
		if json.Unmarshal(object["response"], &response) == nil {
			if words := said(response.Error); words != "" && words != "null" {
				return bounded(words)
			}
		}
	}
	return bounded(string(body[:min(len(body), 2*maxWords)]))
}

// said is the text of an error member: a string, the message of an object, or
// whatever else stands there.
func said(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var inner struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(raw, &inner) == nil && inner.Message != "" {
		return inner.Message
	}
	return string(raw)
}

// bounded cuts at a character's border.
func bounded(words string) string {
	words = strings.ToValidUTF8(words, "\uFFFD")
	if len(words) <= maxWords {
		return words
	}
	return strings.ToValidUTF8(words[:maxWords], "") + "…"
}

func undecodable(why string, data []byte) Delta {
	return Delta{
		Kind: record.Error, ErrorKind: record.ErrDecode,
		ErrorText: why + ": " + bounded(string(data[:min(len(data), 2*maxWords)])),
	}
}
