package dialect_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/dialect"
	"assay/internal/dialect/dialecttest"
	"assay/internal/workload"
)

func messagesSamples(t testing.TB) dialecttest.Samples {
	return dialecttest.Samples{
		Raw:   read(t, "testdata/ollama-messages.sse"), // of a real Ollama 0.17.4
		Kinds: "role other text text text other finish end", Input: 21, Output: 3,
		Text:   named("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" hupo"}}`),
		Fault:  named("error", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`),
		Whole:  []byte(`{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"a b"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":5,"output_tokens":2}}`),
		Refuse: []byte(`{"type":"error","error":{"type":"not_found_error","message":"model: nope"}}`),
	}
}

func TestMessagesThinkSpeakAndCall(t *testing.T) {
	deltas, reply := dialecttest.Decode(find(t, "messages"), split(dialect.SSE, read(t, "testdata/messages-thinking.sse")))
	if got, want := dialecttest.Kinds(deltas), "role other other reasoning other other other text text other tool other tool other finish end"; got != want {
		t.Errorf("kinds = %q, want %q", got, want)
	}
	// The prompt is what is new, what was put into the cache, and what was in it.
	want := dialect.Reply{InputTokens: 525, OutputTokens: 38, Cached: 400, Reasoning: -1, SumTokens: 5, FinishReason: "tool_use", Finished: true}
	if diff := cmp.Diff(want, reply); diff != "" {
		t.Errorf("reply (-want +got):\n%s", diff)
	}
}

func TestTheCountThatMessagesBeginWithIsNotTheReplys(t *testing.T) {
	_, cut := dialecttest.Decode(find(t, "messages"), split(dialect.SSE, read(t, "testdata/messages-thinking.sse"))[:9])
	if cut.OutputTokens != -1 || cut.SumTokens != 3 {
		t.Errorf("of a stream that was cut the counts are %+v, want none of the server's", cut)
	}
}

func TestMessagesHaveASystemOfTheirOwnAndALimitInAnyCase(t *testing.T) {
	r := workload.Request{Messages: []workload.Message{{Role: "system", Content: "be brief"}, {Role: "user", Content: "why?"}}}
	got, err := find(t, "messages").Encode(r, dialect.Options{Model: "m", Stream: true})
	const want = `{"model":"m","max_tokens":16384,"system":"be brief","messages":[{"role":"user","content":"why?"}],"stream":true}`
	if err != nil || string(got) != want {
		t.Errorf("Encode = %s, %v, want %s", got, err, want)
	}
}
