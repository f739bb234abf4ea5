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

// wholes are answers with two items, in the words of each API's own
// documentation, and refusals.
var wholes = map[string][2]string{
	"moderations": {`{"id":"modr-970d409ef3bef3b70c73d8232df86e7d","model":"omni-moderation-latest","results":[{"flagged":true,"categories":{"violence":true},"category_scores":{"violence":0.9},"category_applied_input_types":{"violence":["text"]}},{"flagged":false,"categories":{"violence":false},"category_scores":{"violence":0.1}}]}`,
		`{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`},
	"cohere_embed": {`{"id":"da6e531f-54c5-4a73-bf92-f60566d8d753","embeddings":{"float":[[0.016,-0.008],[0.04,0.1]],"int8":[[1,2],[3,4]]},"texts":["a","b"],"meta":{"api_version":{"version":"2","is_experimental":true},"billed_units":{"input_tokens":2},"warnings":["x"]}}`,
		`{"id":"1","message":"invalid request: texts is too long"}`},
	"tei_embed":       {`[[0.25,-1.5e-2],[1,0]]`, `{"error":"Model is overloaded","error_type":"overloaded"}`},
	"nim_embeddings":  {`{"object":"list","data":[{"index":0,"embedding":[-0.02,0.01],"object":"embedding"},{"index":1,"embedding":[1],"object":"embedding"}],"model":"m","usage":{"prompt_tokens":14,"total_tokens":14}}`, `{"object":"error","message":"x","detail":{},"error":"Input length 600 exceeds maximum allowed token size 512"}`},
	"chat_embeddings": {`{"id":"embd-1","object":"list","created":1,"model":"m","data":[{"index":0,"object":"embedding","embedding":[0.5]},{"index":1,"object":"embedding","embedding":[0.25]}],"usage":{"prompt_tokens":763,"total_tokens":763,"completion_tokens":0,"prompt_tokens_details":null}}`, `{"error":{"message":"no such model","type":"NotFoundError","param":null,"code":404}}`},
	"vllm_pooling":    {`{"id":"pool-1","object":"list","created":1,"model":"m","data":[{"index":0,"object":"pooling","data":[[0.1],[0.2]]},{"index":1,"object":"pooling","data":"AACAPg=="}],"usage":{"prompt_tokens":9,"total_tokens":9}}`, `{"detail":"Not Found"}`},
	"cohere_rerank": {`{"results":[{"index":3,"relevance_score":0.999071},{"index":4,"relevance_score":0.7867867}],"id":"07734bd2-2473-4f07-94e1-0d9f0e6843cf","meta":{"api_version":{"version":"2","is_experimental":false},"billed_units":{"search_units":1}}}`,
		`{"message":"invalid api token"}`},
	"jina_rerank":         {`{"model":"jina-reranker-v2-base-multilingual","usage":{"total_tokens":38},"results":[{"index":0,"document":{"text":"a"},"relevance_score":0.97},{"index":1,"relevance_score":-7.5e-3}]}`, `{"detail":"[AUTHENTICATION_ERROR] Unauthorized"}`},
	"tei_rerank":          {`[{"index":1,"text":"a","score":0.998},{"index":0,"score":2e-5}]`, `{"error":"Inference failed","error_type":"backend"}`},
	"nim_rankings":        {`{"rankings":[{"index":0,"logit":0.4},{"index":3,"logit":-7.3}],"usage":{"prompt_tokens":9,"total_tokens":9}}`, `{"error":"Passages are too many"}`},
	"vllm_score":          {`{"id":"score-1","object":"list","created":693447,"model":"m","data":[{"index":0,"object":"score","score":1},{"index":1,"object":"score","score":0.5}],"usage":{"prompt_tokens":9,"total_tokens":9}}`, `{"error":{"message":"x"}}`},
	"vllm_classify":       {`{"id":"classify-1","object":"list","created":1745383213,"model":"m","data":[{"index":0,"label":"Default","probs":[0.56,0.43],"num_classes":2},{"index":1,"label":"Spoiled","probs":[0.26,0.73],"num_classes":2}],"usage":{"prompt_tokens":20,"total_tokens":20,"completion_tokens":0,"prompt_tokens_details":null}}`, `{"error":{"message":"x"}}`},
	"nim_image_retrieval": {`{"data":[{"index":0,"bounding_boxes":{"chart":[{"x_min":0.6503,"y_min":0.2161,"x_max":0.7835,"y_max":0.3236,"confidence":0.9306}],"table":[]}},{"index":1,"bounding_boxes":{}}],"usage":{"images_size_mb":0.03}}`, `{"detail":"Invalid image"}`},
	"tei_predict":         {`[[{"score":0.99,"label":"POSITIVE"},{"score":0.01,"label":"NEGATIVE"}],[{"score":0.6,"label":"NEGATIVE"}]]`, `{"error":"Batch size error","error_type":"validation"}`},
}

func TestTensorsOfStringsAreTheText(t *testing.T) {
	for body, want := range map[string]record.Kind{
		`{"outputs":[{"name":"a","datatype":"FP32","shape":[2],"data":[1,2]},{"data":["so"],"name":"text_output"}]}`: record.Text,
		`{"outputs":[{"name":"a","datatype":"FP32","shape":[2],"data":[1,2]}]}`:                                      record.Other,
		`{"outputs":[{"name":"text_output","data":[""]}]}`:                                                           record.Other,
	} {
		if got := find(t, "kserve_http").NewDecoder().Whole([]byte(body)); got.Kind != want || got.ErrorKind != "" {
			t.Errorf("%s = %+v, want %s", body, got, want)
		}
	}
}

func kserveSamples(testing.TB) dialecttest.Samples {
	return dialecttest.Samples{
		Whole:  []byte(`{"model_name":"ensemble","model_version":"1","outputs":[{"name":"text_output","datatype":"BYTES","shape":[1],"data":["machine learning is"]}]}`),
		Refuse: []byte(`{"error":"Request for unknown model: 'x' is not found"}`),
	}
}

func solidoSamples(testing.TB) dialecttest.Samples {
	return dialecttest.Samples{
		Whole:  []byte(`{"content":"Use a corner.","sources":[{"title":"b"}]}`),
		Refuse: []byte(`{"detail":"no such family"}`),
	}
}

func valuesSamples(name string) func(testing.TB) dialecttest.Samples {
	return func(testing.TB) dialecttest.Samples {
		return dialecttest.Samples{Whole: []byte(wholes[name][0]), Refuse: []byte(wholes[name][1]), Items: 2}
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
	for most, want := range map[any]int{nil: 4, 2: 2, uint64(3): 3, int64(1): 1, 9.0: 4, 0: 4, -1: 4, "2": 4} {
		if got := d.Answers(4, map[string]any{"top_n": most}); got != want {
			t.Errorf("with top_n %v %d answers are wanted, want %d", most, got, want)
		}
	}
}

func TestEachApiOfValuesSaysARequestInItsOwnWords(t *testing.T) {
	r := workload.Request{Prompt: "q", Texts: []string{"q", "r"}, Documents: []string{"d", "e"}}
	for name, want := range map[string]string{
		"embeddings":      `{"model":"m","input":["q","r"]}`,
		"moderations":     `{"model":"m","input":["q","r"]}`,
		"cohere_embed":    `{"model":"m","texts":["q","r"],"input_type":"search_document","embedding_types":["float"]}`,
		"tei_embed":       `{"inputs":["q","r"]}`,
		"nim_embeddings":  `{"model":"m","input":["q","r"],"input_type":"passage"}`,
		"chat_embeddings": `{"model":"m","messages":[{"role":"user","content":"q"}]}`,
		"vllm_pooling":    `{"model":"m","input":["q","r"]}`,
		"cohere_rerank":   `{"model":"m","query":"q","documents":["d","e"]}`,
		"jina_rerank":     `{"model":"m","query":"q","documents":["d","e"]}`,
		"tei_rerank":      `{"query":"q","texts":["d","e"]}`,
		"nim_rankings":    `{"model":"m","query":{"text":"q"},"passages":[{"text":"d"},{"text":"e"}]}`,
		"vllm_score":      `{"model":"m","text_1":"q","text_2":["d","e"]}`,
		"vllm_classify":   `{"model":"m","input":["q","r"]}`,
		"tei_predict":     `{"inputs":[["q"],["r"]]}`,
	} {
		if got := encoded(t, name, r, nil); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for name, want := range map[string]string{
		"kserve_http": `{"inputs":[{"name":"text_input","shape":[1,1],"datatype":"BYTES","data":["q"]},{"name":"max_tokens","shape":[1,1],"datatype":"INT32","data":[7]}]}`,
		"solido_rag":  `{"query":["q"],"filters":{"family":"Solido","tool":"SDE"},"inference_model":"m"}`,
	} {
		if got := encoded(t, name, workload.Request{Prompt: "q", OutputTokens: 7}, nil); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := encoded(t, "cohere_embed", r, map[string]any{"input_type": "search_query"}); !strings.Contains(got, `"input_type":"search_query"`) {
		t.Errorf("%s does not say what was asked", got)
	}
}

func TestWhatIsNotTheApisListIsNoAnswer(t *testing.T) {
	for name, bad := range map[string][]string{
		"cohere_embed":  {`{"embeddings":{"float":[[1],[]]}}`, `{"embeddings":[[1]]}`, `{"embeddings":{"float":7}}`},
		"tei_embed":     {`[7]`, `[]`},
		"tei_rerank":    {`[{"index":1}]`, `[[1]]`, `[{"score":"1"}]`},
		"tei_predict":   {`[{"score":1,"label":"a"}]`, `[[{"label":"a"}]]`},
		"vllm_classify": {`{"data":[{"index":0,"label":"a","probs":[]}]}`, `{"data":[{"index":0,"label":"a"}]}`},
		"moderations":   {`{"results":[{"flagged":"no"}]}`},
		"nim_rankings":  {`{"rankings":[{"index":0,"logit":null}]}`},
	} {
		for _, body := range bad {
			if got := find(t, name).NewDecoder().Whole([]byte(body)); got.ErrorKind != record.ErrDecode {
				t.Errorf("%s: %s = %+v, want a decode error", name, body, got)
			}
		}
	}
}

func TestTokensAreThoseThatWereRead(t *testing.T) {
	for name, want := range map[string]int{"cohere_embed": 2, "vllm_pooling": 9, "tei_embed": record.NoCount, "cohere_rerank": record.NoCount} {
		decoder := find(t, name).NewDecoder()
		decoder.Whole([]byte(wholes[name][0]))
		if got := decoder.Reply().InputTokens; got != want {
			t.Errorf("%s: %d tokens in, want %d", name, got, want)
		}
	}
}
