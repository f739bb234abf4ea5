package report

import (
	"testing"

	"assay/internal/result"
)

func TestAnswersThatAreNoTextHaveARateAndNoTokensOut(t *testing.T) {
	r := settled()
	r.Rates.OutputToken = nil
	r.Tokens.Output, r.Tokens.Source = result.OutputTokens{}, "none"
	r.Lengths.Output = result.Length{}
	r.Metrics = map[string]result.Metric{"latency_ms": r.Metrics["ttft_ms"]}
	r.Items = []result.Items{{Stream: "main", Measure: "embeddings", Count: 3296, Mean: ptr(8), Rate: ptr(164.8)}}
	golden(t, "items", r, Options{})
}
