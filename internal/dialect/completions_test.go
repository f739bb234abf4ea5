package dialect_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/dialect"
	"assay/internal/dialect/dialecttest"
	"assay/internal/workload"
)

func completionsSamples(t testing.TB) dialecttest.Samples {
	return dialecttest.Samples{
		Raw:   read(t, "testdata/ollama-completions.sse"),
		Kinds: "text text finish usage end", Input: 19, Output: 2,
		Text:   event(`{"id":"cmpl-1","choices":[{"text":" nowa","index":0,"finish_reason":null}],"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}}`),
		Fault:  named("error", `overloaded`),
		Whole:  []byte(`{"object":"text_completion","choices":[{"text":" a b","index":0,"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}`),
		Refuse: read(t, "testdata/ollama-bad-model.json"),
	}
}

func TestOllamasZeroUsageOnEveryChunkSaysNothing(t *testing.T) {
	events := split(dialect.SSE, read(t, "testdata/ollama-completions.sse"))
	deltas, reply := dialecttest.Decode(find(t, "completions"), events)
	if got, want := dialecttest.Kinds(deltas), "text text finish usage end"; got != want {
		t.Errorf("kinds = %q, want %q", got, want)
	}
	want := dialect.Reply{InputTokens: 19, OutputTokens: 2, Cached: -1, Reasoning: -1, SumTokens: 2, FinishReason: "length", Finished: true}
	if diff := cmp.Diff(want, reply); diff != "" {
		t.Errorf("reply (-want +got):\n%s", diff)
	}
	_, cut := dialecttest.Decode(find(t, "completions"), events[:2])
	if cut.InputTokens != -1 || cut.OutputTokens != -1 || cut.TokensTold {
		t.Errorf("before the true usage the reply is %+v, want no counts", cut)
	}
}

func TestCompletionsSayEmptyTextAndReasoningApart(t *testing.T) {
	deltas, _ := dialecttest.Decode(find(t, "completions"), dialecttest.Events(
		`{"choices":[{"text":""}]}`, `{"choices":[{"text":" "}]}`, `{"choices":[{"text":"","reasoning":"hm"}]}`, `{"choices":[{"text":null,"delta":{"content":"a"}}]}`))
	if got, want := dialecttest.Kinds(deltas), "other text reasoning other"; got != want {
		t.Errorf("kinds = %q, want %q", got, want)
	}
}

func TestCompletionsSendOneBareString(t *testing.T) {
	d := find(t, "completions")
	const want = `{"model":"m","prompt":"weigh it","max_tokens":3}`
	for _, r := range []workload.Request{
		{Prompt: "weigh it", OutputTokens: 3},
		{Messages: []workload.Message{{Role: "user", Content: "weigh it"}}, OutputTokens: 3},
	} {
		got, err := d.Encode(r, dialect.Options{Model: "m"})
		if err != nil || string(got) != want {
			t.Errorf("Encode = %s, %v, want %s", got, err, want)
		}
	}
	if got, err := d.Encode(workload.Request{Messages: make([]workload.Message, 2)}, dialect.Options{Model: "m"}); err == nil {
		t.Errorf("a conversation becomes %s, want an error", got)
	}
}
