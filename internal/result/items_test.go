package result_test

import (
	"testing"

	"assay/internal/record"
	"assay/internal/result"

	"github.com/google/go-cmp/cmp"
)

const vectors = `
version: 1
name: vectors
target: {url: "http://127.0.0.1:8000", model: m, endpoint: embeddings}
traffic: {rate: 20/s, duration: 20s, warmup: 2s}
workload: {input_tokens: 100, batch: 4}
slo: [latency p90 < 240ms, embedding_rate > 40/s]
`

func TestAnswersThatAreNoTextAreCountedInWhatTheyAre(t *testing.T) {
	c := load(t, vectors)
	list := server(c, 80*ms, 0, 0)
	start, end := int64(*c.Streams[0].Traffic.Warmup), int64(c.Streams[0].Traffic.Duration)+int64(*c.Streams[0].Traffic.Warmup)
	var count, inside int64
	for i := range list {
		r := &list[i]
		r.Streamed, r.Endpoint, r.Items = false, "embeddings", 4
		r.Events = []record.Event{record.NewEvent(r.First, r.First, record.Values, 0, true)}
		r.Last, r.Ended = r.First, r.First
		r.Output, r.WantOutput, r.TokenSource = record.NoCount, record.NoCount, record.NoSource
		if r.Ended >= start && r.Ended < end {
			inside += 4
		}
		if r.Phase == record.Measured {
			count += 4
		}
	}
	r := build(t, c, list, machines(0.1))
	rate, mean := float64(inside)/20, 4.0
	if len(r.Items) != 1 {
		t.Fatalf("items are %+v, want those of one stream", r.Items)
	}
	want := result.Items{Stream: "main", Measure: "embeddings", Count: count, Mean: &mean, Rate: &rate, RateCI: r.Items[0].RateCI}
	if diff := cmp.Diff(want, r.Items[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if r.Rates.OutputToken != nil || r.Tokens.Output.Measured != 0 || r.Tokens.Input.Measured == 0 {
		t.Errorf("%v output tokens/s, %d in all, %d tokens in: want no output", r.Rates.OutputToken, r.Tokens.Output.Measured, r.Tokens.Input.Measured)
	}
	if _, has := r.By["output_tokens"]; has {
		t.Error("there are buckets of output tokens, and no output tokens")
	}
	for _, metric := range []string{"ttft_ms", "itl_ms", "tpot_ms", "decode_ms"} {
		if _, has := r.Metrics[metric]; has {
			t.Errorf("%s of answers that are no stream", metric)
		}
	}
	if r.Verdict.Status != result.Pass {
		t.Errorf("%s: %+v", r.Verdict.Status, r.Verdict)
	}
}

func TestTextHasNoItems(t *testing.T) {
	c := load(t, quick)
	if r := build(t, c, server(c, 80*ms, 10*ms, 0), machines(0.1)); len(r.Items) > 0 || r.Rates.OutputToken == nil {
		t.Errorf("items %+v, %v tokens/s", r.Items, r.Rates.OutputToken)
	}
}
