package dialect_test

// The APIs that take one text and have no chat.

import (
	"testing"

	"assay/internal/dialect"
	"assay/internal/dialect/dialecttest"
	"assay/internal/record"
	"assay/internal/workload"
)

func tgiSamples(t testing.TB) dialecttest.Samples {
	return dialecttest.Samples{
		Raw:   read(t, "testdata/tgi-generate.sse"),
		Kinds: "text text finish", Input: 11, Output: 3,
		Text:   event(`{"index":1,"token":{"id":264,"text":" a","logprob":-1.5,"special":false},"generated_text":null,"details":null}`),
		Fault:  event(`{"error":"Request failed during generation: Server error: out of memory","error_type":"generation"}`),
		Whole:  []byte(`{"generated_text":"a b","details":{"finish_reason":"length","generated_tokens":2,"seed":null,"prefill":[],"tokens":[{"id":1,"text":"a","logprob":-1,"special":false}]}}`),
		Refuse: []byte(`{"error":"Input validation error: inputs cannot be empty","error_type":"validation"}`),
	}
}

func sglangSamples(t testing.TB) dialecttest.Samples {
	return dialecttest.Samples{
		Raw:   read(t, "testdata/sglang-generate.sse"),
		Kinds: "text text text end", Input: 5, Output: 4,
		Text:   event(`{"text":" the","output_ids":[279],"meta_info":{"id":"a1","finish_reason":null,"prompt_tokens":5,"completion_tokens":1,"cached_tokens":1}}`),
		Fault:  event(`{"error":{"message":"out of memory"}}`),
		Whole:  []byte(`{"text":"a b","output_ids":[1,2],"meta_info":{"finish_reason":{"type":"stop","matched":2},"prompt_tokens":5,"completion_tokens":2,"cached_tokens":0}}`),
		Refuse: []byte(`{"error":{"message":"The input is longer than the context"}}`),
	}
}

func llamacppSamples(t testing.TB) dialecttest.Samples {
	return dialecttest.Samples{
		Raw:   read(t, "testdata/llamacpp-completion.sse"),
		Kinds: "text text finish", Input: 7, Output: 4,
		Text:   event(`{"index":0,"content":" the","tokens":[278],"stop":false,"id_slot":-1,"tokens_predicted":1,"tokens_evaluated":7}`),
		Fault:  event(`{"error":{"code":500,"message":"context shift is disabled","type":"server_error"}}`),
		Whole:  []byte(`{"content":"a b","stop":true,"stop_type":"eos","tokens_predicted":2,"tokens_evaluated":5,"timings":{"cache_n":0}}`),
		Refuse: []byte(`{"error":{"code":400,"message":"prompt is missing","type":"invalid_request_error"}}`),
	}
}

func tritonSamples(t testing.TB) dialecttest.Samples {
	return dialecttest.Samples{
		Raw:   read(t, "testdata/triton-generate.sse"),
		Kinds: "text text", Input: record.NoCount, Output: record.NoCount,
		Text:   event(`{"model_name":"ensemble","model_version":"1","sequence_end":false,"text_output":"the"}`),
		Fault:  event(`{"error":"in ensemble 'ensemble', out of memory"}`),
		Whole:  []byte(`{"model_name":"m","model_version":"1","text_output":"a b"}`),
		Refuse: []byte(`{"error":"Request for unknown model: 'nope' is not found"}`),
	}
}

func TestASpecialTokenOfTGIIsCountedAndNotSaid(t *testing.T) {
	d := find(t, "tgi_generate").NewDecoder()
	d.Keep()
	for _, data := range []string{
		`{"token":{"special":true,"text":"<s>"},"generated_text":null}`,
		`{"token":{"text":"a","special":false},"generated_text":null}`,
		`{"token":{"text":"</s>","special":true},"generated_text":"a","details":{"finish_reason":"eos_token","generated_tokens":3}}`,
	} {
		d.Event(nil, []byte(data))
	}
	if got := d.Reply(); string(d.Kept()) != "a" || got.SumTokens != 2 || got.OutputTokens != 3 {
		t.Errorf("kept %q, reply %+v: want a, 2 tokens by its one event, 3 in all", d.Kept(), got)
	}
}

// sglang is an event with this text and count.
func sglang(text, count string) string {
	return `{"text":"` + text + `","meta_info":{"finish_reason":null,"completion_tokens":` + count + `}}`
}

func TestSGLangRepeatsItsTextOrDoesNot(t *testing.T) {
	for name, c := range map[string]struct {
		events []string
		kinds  string
		kept   string
	}{
		"repeated":               {[]string{sglang(" a", "1"), sglang(" a b", "2"), sglang(" a b c d", "4")}, "text text text", " a b c d"},
		"held back":              {[]string{sglang("", "1"), sglang(" é", "2"), sglang(" é", "3"), sglang(" é!", "4")}, "usage text usage text", " é!"},
		"only what is new":       {[]string{sglang(" a", "1"), sglang(" b", "2"), sglang(" b", "3"), sglang("", "4"), sglang(" b c", "6")}, "text text text usage text", " a b b b c"},
		"new, as the first was":  {[]string{sglang(" a", "1"), sglang(" b", "2"), sglang(" a!", "3")}, "text text text", " a b a!"},
		"an escape at the joint": {[]string{sglang(`\n`, "1"), sglang(`\n\"`, "2")}, "text text", "\n\""},
	} {
		d := find(t, "sglang_generate").NewDecoder()
		d.Keep()
		var deltas []dialect.Delta
		for _, data := range c.events {
			deltas = append(deltas, d.Event(nil, []byte(data)))
		}
		if got := dialecttest.Kinds(deltas); got != c.kinds || string(d.Kept()) != c.kept {
			t.Errorf("%s: kinds %q, kept %q, want %q, %q", name, got, d.Kept(), c.kinds, c.kept)
		}
	}
}

func TestAnAbortedReplyOfSGLangIsAnError(t *testing.T) {
	got := find(t, "sglang_generate").NewDecoder().Event(nil, []byte(`{"text":"","meta_info":{"finish_reason":{"type":"abort","message":"too long"}}}`))
	if got.ErrorKind != record.ErrStream {
		t.Errorf("an abort is %+v, want a stream error", got)
	}
}

func TestLlamacppTellsIDsAndOlderOnesNothingBeforeTheEnd(t *testing.T) {
	deltas, reply := dialecttest.Decode(find(t, "llamacpp_completion"), split(dialect.SSE, read(t, "testdata/llamacpp-completion.sse")))
	if deltas[0].Tokens != 1 || deltas[1].Tokens != 2 || !reply.TokensTold || reply.Cached != 3 || reply.FinishReason != "limit" {
		t.Errorf("tokens %d, %d, reply %+v, want 1, 2, told, 3 cached, ended by the limit", deltas[0].Tokens, deltas[1].Tokens, reply)
	}
	_, reply = dialecttest.Decode(find(t, "llamacpp_completion"), dialecttest.Events(`{"content":"a","stop":false,"stop_type":"none"}`))
	if reply.FinishReason != "" || reply.Finished {
		t.Errorf("a reply that goes on is %+v", reply)
	}
	_, reply = dialecttest.Decode(find(t, "llamacpp_completion"), dialecttest.Events(
		`{"content":"a","stop":false,"id_slot":0}`,
		`{"content":"","stop":true,"stopped_eos":true,"stopped_limit":false,"tokens_predicted":2,"tokens_evaluated":7}`))
	if reply.OutputTokens != 2 || reply.FinishReason != "stopped_eos" || !reply.Finished {
		t.Errorf("an older server's reply is %+v", reply)
	}
}

func TestTheAPIsOfTextsSendOneText(t *testing.T) {
	for name, want := range map[string]string{
		"ollama_generate":     `{"model":"m","prompt":"weigh it","stream":true,"options":{"num_predict":3}}`,
		"llamacpp_completion": `{"prompt":"weigh it","n_predict":3,"stream":true}`,
		"sglang_generate":     `{"text":"weigh it","sampling_params":{"max_new_tokens":3},"stream":true}`,
		"tgi_generate":        `{"inputs":"weigh it","parameters":{"max_new_tokens":3,"details":true}}`,
		"triton_generate":     `{"text_input":"weigh it","max_tokens":3,"stream":true}`,
	} {
		d := find(t, name)
		for _, r := range []workload.Request{
			{Prompt: "weigh it", OutputTokens: 3},
			{Messages: []workload.Message{{Role: "user", Content: "weigh it"}}, OutputTokens: 3},
		} {
			if got, err := d.Encode(r, dialect.Options{Model: "m", Stream: true}); err != nil || string(got) != want {
				t.Errorf("%s: Encode = %s, %v, want %s", name, got, err, want)
			}
		}
		if got, err := d.Encode(workload.Request{Messages: make([]workload.Message, 2)}, dialect.Options{Model: "m"}); err == nil || d.Takes&dialect.Turns != 0 {
			t.Errorf("%s: a conversation becomes %s, want an error", name, got)
		}
	}
}
