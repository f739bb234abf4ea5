package dialect_test

import (
	"testing"

	"assay/internal/dialect"
	"assay/internal/dialect/dialecttest"
	"assay/internal/workload"
)

func ollamaChatSamples(t testing.TB) dialecttest.Samples {
	return dialecttest.Samples{
		Raw:   read(t, "testdata/ollama-api-chat.jsonl"), // of a real Ollama 0.17.4
		Kinds: "text text text finish", Input: 21, Output: 3,
		Text:   event(`{"model":"m","created_at":"2026-12-01T01:53:33.236Z","message":{"role":"assistant","content":" nunu"},"done":false}`),
		Fault:  event(`{"error":"an error was encountered while running the model"}`),
		Whole:  []byte(`{"model":"m","message":{"role":"assistant","content":"a b"},"done":true,"done_reason":"stop","prompt_eval_count":5,"eval_count":2}`),
		Refuse: []byte(`{"error":"model 'nope' not found"}`),
	}
}

func ollamaGenerateSamples(t testing.TB) dialecttest.Samples {
	return dialecttest.Samples{
		Raw:   read(t, "testdata/ollama-generate.jsonl"),
		Kinds: "text text finish", Input: 9, Output: 2,
		Text:   event(`{"model":"m","created_at":"2026-12-01T01:53:33.1Z","response":" the","done":false}`),
		Fault:  event(`{"error":"an error was encountered while running the model"}`),
		Whole:  []byte(`{"model":"m","response":"a b","done":true,"done_reason":"stop","context":[1],"prompt_eval_count":5,"eval_count":2}`),
		Refuse: []byte(`{"error":"model 'nope' not found"}`),
	}
}

func TestOllamaIsToldNotToStream(t *testing.T) {
	r := workload.Request{Prompt: "why?", OutputTokens: 3}
	for stream, want := range map[bool]string{
		true:  `{"model":"m","messages":[{"role":"user","content":"why?"}],"stream":true,"options":{"num_predict":3,"seed":7}}`,
		false: `{"model":"m","messages":[{"role":"user","content":"why?"}],"stream":false,"options":{"num_predict":3,"seed":7}}`,
	} {
		got, err := find(t, "ollama_chat").Encode(r, dialect.Options{Model: "m", Stream: stream, Extra: map[string]any{"options": map[string]any{"seed": 7}}})
		if err != nil || string(got) != want {
			t.Errorf("Encode = %s, %v, want %s", got, err, want)
		}
	}
}

func TestOllamaThinksAndCalls(t *testing.T) {
	deltas, reply := dialecttest.Decode(find(t, "ollama_chat"), dialecttest.Events(
		`{"message":{"role":"assistant","content":"","thinking":"hm"},"done":false}`,
		`{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]},"done":false}`,
		`{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","eval_count":9}`))
	if got := dialecttest.Kinds(deltas); got != "reasoning tool finish" || reply.OutputTokens != 9 || reply.InputTokens != -1 {
		t.Errorf("kinds %q, reply %+v", got, reply)
	}
}
