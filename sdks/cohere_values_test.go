package sdks

import (
	"context"

	cohere "github.com/cohere-ai/cohere-go/v2"
	v1 "github.com/cohere-ai/cohere-go/v2/client"
	"github.com/cohere-ai/cohere-go/v2/option"
)

var cohereEmbed = valuer{
	client: client{endpoint: "cohere_embed", cannot: silent, failure: cohereFailure}, gives: "vectors", counts: true,
	ask: func(ctx context.Context, s site, a ask) (values, error) {
		got, err := newCohere(s).Embed(ctx, &cohere.V2EmbedRequest{
			Model: a.model, Texts: a.said,
			InputType: cohere.EmbedInputTypeSearchDocument, EmbeddingTypes: []cohere.EmbeddingType{cohere.EmbeddingTypeFloat},
		})
		if err != nil {
			return values{}, err
		}
		return values{vectors: got.Embeddings.Float, input: int64(*got.Meta.BilledUnits.InputTokens)}, nil
	},
}

var cohereRerank = valuer{
	client: client{endpoint: "cohere_rerank", cannot: silent, failure: cohereFailure}, gives: "ranks",
	ask: func(ctx context.Context, s site, a ask) (values, error) {
		query, documents := queryOf(a)
		got, err := newCohere(s).Rerank(ctx, &cohere.V2RerankRequest{Model: a.model, Query: query, Documents: documents, TopN: atMost(a.limit)})
		if err != nil {
			return values{}, err
		}
		var v values
		for _, r := range got.Results {
			v.order, v.scores = append(v.order, r.Index), append(v.scores, r.RelevanceScore)
		}
		return v, nil
	},
}

// cohereRerankOfJina: Jina has no client of its own for Go, and Cohere's of
// version 1 has the same path and the same answer.
var cohereRerankOfJina = valuer{
	client: client{endpoint: "jina_rerank", cannot: silent, failure: cohereFailure}, gives: "ranks",
	ask: func(ctx context.Context, s site, a ask) (values, error) {
		c := v1.NewClient(option.WithBaseURL(s.url), option.WithToken(s.key), option.WithHTTPClient(s.client()), option.WithMaxAttempts(1))
		query, texts := queryOf(a)
		documents := []*cohere.RerankRequestDocumentsItem{}
		for _, text := range texts {
			documents = append(documents, &cohere.RerankRequestDocumentsItem{String: text})
		}
		got, err := c.Rerank(ctx, &cohere.RerankRequest{Model: &a.model, Query: query, Documents: documents, TopN: atMost(a.limit)})
		if err != nil {
			return values{}, err
		}
		var v values
		for _, r := range got.Results {
			v.order, v.scores = append(v.order, r.Index), append(v.scores, r.RelevanceScore)
		}
		return v, nil
	},
}

// queryOf: the first text is what the others are compared with.
func queryOf(a ask) (query string, documents []string) {
	if len(a.said) == 0 {
		return "what", nil
	}
	return a.said[0], a.said[1:]
}
