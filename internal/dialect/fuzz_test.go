package dialect_test

import (
	"bytes"
	"testing"

	"assay/internal/dialect/dialecttest"
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

// FuzzReply feeds whole streams: what they add up to stays within reason.
func FuzzReply(f *testing.F) {
	f.Add([]byte(delta(`"content":"a"`)+"\n"+running("b", 5)+"\n"+chatStop+"\n"+chatUsage+"\n[DONE]"), true)
	f.Add([]byte(`{"choices":[{"index":99,"text":"a","token_ids":[1,2]}]}`+"\n"+`{"usage":{"completion_tokens":1e300}}`), false)
	f.Fuzz(func(t *testing.T, data []byte, chat bool) {
		name := "completions"
		if chat {
			name = "chat"
		}
		deltas, reply := dialecttest.Decode(find(t, name), dialecttest.Events(split(data)...))
		events, sum := 0, 0
		for _, d := range deltas {
			if d.Kind.Content() {
				events++
				sum += max(1, d.Tokens)
			}
		}
		if reply.SumTokens != sum || reply.TokensTold && events == 0 {
			t.Errorf("reply = %+v, want the sum %d over %d events", reply, sum, events)
		}
		for _, n := range []int{reply.InputTokens, reply.OutputTokens, reply.Cached, reply.Reasoning} {
			if n < record.NoCount || n > 1<<31 {
				t.Errorf("reply = %+v: a count beyond reason", reply)
			}
		}
	})
}

func split(data []byte) []string {
	var lines []string
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		lines = append(lines, string(line))
	}
	return lines
}

func BenchmarkTextEvent(b *testing.B) {
	decoder := find(b, "chat").NewDecoder()
	data := []byte(`{"id":"chatcmpl-701","object":"chat.completion.chunk","created":1796090013,"model":"tiny","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":" dosu"},"finish_reason":null}]}`)
	b.ReportAllocs()
	for b.Loop() {
		decoder.Event(nil, data)
	}
}
