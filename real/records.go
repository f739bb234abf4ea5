//go:build unix

package main

// What is read of a run: the totals of result.json and the records, as any
// program could read them.

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// result is what is looked at in result.json.
type result struct {
	Verdict struct {
		Reasons []struct{ Text string }
	}
	Requests struct{ Due, OK, Failed, Censored int }
	Errors   []struct {
		Kind, Example string
		Count         int
	}
	Tokens struct {
		Output struct{ Preflight, Measured, Warmup, Discarded int }
	}
}

// A record is what is looked at in one of `assay records`.
type record struct {
	Seq          int
	Status       string
	TokenSource  string  `json:"token_source"`
	OutputTokens int     `json:"output_tokens"`
	InputTokens  int     `json:"input_tokens"`
	InputSource  string  `json:"input_token_source"`
	FinishReason *string `json:"finish_reason"`
	Arrivals     []int64 `json:"arrivals_ns"`
	Items        *int    `json:"items"`
}

func readRecords(lines []byte) ([]record, error) {
	var all []record
	for line := range bytes.Lines(lines) {
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("a record: %w", err)
		}
		all = append(all, r)
	}
	return all, nil
}

// checkLoad holds each record and the totals against what the server says.
func (w row) checkLoad(done result, records []record) (proven, error) {
	found := proven{requests: done.Requests.OK, counted: done.Tokens.Output.Measured}
	if w.items > 0 {
		found.counted = done.Requests.OK * w.items
	}
	if done.Requests.Due == 0 || done.Requests.OK != done.Requests.Due {
		why := ""
		if len(done.Errors) > 0 {
			why = fmt.Sprintf(": %s, %s", done.Errors[0].Kind, done.Errors[0].Example)
		}
		return found, fmt.Errorf("%d of %d requests are ok%s", done.Requests.OK, done.Requests.Due, why)
	}
	sum := 0
	for _, r := range records {
		if err := w.checkRecord(r); err != nil {
			return found, fmt.Errorf("request %d: %w", r.Seq, err)
		}
		sum += r.OutputTokens
	}
	if all := done.Tokens.Output.Measured + done.Tokens.Output.Warmup; sum != all {
		return found, fmt.Errorf("the records hold %d tokens, the result %d", sum, all)
	}
	return found, nil
}

func (w row) checkRecord(r record) error {
	if w.items > 0 {
		return w.checkAnswer(r)
	}
	source := "usage"
	if w.usage == silent {
		source = "events"
	}
	switch {
	case r.Status != "ok":
		return fmt.Errorf("its end is %s", r.Status)
	case r.TokenSource != source:
		return fmt.Errorf("its tokens are from %s, not from %s", r.TokenSource, source)
	case w.usage != silent && (r.InputSource != "usage" || r.InputTokens <= 0):
		return fmt.Errorf("%d tokens of input from %s, not from usage", r.InputTokens, r.InputSource)
	case w.usage != counts && r.OutputTokens != w.tokens():
		return fmt.Errorf("%d tokens, not %d", r.OutputTokens, w.tokens())
	case w.exact != "" && r.InputTokens != w.input():
		return fmt.Errorf("the server counts %d tokens of a prompt of exactly %d", r.InputTokens, w.input())
	case w.usage == merges && (len(r.Arrivals) == 0 || len(r.Arrivals) > r.OutputTokens):
		return fmt.Errorf("%d events for %d tokens", len(r.Arrivals), r.OutputTokens)
	case (w.usage == each || w.usage == silent) && len(r.Arrivals) != r.OutputTokens:
		return fmt.Errorf("%d events for %d tokens", len(r.Arrivals), r.OutputTokens)
	case w.usage == counts && (r.OutputTokens <= 0 || len(r.Arrivals) == 0):
		return fmt.Errorf("%d tokens in %d events", r.OutputTokens, len(r.Arrivals))
	case !w.noStop && r.FinishReason == nil:
		return fmt.Errorf("it has no reason of its end")
	}
	return nil
}

// checkAnswer is checkRecord for an answer that is no text.
func (w row) checkAnswer(r record) error {
	switch {
	case r.Status != "ok":
		return fmt.Errorf("its end is %s", r.Status)
	case r.Items == nil || *r.Items != w.items:
		return fmt.Errorf("not %d items", w.items)
	case w.usage != silent && (r.InputSource != "usage" || r.InputTokens <= 0):
		return fmt.Errorf("%d tokens of input from %s, not from usage", r.InputTokens, r.InputSource)
	}
	return nil
}

// want is what the server's counter must have grown by: the preflight is one
// request more than there are records.
func want(of unit, done result, records []record) float64 {
	t := done.Tokens.Output
	switch of {
	case outputTokens:
		return float64(t.Preflight + t.Measured + t.Warmup + t.Discarded)
	case requests:
		return float64(len(records) + 1)
	}
	return 0
}

// checkCounter holds the server's own count against the client's.
func checkCounter(c counter, grew, expected float64) error {
	if c.name != "" && grew != expected {
		return fmt.Errorf("the server's %s grew by %g, and the client counted %g", c.name, grew, expected)
	}
	return nil
}
