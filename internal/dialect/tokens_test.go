package dialect_test

// How many tokens an event carried, from what the event itself tells.

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/dialect"
	"assay/internal/dialect/dialecttest"
)

// told decodes chat events and returns k of each content-bearing one.
func told(t *testing.T, data ...string) (k []int, reply dialect.Reply) {
	t.Helper()
	deltas, reply := dialecttest.Decode(find(t, "chat"), dialecttest.Events(data...))
	for _, d := range deltas {
		if d.Kind.Content() {
			k = append(k, d.Tokens)
		}
	}
	return k, reply
}

func wantTokens(t *testing.T, want []int, sum int, all bool, data ...string) {
	t.Helper()
	k, reply := told(t, data...)
	if diff := cmp.Diff(want, k); diff != "" {
		t.Errorf("tokens of the events (-want +got):\n%s", diff)
	}
	if reply.SumTokens != sum || reply.TokensTold != all {
		t.Errorf("SumTokens = %d, TokensTold = %t, want %d, %t", reply.SumTokens, reply.TokensTold, sum, all)
	}
}

// running is a text event with a running usage.
func running(text string, output int) string {
	return fmt.Sprintf(`{"choices":[{"index":0,"delta":{"content":%q},"finish_reason":null}],"usage":{"prompt_tokens":7,"completion_tokens":%d}}`, text, output)
}

func TestARunningUsageTellsTheTokensOfEachEvent(t *testing.T) {
	wantTokens(t, []int{1, 4, 2}, 7, true, running("a", 1), running("b c d e", 5), running("f g", 7))
}

func TestTheFirstEventMayHaveFiveTokens(t *testing.T) {
	wantTokens(t, []int{5, 1}, 6, true, running("", 0), running("a b c d e", 5), running("f", 6))
}

func TestTokensHeldBackShowWithTheNextText(t *testing.T) {
	wantTokens(t, []int{1, 3}, 4, true, running("a", 1), running("", 3), running("b", 4))
}

func TestAUsageOnTheLastEventAloneIsNotItsOwn(t *testing.T) {
	wantTokens(t, []int{0, 0}, 2, false, delta(`"content":"a b"`), running("c d", 100))
}

func TestAUsageThatStandsStillTellsNothing(t *testing.T) {
	wantTokens(t, []int{1, 0, 0}, 3, false, running("a", 1), running("b", 1), running("c", 5))
}

func TestARunningUsageOfSeveralChoicesTellsNothing(t *testing.T) {
	of := func(choice, output int) string {
		return fmt.Sprintf(`{"choices":[{"index":%d,"delta":{"content":"a"}}],"usage":{"completion_tokens":%d}}`, choice, output)
	}
	wantTokens(t, []int{1, 0, 0, 0}, 4, false, of(0, 1), of(1, 3), of(0, 4), of(1, 5))
}

func TestTokenIDsTellTheTokens(t *testing.T) {
	of := func(text, ids string) string {
		return fmt.Sprintf(`{"prompt_token_ids":[1,2,3],"choices":[{"index":0,"delta":{"content":%q},"token_ids":%s,"logprobs":{"content":[{"token":"x","bytes":[1,2],"top_logprobs":[]}]}}]}`, text, ids)
	}
	wantTokens(t, []int{3, 2}, 5, true, of("a b c", "[5,6,7]"), of("", "[8]"), of("d", "[9]"))
}

func TestLogprobsTellTheTokens(t *testing.T) {
	of := func(list string) string {
		return `{"choices":[{"index":0,"delta":{"content":"a"},"logprobs":{"content":` + list + `,"refusal":null}}]}`
	}
	wantTokens(t, []int{2, 0}, 3, false, of(`[{"token":"a","logprob":-1.5e-3},{"token":"b"}]`), of(`null`))
	deltas, _ := dialecttest.Decode(find(t, "completions"), dialecttest.Events(
		`{"choices":[{"text":"a b","logprobs":{"tokens":["a"," b"],"token_logprobs":[-1,-2],"text_offset":[0,1]}}]}`))
	if deltas[0].Tokens != 2 {
		t.Errorf("completions: Tokens = %d, want 2", deltas[0].Tokens)
	}
}

func TestAnEventThatDoesNotTellCountsOne(t *testing.T) {
	wantTokens(t, []int{0, 0, 0}, 3, false, delta(`"content":"a b c"`), delta(`"reasoning":"d"`), delta(`"content":" "`))
	wantTokens(t, nil, 0, false, delta(`"role":"assistant"`))
}

func TestUsageIsReadUnderEverybodysNames(t *testing.T) {
	want := dialect.Reply{InputTokens: 100, OutputTokens: 40, Cached: 64, Reasoning: 12}
	for who, usage := range map[string]string{
		"openai":   `"usage":{"prompt_tokens":100,"completion_tokens":40,"total_tokens":140,"prompt_tokens_details":{"cached_tokens":64,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":12}}`,
		"deepseek": `"usage":{"prompt_tokens":100,"completion_tokens":40,"prompt_cache_hit_tokens":64,"prompt_cache_miss_tokens":36,"completion_tokens_details":{"reasoning_tokens":12}}`,
		"sglang":   `"usage":{"prompt_tokens":100,"completion_tokens":40,"prompt_tokens_details":{"cached_tokens":64},"reasoning_tokens":12}`,
		"moonshot": `"usage":{"prompt_tokens":100,"completion_tokens":40,"cached_tokens":64,"reasoning_tokens":12}`,
		"gateway":  `"usage":{"input_tokens":100,"output_tokens":40,"cache_read_input_tokens":64,"output_tokens_details":{"reasoning_tokens":12}}`,
		"groq":     `"x_groq":{"id":"r","usage":{"prompt_tokens":100,"completion_tokens":40.0,"cached_tokens":64,"reasoning_tokens":12}}`,
	} {
		t.Run(who, func(t *testing.T) {
			_, got := told(t, `{"choices":[],`+usage+`}`)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("reply (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUsageThatIsNotACountIsNotTold(t *testing.T) {
	_, got := told(t, delta(`"content":"a"`), `{"choices":[],"usage":{"prompt_tokens":null,"completion_tokens":-3,"prompt_tokens_details":null,"completion_tokens_details":[]}}`,
		`{"choices":[],"usage":"none"}`, `{"choices":[],"usage":null}`)
	if want := (dialect.Reply{InputTokens: -1, OutputTokens: -1, Cached: -1, Reasoning: -1, SumTokens: 1}); got != want {
		t.Errorf("reply = %+v, want %+v", got, want)
	}
}

func TestALaterUsageKeepsWhatItDoesNotTell(t *testing.T) {
	_, got := told(t, `{"choices":[],"usage":{"prompt_tokens":7,"cached_tokens":3}}`, `{"choices":[],"usage":{"completion_tokens":9,"reasoning_tokens":-2}}`)
	if want := (dialect.Reply{InputTokens: 7, OutputTokens: 9, Cached: 3, Reasoning: -1}); got != want {
		t.Errorf("reply = %+v, want %+v", got, want)
	}
}

func TestACountBeyondReasonIsCutOff(t *testing.T) {
	for _, count := range []string{"99999999999999999999", "1e300", "2147483649"} {
		if _, got := told(t, `{"choices":[],"usage":{"completion_tokens":`+count+`}}`); got.OutputTokens != 1<<31 {
			t.Errorf("%s tokens are read as %d, want %d", count, got.OutputTokens, 1<<31)
		}
	}
}

func TestACountOfNoTokensBesideTextIsNotBelieved(t *testing.T) {
	_, got := told(t, `{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":0}}`, delta(`"content":"a"`))
	if got.InputTokens != 7 || got.OutputTokens != -1 {
		t.Errorf("tokens = %d in, %d out, want 7 and unknown", got.InputTokens, got.OutputTokens)
	}
}

func TestAWholeReplyTellsItsTokens(t *testing.T) {
	decoder := find(t, "chat").NewDecoder()
	got := decoder.Whole([]byte(`{"choices":[{"index":0,"message":{"content":"a"},"finish_reason":"stop"},{"index":1,"message":{"content":"b"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":6}}`))
	if got.Tokens != 6 || decoder.Reply().OutputTokens != 6 || !decoder.Reply().Finished {
		t.Errorf("Whole = %+v, reply %+v, want 6 tokens, finished", got, decoder.Reply())
	}
	got = find(t, "chat").NewDecoder().Whole(read(t, "testdata/ollama-chat-logprobs.json"))
	if got.Tokens != 1 {
		t.Errorf("Whole = %+v, want 1 token", got)
	}
}
