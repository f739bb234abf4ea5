package sdks

import (
	"context"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

var openAIEmbeddings = valuer{
	client: openAI("embeddings", silent), gives: "vectors", counts: true,
	ask: func(ctx context.Context, s site, a ask) (values, error) { return askEmbeddings(ctx, s, a) },
}

// nvidiaEmbeddings: OpenAI's client with a field more is what NVIDIA documents.
var nvidiaEmbeddings = valuer{
	client: openAI("nim_embeddings", unclear), gives: "vectors", counts: true,
	ask: func(ctx context.Context, s site, a ask) (values, error) {
		return askEmbeddings(ctx, s, a, option.WithJSONSet("input_type", "query"))
	},
}

func askEmbeddings(ctx context.Context, s site, a ask, more ...option.RequestOption) (values, error) {
	c := newOpenAI(s, a.retries)
	got, err := c.Embeddings.New(ctx, openai.EmbeddingNewParams{
		Model: a.model, Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: a.said},
	}, more...)
	if err != nil {
		return values{}, err
	}
	return embeddingValues(got), nil
}

// embeddingValues are in the order of their indexes.
func embeddingValues(got *openai.CreateEmbeddingResponse) values {
	v := values{vectors: make([][]float64, len(got.Data)), input: got.Usage.PromptTokens}
	for _, e := range got.Data {
		v.vectors[e.Index] = e.Embedding
	}
	return v
}

// vllmChatEmbeddings: a request of its own with OpenAI's client is what vLLM
// documents.
var vllmChatEmbeddings = valuer{
	client: openAI("chat_embeddings", unclear), gives: "one vector", counts: true,
	ask: func(ctx context.Context, s site, a ask) (values, error) {
		c := newOpenAI(s, a.retries)
		var got openai.CreateEmbeddingResponse
		body := map[string]any{"model": a.model, "messages": chatParams(a).Messages}
		if len(a.said) == 0 {
			body["messages"] = []string{}
		}
		if err := c.Post(ctx, "embeddings", body, &got); err != nil {
			return values{}, err
		}
		return embeddingValues(&got), nil
	},
}

var openAIModerations = valuer{
	client: openAI("moderations", silent), gives: "verdicts",
	ask: func(ctx context.Context, s site, a ask) (values, error) {
		c := newOpenAI(s, a.retries)
		got, err := c.Moderations.New(ctx, openai.ModerationNewParams{
			Model: a.model, Input: openai.ModerationNewParamsInputUnion{OfStringArray: a.said},
		})
		if err != nil {
			return values{}, err
		}
		var v values
		for _, r := range got.Results {
			v.verdicts = append(v.verdicts, r.Flagged)
			v.scores = append(v.scores, max(r.CategoryScores.Violence, r.CategoryScores.Hate))
		}
		return v, nil
	},
}
