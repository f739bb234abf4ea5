// Requests of several texts: their defaults and checks.

package contract

import (
	"cmp"

	"assay/internal/dialect"
	"assay/internal/workload"
)

var (
	oneText        = workload.Length{Law: "constant", A: 1}
	queryTokens    = workload.Length{Law: "constant", A: 32}
	documentCount  = workload.Length{Law: "constant", A: 10}
	documentTokens = workload.Length{Law: "constant", A: 128}
)

// resolveLists fills in what an endpoint takes beside one text, and refuses
// what it doesn't take.
func (c *Contract) resolveLists(at string, s *Stream) error {
	w := &s.Workload
	d, _ := dialect.Find(s.Target.Endpoint)
	if w.Documents.IsZero() {
		if _, written := c.written[at+"documents"]; written && d.Takes&dialect.Documents == 0 {
			return c.fail(at+"documents", "can't be sent: "+d.Name+" compares nothing with its text", "use an endpoint that measures documents: `assay endpoints` lists them")
		}
	} else if d.Takes&dialect.Documents == 0 {
		return c.fail(at+"documents", "can't be sent: "+d.Name+" compares nothing with its text", "use an endpoint that measures documents: `assay endpoints` lists them")
	}
	if !w.Batch.IsZero() && d.Takes&dialect.Texts == 0 && !(d.Textless() && w.Batch == oneText) {
		return c.fail(at+"batch", "can't be sent: "+d.Name+" takes one text", "drop batch")
	}
	if err := c.checkTextless(at, w, d); err != nil {
		return err
	}
	filed := w.File != "" || w.Prompts != ""
	if d.Takes&dialect.Documents != 0 {
		if filed {
			return c.fail(at+map[bool]string{true: "file", false: "prompts"}[w.File != ""], "has no documents, which "+d.Name+" wants",
				"write documents: {count: 10, tokens: 128} and input_tokens, the length of the query")
		}
		w.InputTokens = cmp.Or(w.InputTokens, queryTokens)
		w.Documents.Count = cmp.Or(w.Documents.Count, documentCount)
		w.Documents.Tokens = cmp.Or(w.Documents.Tokens, documentTokens)
	} else if d.Takes&dialect.Text == 0 {
		return c.picturesAlone(at, w, d)
	} else if d.Textless() {
		w.Batch = cmp.Or(w.Batch, oneText)
		if filed && w.Batch != oneText {
			return c.fail(at+"batch", "can't be had: each line of the file is a request", "drop batch, or write input_tokens instead of the file")
		}
	}
	return c.checkLists(at, w)
}

// picturesAlone: an endpoint that takes no words has pictures at the least.
func (c *Contract) picturesAlone(at string, w *workload.Spec, d dialect.Dialect) error {
	if w.InputTokens.IsZero() {
		w.InputTokens = oneText
	}
	switch {
	case w.InputTokens != oneText:
		return c.fail(at+"input_tokens", "can't be had: "+d.Name+" takes no words", "drop input_tokens")
	case w.File == "" && w.Prompts == "":
		w.Images.Count = cmp.Or(w.Images.Count, oneMedium)
	}
	return nil
}

// checkTextless refuses what belongs to replies, where there is no text in them.
func (c *Contract) checkTextless(at string, w *workload.Spec, d dialect.Dialect) error {
	if !d.Textless() {
		return nil
	}
	for _, key := range []string{"output_tokens", "lengths", "sessions", "agent", "audio"} {
		if c.isSet(at + key) {
			return c.fail(at+key, "can't be had: "+d.Name+" answers a request with "+string(d.Measures)+", which have no tokens", "drop "+key)
		}
	}
	return nil
}

func (c *Contract) checkLists(at string, w *workload.Spec) error {
	if !w.Batch.IsZero() {
		if err := workload.CheckBatch(w.Batch); err != nil {
			return c.fail(at+"batch", err.Error(), "write batch: 16, or uniform(1, 32)")
		}
		if w.Batch != oneText && !w.Prefix.IsZero() {
			return c.fail(at+"prefix", "can't be had: the texts of a batch begin each for itself", "drop prefix, or batch")
		}
	}
	if key, err := w.Documents.Check(); err != nil {
		return c.fail(at+"documents."+key, err.Error(), "write documents: {count: 10, tokens: 128}")
	}
	return nil
}
