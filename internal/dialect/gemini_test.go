package dialect_test

import (
	"testing"

	"assay/internal/dialect"
	"assay/internal/dialect/dialecttest"
	"assay/internal/record"
	"assay/internal/workload"
)

func geminiSamples(t testing.TB) dialecttest.Samples {
	return dialecttest.Samples{
		Raw:   read(t, "testdata/gemini.sse"),
		Kinds: "reasoning text text", Input: 12, Output: 17,
		Text:   event(`{"candidates":[{"content":{"parts":[{"text":" gold"}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":12,"candidatesTokenCount":4,"totalTokenCount":24}}`),
		Fault:  event(`{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`),
		Whole:  []byte(`{"candidates":[{"content":{"parts":[{"text":"a b"}],"role":"model"},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":2}}`),
		Refuse: []byte(`{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}`),
	}
}

func TestGeminisRunningUsageTellsTheTokensOfEachEvent(t *testing.T) {
	deltas, reply := dialecttest.Decode(find(t, "gemini"), split(dialect.SSE, read(t, "testdata/gemini.sse")))
	for i, want := range []int{8, 4, 5} { // thoughts count, and are counted beside
		if deltas[i].Tokens != want {
			t.Errorf("event %d has %d tokens, want %d", i, deltas[i].Tokens, want)
		}
	}
	want := dialect.Reply{InputTokens: 12, OutputTokens: 17, Cached: 6, Reasoning: 8, SumTokens: 17, TokensTold: true, FinishReason: "STOP", Finished: true}
	if reply != want {
		t.Errorf("reply = %+v, want %+v", reply, want)
	}
}

func TestGeminisThoughtsAreNotSaid(t *testing.T) {
	d := find(t, "gemini").NewDecoder()
	d.Keep()
	d.Event(nil, []byte(`{"candidates":[{"content":{"parts":[{"thought":true,"text":"hm"},{"text":"so","thought":true},{"text":"yes"}]}},{"index":1,"content":{"parts":[{"text":"no"}]}}]}`))
	if got := string(d.Kept()); got != "yes" {
		t.Errorf("kept %q, want yes", got)
	}
}

func TestGeminiCallsAndBlocks(t *testing.T) {
	d := find(t, "gemini")
	if got := d.NewDecoder().Event(nil, []byte(`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"name":""}}}]}}]}`)); got.Kind != record.Tool {
		t.Errorf("a function call is %+v", got)
	}
	if got := d.NewDecoder().Event(nil, []byte(`{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":4}}`)); got.ErrorKind != record.ErrStream {
		t.Errorf("a prompt that is blocked is %+v, want an error", got)
	}
}

func TestGeminiHasItsOwnRolesAndASystemBeside(t *testing.T) {
	r := workload.Request{OutputTokens: 9, Messages: []workload.Message{{Role: "system", Content: "brief"}, {Role: "user", Content: "a"}, {Role: "assistant", Content: "b"}, {Role: "user", Content: "c"}}}
	got, err := find(t, "gemini").Encode(r, dialect.Options{Model: "m", Stream: true, Extra: map[string]any{"generationConfig": map[string]any{"temperature": 0}}})
	const want = `{"systemInstruction":{"parts":[{"text":"brief"}]},"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"b"}]},{"role":"user","parts":[{"text":"c"}]}],"generationConfig":{"maxOutputTokens":9,"temperature":0}}`
	if err != nil || string(got) != want {
		t.Errorf("Encode = %s, %v, want %s", got, err, want)
	}
}
