package dialect_test

import (
	"testing"

	"assay/internal/dialect"
	"assay/internal/dialect/dialecttest"
	"assay/internal/record"
)

func cohereChatSamples(t testing.TB) dialecttest.Samples {
	return dialecttest.Samples{
		Raw:   read(t, "testdata/cohere-chat.sse"),
		Kinds: "role other text text other finish", Input: 69, Output: 3,
		Text:   named("content-delta", `{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"Hello"}}}}`),
		Fault:  named("message-end", `{"type":"message-end","delta":{"finish_reason":"ERROR","error":"out of memory"}}`),
		Whole:  []byte(`{"id":"f1","finish_reason":"COMPLETE","message":{"role":"assistant","content":[{"type":"text","text":"a b"}]},"usage":{"billed_units":{"input_tokens":3,"output_tokens":2},"tokens":{"input_tokens":69,"output_tokens":2}}}`),
		Refuse: []byte(`{"id":"x","message":"model 'nope' not found"}`),
	}
}

func TestCohereCountsWhatIsPaidForWhereNothingElseIsTold(t *testing.T) {
	end := func(usage string) dialect.Reply {
		_, reply := dialecttest.Decode(find(t, "cohere_chat"), dialecttest.Events(
			`{"type":"content-delta","delta":{"message":{"content":{"text":"a"}}}}`,
			`{"type":"message-end","delta":{"finish_reason":"MAX_TOKENS","usage":{`+usage+`}}}`, `[DONE]`))
		return reply
	}
	if got := end(`"billed_units":{"input_tokens":3,"output_tokens":2}`); got.InputTokens != 3 || got.OutputTokens != 2 {
		t.Errorf("paid for alone: %+v", got)
	}
	if got := end(`"billed_units":{"input_tokens":3,"output_tokens":2},"tokens":{"input_tokens":70,"output_tokens":5},"cached_tokens":16`); got.InputTokens != 70 || got.OutputTokens != 5 || got.Cached != 16 || got.FinishReason != "MAX_TOKENS" {
		t.Errorf("both: %+v", got)
	}
}

func TestCohereEndsInAnErrorThatItDoesNotExplain(t *testing.T) {
	got := find(t, "cohere_chat").NewDecoder().Event(nil, []byte(`{"type":"message-end","delta":{"finish_reason":"ERROR"}}`))
	if got.ErrorKind != record.ErrStream {
		t.Errorf("it is %+v, want a stream error", got)
	}
}

func TestCohereThinksAndCalls(t *testing.T) {
	deltas, _ := dialecttest.Decode(find(t, "cohere_chat"), dialecttest.Events(
		`{"type":"content-delta","delta":{"message":{"content":{"thinking":"hm"}}}}`,
		`{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"I will"}}}`,
		`{"type":"tool-call-start","delta":{"message":{"tool_calls":{"id":"t","type":"function","function":{"name":"f","arguments":""}}}}}`,
		`{"type":"tool-call-delta","delta":{"message":{"tool_calls":{"function":{"arguments":"{}"}}}}}`,
		`{"type":"tool-call-end","index":0}`))
	if got := dialecttest.Kinds(deltas); got != "reasoning reasoning tool tool other" {
		t.Errorf("kinds = %q", got)
	}
	d := find(t, "cohere_chat").NewDecoder()
	if got := d.Whole([]byte(`{"finish_reason":"TOOL_CALL","message":{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}}`)); got.Kind != record.Tool {
		t.Errorf("a whole call is %+v", got)
	}
}
