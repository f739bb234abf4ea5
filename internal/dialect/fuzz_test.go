package dialect_test

import (
	"bytes"
	"testing"

	"assay/internal/dialect"
	"assay/internal/record"
)

func FuzzChatEvent(f *testing.F) { fuzzEvent(f, "chat", true) }

func FuzzCompletionsEvent(f *testing.F) { fuzzEvent(f, "completions", false) }

// fuzzEvent compares one event's decoding with the reference.
func fuzzEvent(f *testing.F, name string, chat bool) {
	for _, seed := range []string{
		delta(`"role":"assistant","content":""`), delta(`"content":" a"`), delta(`"reasoning_content":"x","content":"\u00e9\n"`),
		delta(`"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{}"}}]`), delta(`"content":[{"type":"text","text":"a"},{"thinking":[{}]}]`),
		chatStop, chatUsage, running("a", 5), `{"error":{"message":"x"}}`, `{"object":"error"}`, `{"detail":[]}`, `{"x_groq":{"usage":{}}}`,
		`{"choices":[{"text":"a","finish_reason":"stop","logprobs":{"tokens":["a"]}}]}`, `{"a":[1,-0.5e+3,true,null,"\ud800"]}`, `[DONE]`, ``, ` {} `,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		trimmed := bytes.TrimSpace(data)
		got := find(t, name).NewDecoder().Event(nil, data)
		if string(trimmed) == "[DONE]" || len(trimmed) == 0 {
			return
		}
		kind, isError, ok := referenceKind(trimmed, chat)
		switch {
		case !ok:
			if got.ErrorKind != record.ErrDecode {
				t.Errorf("%q = %+v, want a decode error", data, got)
			}
		case isError:
			if got.ErrorKind != record.ErrStream {
				t.Errorf("%q = %+v, want a stream error", data, got)
			}
		case got.ErrorKind == record.ErrStream && got.ErrorText == `the server ended the reply with finish_reason "error"`:
			// A matter of one word; a test of its own has it.
		case got.Kind != kind || got.ErrorKind != "":
			t.Errorf("%q = %+v, want %v", data, got, kind)
		}
		if got.Tokens < 0 || got.Tokens > 0 && !got.Kind.Content() {
			t.Errorf("%q = %+v: tokens without content", data, got)
		}
	})
}

// FuzzEveryDialect feeds whole streams to every dialect: what they add up to
// stays within reason.
func FuzzEveryDialect(f *testing.F) {
	f.Add([]byte(delta(`"content":"a"`) + "\n" + running("b", 5) + "\n" + chatStop + "\n" + chatUsage + "\n[DONE]"))
	f.Add([]byte(`{"choices":[{"index":99,"text":"a","token_ids":[1,2]}]}` + "\n" + `{"usage":{"completion_tokens":1e300}}`))
	for _, data := range seeds {
		f.Add([]byte(data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, d := range dialect.Table() {
			decoder := d.NewDecoder()
			decoder.Keep()
			sum := 0
			for line := range bytes.SplitSeq(data, []byte("\n")) {
				name, rest, named := bytes.Cut(line, []byte("\t"))
				if !named {
					name, rest = nil, line
				}
				delta := decoder.Event(name, rest)
				if delta.Kind.Content() {
					sum += max(1, delta.Tokens)
				}
				if delta.Tokens < 0 || delta.Tokens > 0 && !delta.Kind.Content() || delta.Kind.Content() && delta.ErrorKind != "" {
					t.Errorf("%s: %q = %+v", d.Name, line, delta)
				}
			}
			if reply := decoder.Reply(); reply.SumTokens != sum || reply.TokensTold && sum == 0 {
				t.Errorf("%s: reply = %+v, want the sum %d", d.Name, reply, sum)
			}
			checkCounts(t, d.Name, decoder.Reply())
			if kept := decoder.Kept(); len(kept) > len(data) {
				t.Errorf("%s: %d bytes are kept of %d", d.Name, len(kept), len(data))
			}
			decoder.Reset()
			decoder.Whole(data)
			checkCounts(t, d.Name, decoder.Reply())
		}
	})
}

func checkCounts(t *testing.T, name string, reply dialect.Reply) {
	t.Helper()
	for _, n := range []int{reply.InputTokens, reply.OutputTokens, reply.Cached, reply.Reasoning} {
		if n < record.NoCount || n > 3<<31 {
			t.Errorf("%s: reply = %+v: a count beyond reason", name, reply)
		}
	}
	if len(reply.FinishReason) > 64 {
		t.Errorf("%s: a finish reason of %d bytes", name, len(reply.FinishReason))
	}
}

// seeds are events that the fuzzing begins with, a dialect's own on each line;
// a name stands before a tab.
var seeds = []string{
	`{"data":[{"index":0,"embedding":[0.5]},{"data":"AA==","score":1,"probs":[1]}],"results":[{"flagged":true,"relevance_score":1}],"embeddings":{"float":[[1]]}}`,
	`[[1,2],{"score":1},[{"score":1}]]`,
	`{"message":{"content":"a","thinking":"b"},"done":true,"done_reason":"stop","eval_count":3}`,
	`{"response":"a","done":false}`,
	`{"type":"message_start","message":{"role":"assistant","usage":{"input_tokens":25,"cache_read_input_tokens":400,"output_tokens":1}}}`,
	`{"type":"content_block_delta","delta":{"text":"a","thinking":"b","partial_json":"c"}}` + "\n" + `{"type":"message_stop"}`,
	`{"delta":"a","type":"response.output_text.delta"}` + "\n" + `{"type":"response.incomplete","response":{"incomplete_details":{"reason":"x"},"usage":{"output_tokens":3}}}`,
	`{"item":{"name":"f"},"type":"response.output_item.added"}`,
	`{"candidates":[{"content":{"parts":[{"text":"a","thought":true},{"functionCall":{"name":"f"}}]},"finishReason":"STOP","index":1}],"usageMetadata":{"thoughtsTokenCount":2}}`,
	`{"type":"message-end","delta":{"message":{"content":[{"text":"a"}],"tool_calls":{}},"finish_reason":"COMPLETE","usage":{"billed_units":{"input_tokens":3}}}}`,
	`{"token":{"text":"a","special":false},"generated_text":null}` + "\n" + `{"generated_text":"a","details":{"finish_reason":"length","generated_tokens":2}}`,
	`{"text":"a","meta_info":{"completion_tokens":1}}` + "\n" + `{"text":"a\u00e9","meta_info":{"finish_reason":{"type":"stop"},"completion_tokens":2}}`,
	`{"content":"a","tokens":[1,2],"stop":true,"stop_type":"eos","tokens_predicted":2,"timings":{"cache_n":1}}`,
	`{"text_output":"a"}`,
	"error\t{}",
}
