package simserver

// Counting on request, as vLLM has it.

import (
	"encoding/json"
	"net/http"
	"slices"

	"assay/internal/tokenizer"
)

const tokenizePath = "/tokenize"

// tokenize answers with the tokens of a text and their number. Words have no
// ids: theirs are their places.
func (c *conn) tokenize(req *http.Request) bool {
	switch {
	case req.Method != http.MethodPost:
		return c.refuse(http.StatusMethodNotAllowed, tokenizePath+" is asked with POST")
	case !c.admitted(req, anyPlace):
		return c.refuse(http.StatusUnauthorized, "a valid bearer token is needed")
	}
	var ask struct {
		Model  string  `json:"model"`
		Prompt *string `json:"prompt"`
	}
	if err := json.Unmarshal(c.body.Bytes(), &ask); err != nil {
		return c.refuse(http.StatusBadRequest, err.Error())
	}
	if ask.Prompt == nil {
		return c.refuse(http.StatusBadRequest, "prompt: Field required")
	}
	if known := c.s.config.Models; len(known) > 0 && ask.Model != "" && !slices.Contains(known, ask.Model) {
		return c.refuse(http.StatusNotFound, "the model `"+ask.Model+"` does not exist")
	}
	answer := struct {
		Count   int     `json:"count"`
		Longest int     `json:"max_model_len"`
		Tokens  []int32 `json:"tokens"`
	}{Longest: c.s.settings.Longest(), Tokens: []int32{}}
	if t := c.s.config.Tokenizer; t != nil {
		answer.Tokens = t.Encode(*ask.Prompt)
	} else {
		for i := range tokenizer.Words(*ask.Prompt) {
			answer.Tokens = append(answer.Tokens, int32(i))
		}
	}
	answer.Count = len(answer.Tokens)
	return c.page(req, http.StatusOK, "application/json", nil, encode(answer))
}
