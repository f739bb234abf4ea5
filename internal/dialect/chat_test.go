package dialect_test

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/dialect"
	"assay/internal/dialect/dialecttest"
	"assay/internal/record"
	"assay/internal/workload"
)

func find(t testing.TB, name string) dialect.Dialect {
	t.Helper()
	d, ok := dialect.Find(name)
	if !ok {
		t.Fatalf("Find(%q) finds nothing", name)
	}
	return d
}

// delta is a chat event with these members in its delta.
func delta(members string) string {
	return `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{` + members + `},"finish_reason":null}]}`
}

const (
	chatStop  = `{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	chatUsage = `{"object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":9,"total_tokens":16}}`
)

// wantKinds decodes chat events and compares what each brought.
func wantKinds(t *testing.T, want string, data ...string) dialect.Reply {
	t.Helper()
	deltas, reply := dialecttest.Decode(find(t, "chat"), dialecttest.Events(data...))
	if got := dialecttest.Kinds(deltas); got != want {
		t.Errorf("kinds = %q, want %q", got, want)
	}
	return reply
}

func chatSamples(t testing.TB) dialecttest.Samples {
	return dialecttest.Samples{
		Raw:   read(t, "testdata/ollama-chat.sse"),
		Kinds: "text text text text finish usage end", Input: 21, Output: 4,
		Text:   event(delta(`"content":" dosu"`)),
		Fault:  event(`{"error":{"message":"out of memory","code":500}}`),
		Whole:  read(t, "testdata/ollama-chat-logprobs.json"),
		Refuse: read(t, "testdata/ollama-bad-model.json"),
	}
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestOllamasRoleOnEveryChunkIsText(t *testing.T) {
	deltas, reply := dialecttest.Decode(find(t, "chat"), split(dialect.SSE, read(t, "testdata/ollama-chat.sse")))
	if got, want := dialecttest.Kinds(deltas), "text text text text finish usage end"; got != want {
		t.Errorf("kinds = %q, want %q", got, want)
	}
	want := dialect.Reply{InputTokens: 21, OutputTokens: 4, Cached: -1, Reasoning: -1, SumTokens: 4, FinishReason: "length", Finished: true}
	if diff := cmp.Diff(want, reply); diff != "" {
		t.Errorf("reply (-want +got):\n%s", diff)
	}
}

func TestARoleAloneIsNoToken(t *testing.T) {
	wantKinds(t, "role role text", delta(`"role":"assistant","content":""`), delta(`"role":"assistant","content":null`), delta(`"content":"a"`))
}

func TestEmptyContentIsNoToken(t *testing.T) {
	reply := wantKinds(t, "other other other text", delta(`"content":""`), delta(`"content":null`), delta(``), delta(`"content":"a"`))
	if reply.SumTokens != 1 {
		t.Errorf("SumTokens = %d, want 1", reply.SumTokens)
	}
}

func TestWhiteSpaceIsAToken(t *testing.T) {
	wantKinds(t, "text text text", delta(`"content":" "`), delta(`"content":"\n"`), delta(`"content":"\t\t"`))
}

func TestReasoningIsReadFromEitherField(t *testing.T) {
	wantKinds(t, "reasoning reasoning reasoning other",
		delta(`"reasoning_content":"","reasoning":"x"`), delta(`"reasoning_content":"x"`), delta(`"reasoning":"x","reasoning_content":null`),
		delta(`"reasoning_content":"","reasoning":""`))
}

func TestAnEventWithReasoningAndContentIsText(t *testing.T) {
	reply := wantKinds(t, "reasoning text text", delta(`"reasoning_content":"hm"`), delta(`"reasoning":"so","content":"a"`), delta(`"content":"b"`))
	if reply.SumTokens != 3 {
		t.Errorf("SumTokens = %d, want 3: the event with both is one", reply.SumTokens)
	}
}

func TestContentInPartsIsTextOrReasoning(t *testing.T) {
	wantKinds(t, "reasoning text other",
		delta(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]`),
		delta(`"content":[{"type":"text","text":"a"}]`), delta(`"content":[{"type":"text","text":""}]`))
}

func TestATokenOfAToolCallHasANameOrArguments(t *testing.T) {
	call := func(members string) string { return delta(`"tool_calls":[{"index":0,` + members + `}]`) }
	wantKinds(t, "tool tool other other tool",
		call(`"id":"c1","type":"function","function":{"name":"weigh","arguments":""}`),
		call(`"function":{"arguments":"{\"g\""}`), call(`"function":{"arguments":""}`), call(`"id":"c2"`),
		delta(`"function_call":{"arguments":"x"}`))
}

func TestAToolCallBesideReasoningIsOutput(t *testing.T) {
	wantKinds(t, "tool", delta(`"reasoning":"hm","tool_calls":[{"function":{"name":"weigh"}}]`))
}

func TestARefusalIsText(t *testing.T) {
	wantKinds(t, "text", delta(`"refusal":"no","content":null`))
}

func TestUsageWithoutChoicesCountsAndBringsNothing(t *testing.T) {
	reply := wantKinds(t, "text usage", delta(`"content":"a"`), chatUsage)
	if reply.InputTokens != 7 || reply.OutputTokens != 9 {
		t.Errorf("tokens = %d in, %d out, want 7, 9", reply.InputTokens, reply.OutputTokens)
	}
}

func TestAMissingObjectIsNoMatter(t *testing.T) {
	wantKinds(t, "text text text", `{"choices":[{"delta":{"content":"a"}}]}`, `{"object":null,"choices":[{"delta":{"content":"a"}}]}`,
		`{"object":7,"choices":[{"delta":{"content":"a"}}]}`)
}

func TestMissingChoicesBringNothing(t *testing.T) {
	wantKinds(t, "other other other text", `{"id":"c"}`, `{"choices":null}`, `{"choices":[]}`, delta(`"content":"a"`))
}

func TestContentOfAnyChoiceCounts(t *testing.T) {
	of := func(i, text, finish string) string {
		return `{"choices":[{"index":` + i + `,"delta":{"content":` + text + `},"finish_reason":` + finish + `}]}`
	}
	half := []string{of("0", `"a"`, "null"), of("1", `"b"`, "null"), of("0", `""`, `"stop"`)}
	if reply := wantKinds(t, "text text finish", half...); reply.Finished {
		t.Error("the reply counts as finished while its second choice is not")
	}
	if reply := wantKinds(t, "text text finish finish", append(half, of("1", `""`, `"length"`))...); !reply.Finished || reply.SumTokens != 2 {
		t.Errorf("reply = %+v, want two tokens and finished", reply)
	}
	wantKinds(t, "text", `{"choices":[{"index":0,"delta":{"content":""}},{"index":1,"delta":{"content":"b"}}]}`)
}

func TestAWholeReplyAsAnEventIsText(t *testing.T) {
	wantKinds(t, "text", `{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"a b"},"finish_reason":"stop"}]}`)
}

func TestTheLastTokenMayCarryTheFinishReason(t *testing.T) {
	reply := wantKinds(t, "text", `{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"length"}]}`)
	if !reply.Finished || reply.FinishReason != "length" {
		t.Errorf("reply = %+v, want finished by length", reply)
	}
}

func TestAFinishReasonFinishesWithoutAnEndMarker(t *testing.T) {
	if reply := wantKinds(t, "text finish", delta(`"content":"a"`), chatStop); !reply.Finished || reply.FinishReason != "stop" {
		t.Errorf("reply = %+v, want finished", reply)
	}
}

func TestAStreamWithNeitherEndIsNotFinished(t *testing.T) {
	if reply := wantKinds(t, "text text", delta(`"content":"a"`), delta(`"content":"b"`)); reply.Finished {
		t.Error("a stream without end marker or finish reason counts as finished")
	}
	if reply := wantKinds(t, "text", `{"choices":[{"delta":{"content":"a"},"finish_reason":""}]}`); reply.Finished {
		t.Error("an empty finish reason counts as one")
	}
}

func TestNothingCountsAfterTheEndMarker(t *testing.T) {
	reply := wantKinds(t, "text end other other", delta(`"content":"a"`), " [DONE] ", delta(`"content":"b"`), `{"error":"late"}`)
	if reply.SumTokens != 1 || !reply.Finished {
		t.Errorf("reply = %+v, want one token, finished", reply)
	}
}

func TestCharactersBeyondASCIIAndEscapesAreText(t *testing.T) {
	wantKinds(t, "text text text text text text", delta(`"content":"é"`), delta(`"content":"金"`), delta(`"content":"\u00e9"`),
		delta(`"content":"\ud83d\ude00"`), delta(`"content":"\ud83d"`), delta(`"\u0063ontent":"a\"}]"`))
}

func TestSpaceAndTwoDataLinesAreJSONAllTheSame(t *testing.T) {
	wantKinds(t, "text", "{ \"choices\" :\n[ { \"delta\" : { \"content\" : \"a\" } , \"index\" : 0 } ]\r\n}")
}

func TestAnEmptyEventBringsNothing(t *testing.T) { wantKinds(t, "other other", "", "  ") }

func TestChatSendsAConversationAsItIs(t *testing.T) {
	request := workload.Request{OutputTokens: 5, Messages: []workload.Message{{Role: "system", Content: "be brief"}, {Role: "user", Content: "why\n?"}}}
	got, err := find(t, "chat").Encode(request, dialect.Options{Model: "m", Stream: true})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"model":"m","messages":[{"role":"system","content":"be brief"},{"role":"user","content":"why\n?"}],"max_completion_tokens":5,"stream":true,"stream_options":{"include_usage":true}}`
	if string(got) != want {
		t.Errorf("Encode = %s, want %s", got, want)
	}
}

func TestWhatIsNotAskedForIsNotSent(t *testing.T) {
	got, err := find(t, "chat").Encode(workload.Request{Prompt: "hi"}, dialect.Options{Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"model":"m","messages":[{"role":"user","content":"hi"}]}`; string(got) != want {
		t.Errorf("Encode = %s, want %s", got, want)
	}
	if record.NoCount != -1 {
		t.Fatal("the replies of this file spell NoCount as -1")
	}
}
