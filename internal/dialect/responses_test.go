package dialect_test

import (
	"testing"

	"assay/internal/dialect"
	"assay/internal/dialect/dialecttest"
	"assay/internal/record"
	"assay/internal/workload"
)

func responsesSamples(t testing.TB) dialecttest.Samples {
	return dialecttest.Samples{
		Raw:   read(t, "testdata/ollama-responses.sse"), // of a real Ollama 0.17.4
		Kinds: "other other other other text text text other other other finish", Input: 21, Output: 3,
		Text:   named("response.output_text.delta", `{"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":" res","sequence_number":4}`),
		Fault:  named("response.failed", `{"type":"response.failed","response":{"id":"r","status":"failed","error":{"code":"server_error","message":"out of memory"}}}`),
		Whole:  []byte(`{"id":"r","object":"response","status":"completed","error":null,"output":[{"type":"reasoning","summary":[]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a b","annotations":[]}]}],"usage":{"input_tokens":5,"output_tokens":2}}`),
		Refuse: []byte(`{"error":{"message":"model 'nope' not found"}}`),
	}
}

func TestResponsesSayInTheirTypeWhatADeltaIs(t *testing.T) {
	deltas, reply := dialecttest.Decode(find(t, "responses"), dialecttest.Events(
		`{"type":"response.created","response":{"status":"in_progress","error":null,"usage":null}}`,
		`{"delta":"hm","type":"response.reasoning_summary_text.delta"}`,
		`{"type":"response.reasoning_text.delta","delta":"so"}`,
		`{"delta":" a","type":"response.output_text.delta"}`,
		`{"delta":"","type":"response.output_text.delta"}`,
		`{"text":" a","type":"response.output_text.done"}`,
		`{"type":"response.output_item.added","item":{"type":"function_call","name":"weigh","arguments":""}}`,
		`{"type":"response.function_call_arguments.delta","delta":"{}"}`,
		`{"type":"response.output_item.done","item":{"type":"function_call","name":"weigh","arguments":"{}"}}`,
		`{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":4},"output_tokens":8,"output_tokens_details":{"reasoning_tokens":5}}}}`,
	))
	if got, want := dialecttest.Kinds(deltas), "other reasoning reasoning text other other tool tool other finish"; got != want {
		t.Errorf("kinds = %q, want %q", got, want)
	}
	want := dialect.Reply{InputTokens: 9, OutputTokens: 8, Cached: 4, Reasoning: 5, SumTokens: 5, FinishReason: "max_output_tokens", Finished: true}
	if reply != want {
		t.Errorf("reply = %+v, want %+v", reply, want)
	}
}

func TestAFailedResponseSaysWhy(t *testing.T) {
	for data, words := range map[string]string{
		`{"type":"response.failed","response":{"error":{"code":"x","message":"out of memory"}}}`: "out of memory",
		`{"type":"error","code":"rate_limit","message":"slow down","param":null}`:                "slow down",
	} {
		if got := find(t, "responses").NewDecoder().Event(nil, []byte(data)); got.ErrorKind != record.ErrStream || got.ErrorText != words {
			t.Errorf("%s = %+v, want a stream error with %q", data, got, words)
		}
	}
}

func TestAWholeResponseMayBeACall(t *testing.T) {
	d := find(t, "responses").NewDecoder()
	got := d.Whole([]byte(`{"status":"completed","output":[{"type":"function_call","name":"f","arguments":"{}"}],"usage":{"output_tokens":7}}`))
	if got.Kind != record.Tool || got.Tokens != 7 || d.Reply().FinishReason != "completed" {
		t.Errorf("Whole = %+v, reply %+v, want a call of 7 tokens, completed", got, d.Reply())
	}
}

func TestResponsesTakeATextOrAConversation(t *testing.T) {
	for want, r := range map[string]workload.Request{
		`{"model":"m","input":"why?","max_output_tokens":16}`:                                          {Prompt: "why?", OutputTokens: 16},
		`{"model":"m","input":[{"role":"system","content":"brief"},{"role":"user","content":"why?"}]}`: {Messages: []workload.Message{{Role: "system", Content: "brief"}, {Role: "user", Content: "why?"}}},
	} {
		if got, err := find(t, "responses").Encode(r, dialect.Options{Model: "m"}); err != nil || string(got) != want {
			t.Errorf("Encode = %s, %v, want %s", got, err, want)
		}
	}
}
