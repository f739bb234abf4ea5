package contract

import (
	"fmt"
	"strings"

	"assay/internal/workload"
)

// Values of workload.tokenizer that name no file. The first is the default,
// which is not written out.
const (
	wordsTokenizer  = "words"
	ModelTokenizer  = "model"
	ServerTokenizer = "server"
)

// Counts are what the server counted of the texts that prompts are made of; nil
// until it was asked.
func (s *Stream) Counts() *workload.Counts { return s.counts }

// Learn takes what the server counted.
func (s *Stream) Learn(counts *workload.Counts) { s.counts = counts }

// resolveTokenizer settles who counts the tokens of a stream's prompts.
func (c *Contract) resolveTokenizer(at string, s *Stream) error {
	w := &s.Workload
	switch w.Tokenizer = strings.TrimSpace(w.Tokenizer); {
	case w.Tokenizer == wordsTokenizer:
		w.Tokenizer = ""
	case w.Tokenizer == ModelTokenizer && s.Target.Model == "":
		return c.fail(at+"tokenizer", "is that of the model, and no model is named", "write target.model, or the path or the name of the tokenizer")
	case w.Tokenizer == ServerTokenizer && (w.Prompts != "" || w.File != ""):
		return c.fail(at+"tokenizer", "is the server's, which is asked once, before the start, for texts of Assay's own: the prompts of a file would each be a request more",
			"write the path or the name of the tokenizer, or drop it")
	}
	return nil
}

// checkTemplate refuses a template that can't be taken off the prompts.
func (c *Contract) checkTemplate(at string, w *workload.Spec) error {
	if w.TemplateTokens == nil {
		return nil
	}
	n, at := *w.TemplateTokens, at+"template_tokens"
	switch {
	case n < 0 || n > workload.MaxTokens:
		return c.fail(at, fmt.Sprintf("is %d: no number of tokens that a server adds", n), "write how many it adds to each prompt, or 0 for prompts that are not made shorter")
	case w.Tokenizer == "":
		return c.fail(at, "are a tokenizer's, and words are counted", "write tokenizer: model, or its path or name")
	case w.InputTokens.Law == "constant" && float64(n) >= w.InputTokens.A:
		return c.fail(at, fmt.Sprintf("leave nothing of prompts of %s tokens", w.InputTokens), "write longer prompts, or fewer tokens of the template")
	}
	return nil
}
