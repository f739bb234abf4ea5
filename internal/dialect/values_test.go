package dialect_test

import (
	"strings"
	"testing"

	"assay/internal/dialect"
	"assay/internal/dialect/dialecttest"
	"assay/internal/record"
	"assay/internal/workload"
)

func embeddingsSamples(testing.TB) dialecttest.Samples {
	return dialecttest.Samples{
		Whole:  []byte(`{"object":"list","data":[{"object":"embedding","index":0,"embedding":[0.25,-1e-3]},{"object":"embedding","index":1,"embedding":"AACAPg=="}],"model":"m","usage":{"prompt_tokens":8,"total_tokens":8}}`),
		Refuse: []byte(`{"error":{"message":"This model's maximum context length is 512 tokens","type":"BadRequestError","code":400}}`),
		Items:  2,
	}
}

// encoded is what a dialect makes of a request to the model m.
func encoded(t *testing.T, name string, r workload.Request, extra map[string]any) string {
	t.Helper()
	body, err := find(t, name).Encode(r, dialect.Options{Model: "m", Extra: extra})
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestOneTextIsSentBareAndSeveralAsAList(t *testing.T) {
	for want, r := range map[string]workload.Request{
		`{"model":"m","input":"why?","dimensions":8}`:          {Prompt: "why?"},
		`{"model":"m","input":"so?","dimensions":8}`:           {Messages: []workload.Message{{Role: "user", Content: "so?"}}},
		`{"model":"m","input":["why?","how?"],"dimensions":8}`: {Prompt: "why?", Texts: []string{"why?", "how?"}},
	} {
		if got := encoded(t, "embeddings", r, map[string]any{"dimensions": 8}); got != want {
			t.Errorf("Encode = %s, want %s", got, want)
		}
	}
}

func TestNoApiOfValuesTakesAConversation(t *testing.T) {
	two := workload.Request{Messages: []workload.Message{{Role: "user", Content: "a"}, {Role: "assistant", Content: "b"}}, Documents: []string{"c"}}
	for _, d := range dialect.Table() {
		if !d.Textless() || d.Takes&dialect.Turns != 0 {
			continue
		}
		if body, err := d.Encode(two, dialect.Options{Model: "m"}); err == nil {
			t.Errorf("%s says a conversation as %s", d.Name, body)
		}
	}
}

func TestAnElementWithoutItsValueIsNoAnswer(t *testing.T) {
	for _, bad := range []string{
		`{"data":[{"embedding":[1]},{"index":1}]}`,
		`{"data":[{"embedding":[]}]}`,
		`{"data":[{"embedding":""}]}`,
		`{"data":[{"embedding":7}]}`,
		`{"data":[7]}`,
		`{"data":7}`,
	} {
		got := find(t, "embeddings").NewDecoder().Whole([]byte(bad))
		if got.ErrorKind != record.ErrDecode || !strings.Contains(got.ErrorText, bad) {
			t.Errorf("Whole(%s) = %+v, want a decode error that shows it", bad, got)
		}
	}
	if got := find(t, "embeddings").NewDecoder().Whole([]byte(`{"data":[]}`)); got.Kind.Content() || got.ErrorKind != "" {
		t.Errorf("a list of none = %+v, want nothing", got)
	}
}

func TestWhatIsAskedIsCountedByWhatTheApiMeasures(t *testing.T) {
	r := workload.Request{Prompt: "q", Texts: []string{"q", "r", "s"}, Documents: []string{"d", "e", "f", "g"}}
	for measure, want := range map[dialect.Measure]int{"": 0, dialect.Tokens: 0, dialect.Embeddings: 3, dialect.Judged: 3, dialect.Ranked: 4} {
		if got := (dialect.Dialect{Measures: measure}).Items(r); got != want {
			t.Errorf("%q: %d items, want %d", measure, got, want)
		}
	}
	d := dialect.Dialect{Most: "top_n"}
	for most, want := range map[any]int{nil: 4, 2: 2, uint64(3): 3, 9.0: 4, 0: 4, -1: 4, "2": 4} {
		if got := d.Answers(4, map[string]any{"top_n": most}); got != want {
			t.Errorf("with top_n %v %d answers are wanted, want %d", most, got, want)
		}
	}
}
