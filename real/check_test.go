//go:build unix

package main

import (
	"strings"
	"testing"
)

// What `assay try` printed of a reply of two tokens, by hand.
const shown = `> POST /v1/chat/completions HTTP/1.1
> Content-Length: 9
>
> {"a":"1 ms  text "}

< 200 OK  (first byte 4.4 ms after the request, connecting took 0.1 ms)
<
    4.483 ms  role             {"choices":[{"delta":{"role":"assistant"}}]}
    4.483 ms  text      1 tok  {"choices":[{"delta":{"content":" a"}}]}
    5.001 ms  text      1 tok  {"choices":[{"delta":{"content":" 7 ms  text "}}]}
    5.483 ms  finish           {"choices":[{"finish_reason":"length"}]}

TTFT 4.483 ms, latency 5.001 ms, 2 content events, mean gap 0.518 ms
the server's usage: 57 tokens in, 2 out
finish reason: length
`

func TestTryIsHeldAgainstWhatTheServerIsKnownToSay(t *testing.T) {
	without := func(line string) string { return strings.Replace(shown, line, "", 1) }
	tests := []struct {
		what, out string
		row       row
		want      string // in the error; "": none
	}{
		{"as it should be", shown, row{ends: 2}, ""},
		{"a reply cut at the limit that has fewer", shown, row{}, "2 events of text, not 16"},
		{"fewer events than tokens", without("    4.483 ms  text      1 tok  {\"choices\":[{\"delta\":{\"content\":\" a\"}}]}\n"), row{ends: 2}, "1 events of text, not 2"},
		{"usage of another count", strings.Replace(shown, "2 out", "3 out", 1), row{ends: 2}, "3 tokens, not 2"},
		{"another count, where events are not tokens", strings.Replace(shown, "2 out", "3 out", 1), row{ends: 2, usage: counts}, ""},
		{"events that hold several tokens", strings.Replace(shown, "2 out", "3 out", 1), row{ends: 3, usage: merges}, ""},
		{"more events than tokens", strings.Replace(shown, "2 out", "1 out", 1), row{ends: 1, usage: merges}, "2 events of text for 1 tokens"},
		{"no usage", without("the server's usage: 57 tokens in, 2 out\n"), row{ends: 2}, "no usage"},
		{"no usage of a server that has none", without("the server's usage: 57 tokens in, 2 out\n"), row{ends: 2, usage: silent}, ""},
		{"no reason", without("finish reason: length\n"), row{ends: 2}, "no reason"},
		{"no reason in an API that has none", without("finish reason: length\n"), row{ends: 2, noStop: true}, ""},
		{"nothing understood", "the server's usage: 57 tokens in, 2 out\n", row{ends: 2}, "no event"},
	}
	for _, test := range tests {
		isError(t, test.what, test.row.checkTry(test.out, true), test.want)
	}
	isError(t, "whole", row{ends: 2}.checkTry("the server's usage: 57 tokens in, 2 out\nfinish reason: stop\n", false), "")
}

func TestAnAnswerWithoutTextIsHeldAgainstWhatItHolds(t *testing.T) {
	const answer = "< 200 OK\n<\n{\"data\":[[1],[2],[3]]}\n\nlatency 256.154 ms\n3 embeddings\nthe server's usage: 273 tokens in\n"
	w := row{items: 3}
	isError(t, "as it should be", w.checkTry(answer, false), "")
	isError(t, "one too many", w.checkTry(strings.Replace(answer, "3 emb", "4 emb", 1), false), "4 embeddings were understood, not 3")
	isError(t, "none", w.checkTry(strings.Replace(answer, "3 emb", "emb", 1), false), "nothing was understood")
	isError(t, "no usage", w.checkTry(strings.Replace(answer, "the server's", "no", 1), false), "no usage")
	isError(t, "no usage of a server that has none", row{items: 3, usage: silent}.checkTry("3 embeddings\n", false), "")

	three, four := 3, 4
	good := record{Status: "ok", InputSource: "usage", InputTokens: 60, Items: &three}
	for what, test := range map[string]struct {
		spoil func(*record)
		want  string
	}{
		"as it should be": {func(*record) {}, ""},
		"a status":        {func(r *record) { r.Status = "failed" }, "its end is failed"},
		"one too many":    {func(r *record) { r.Items = &four }, "not 3 items"},
		"none":            {func(r *record) { r.Items = nil }, "not 3 items"},
		"input by words":  {func(r *record) { r.InputSource = "words" }, "60 tokens of input from words"},
	} {
		r := good
		test.spoil(&r)
		isError(t, what, w.checkRecord(r), test.want)
	}
	var done result
	done.Requests.Due, done.Requests.OK = 2, 2
	if found, err := w.checkLoad(done, []record{good, good}); err != nil || found.counted != 6 {
		t.Errorf("two answers of 3 items: %d, %v, want 6", found.counted, err)
	}
}

func TestALoadIsHeldAgainstItsRecords(t *testing.T) {
	stop := "length"
	good := record{Status: "ok", TokenSource: "usage", OutputTokens: 3, InputTokens: 20, InputSource: "usage",
		FinishReason: &stop, Arrivals: []int64{1, 2, 3}}
	tests := []struct {
		what  string
		spoil func(*record, *result, *row)
		want  string
	}{
		{"as it should be", func(*record, *result, *row) {}, ""},
		{"one that failed", func(_ *record, d *result, _ *row) { d.Requests.OK-- }, "1 of 2 requests are ok"},
		{"none at all", func(_ *record, d *result, _ *row) { d.Requests.Due, d.Requests.OK = 0, 0 }, "0 of 0"},
		{"a status", func(r *record, _ *result, _ *row) { r.Status = "censored" }, "its end is censored"},
		{"counted as events", func(r *record, _ *result, _ *row) { r.TokenSource = "events" }, "from events, not from usage"},
		{"counted where the server is silent", func(_ *record, _ *result, w *row) { w.usage = silent }, "from usage, not from events"},
		{"input by words", func(r *record, _ *result, _ *row) { r.InputSource = "words" }, "of input from words"},
		{"a token too many", func(r *record, _ *result, _ *row) { r.OutputTokens = 4 }, "4 tokens, not 3"},
		{"an event that was lost", func(r *record, _ *result, _ *row) { r.Arrivals = r.Arrivals[:2] }, "2 events for 3 tokens"},
		{"an event of two tokens", func(r *record, _ *result, w *row) { w.usage, r.Arrivals = merges, r.Arrivals[:2] }, ""},
		{"more events than tokens", func(r *record, _ *result, w *row) { w.usage, r.Arrivals = merges, []int64{1, 2, 3, 4} }, "4 events for 3 tokens"},
		{"a prompt as long as asked", func(r *record, _ *result, w *row) { w.exact = "server" }, "request 0: the server counts 20 tokens of a prompt of exactly 120"},
		{"no reason", func(r *record, _ *result, _ *row) { r.FinishReason = nil }, "no reason"},
		{"a total that is not the records'", func(_ *record, d *result, _ *row) { d.Tokens.Output.Measured = 7 }, "records hold 6 tokens, the result 7"},
		{"a count of its own", func(r *record, d *result, w *row) { w.usage, r.OutputTokens, d.Tokens.Output.Measured = counts, 5, 8 }, ""},
		{"a count of its own that is nothing", func(r *record, d *result, w *row) { w.usage, r.OutputTokens, d.Tokens.Output.Measured = counts, 0, 3 }, "0 tokens in 3 events"},
	}
	for _, test := range tests {
		first, second, w := good, good, row{ends: 3}
		var done result
		done.Requests.Due, done.Requests.OK = 2, 2
		done.Tokens.Output.Measured = 6
		test.spoil(&second, &done, &w)
		if w.usage == silent {
			first = second
		}
		_, err := w.checkLoad(done, []record{first, second})
		isError(t, test.what, err, test.want)
	}
}

func TestTheServersCounterIsTheClientsCount(t *testing.T) {
	var done result
	done.Tokens.Output.Preflight, done.Tokens.Output.Measured, done.Tokens.Output.Warmup, done.Tokens.Output.Discarded = 16, 320, 32, 4
	records := make([]record, 22)
	for of, expected := range map[unit]float64{outputTokens: 372, requests: 23, nothing: 0} {
		if got := want(of, done, records); got != expected {
			t.Errorf("want(%d) = %g, want %g", of, got, expected)
		}
	}
	c := counter{name: "tokens"}
	isError(t, "equal", checkCounter(c, 372, 372), "")
	isError(t, "one more", checkCounter(c, 373, 372), "grew by 373, and the client counted 372")
	isError(t, "no counter", checkCounter(counter{}, 1, 0), "")
}

func isError(t *testing.T, what string, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("%s: got %v, want no error", what, err)
	case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Errorf("%s: got %v, want one with %q", what, err, want)
	}
}
