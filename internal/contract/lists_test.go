package contract

import (
	"fmt"
	"strings"
	"testing"
)

func listsFile(endpoint, rest string) string {
	return fmt.Sprintf("target: {simulate: fixed, endpoint: %s}\ntraffic: {rate: 1/s}\n%s\n", endpoint, rest)
}

func TestListsHaveDefaultsWhereTheEndpointTakesThem(t *testing.T) {
	const bound = "slo: [latency p99 < 1s]\n"
	for _, c := range []struct{ endpoint, rest, want string }{
		{"embeddings", bound, "  input_tokens: normal(550, 150)\n  batch: 1\n"},
		{"embeddings", bound + "workload: {batch: \"uniform(1, 32)\", input_tokens: 100}", "  input_tokens: 100\n  batch: uniform(1, 32)\n"},
		{"jina_rerank", bound, "  input_tokens: 32\n  documents:\n    count: 10\n    tokens: 128\n"},
		{"nim_rankings", bound + "workload: {documents: {count: 5}, input_tokens: 9}", "  input_tokens: 9\n  documents:\n    count: 5\n    tokens: 128\n"},
		{"chat_embeddings", bound + "workload: {images: {}}", "  batch: 1\n"},
		{"nim_image_retrieval", bound, "  images:\n    count: 1\n    width: 512\n"},
	} {
		canonical := string(canonicalOf(t, resolved(t, listsFile(c.endpoint, c.rest))))
		if !strings.Contains(canonical, c.want) || strings.Contains(canonical, "output_tokens") {
			t.Errorf("%s, %s: want\n%sand no output in\n%s", c.endpoint, c.rest, c.want, canonical)
		}
		if again := string(canonicalOf(t, resolved(t, canonical))); again != canonical {
			t.Errorf("%s: resolved again it is\n%s", c.endpoint, again)
		}
	}
	if canonical := string(canonicalOf(t, resolved(t, listsFile("chat", "")))); strings.Contains(canonical, "batch") || strings.Contains(canonical, "documents") {
		t.Errorf("lists that a chat can't have:\n%s", canonical)
	}
}

func TestWhatAnEndpointWithoutTextCannotHaveIsRefused(t *testing.T) {
	const bound = "slo: [latency p99 < 1s]\n"
	for _, c := range []struct{ endpoint, rest, want string }{
		{"chat", "workload: {batch: 2}", "3:19: workload.batch: can't be sent: chat takes one text"},
		{"chat", "workload: {documents: {count: 2}}", "workload.documents: can't be sent: chat compares nothing"},
		{"embeddings", bound + "workload: {documents: {}}", "workload.documents: can't be sent: embeddings compares nothing"},
		{"embeddings", bound + "workload: {output_tokens: 5}", "workload.output_tokens: can't be had: embeddings answers a request with embeddings, which have no tokens"},
		{"embeddings", bound + "workload: {batch: 5000}", "workload.batch: 5000 is not between 1 and 2048"},
		{"embeddings", bound + "workload: {batch: 2, prompts: p.jsonl}", "workload.batch: can't be had: each line of the file is a request"},
		{"embeddings", bound + "workload: {batch: 2, input_tokens: 200, prefix: {shared: 100}}", "workload.prefix: can't be had: the texts of a batch"},
		{"chat_embeddings", bound + "workload: {batch: 2}", "workload.batch: can't be sent: chat_embeddings takes one text"},
		{"nim_image_retrieval", bound + "workload: {input_tokens: 5}", "workload.input_tokens: can't be had: nim_image_retrieval takes no words"},
		{"jina_rerank", bound + "workload: {prompts: p.jsonl}", "workload.prompts: has no documents, which jina_rerank wants"},
		{"jina_rerank", bound + "workload: {documents: {count: 0}}", "workload.documents.count"},
		{"jina_rerank", bound + "workload: {batch: 2}", "workload.batch: can't be sent: jina_rerank takes one text"},
		{"embeddings", "", "slo: is missing: no default objective"},
		{"embeddings", "slo: [ttft p50 < 1s]", `"ttft p50 < 1s" can't be had: the answers are not streamed`},
		{"embeddings", "slo: [output_token_rate > 5/s]", "can't be had: the endpoint embeddings answers with embeddings, which have no tokens"},
		{"embeddings", "slo: [document_rate > 5/s]", "can't be had: the endpoint embeddings is not measured in documents"},
		{"chat", "slo: [embedding_rate > 5/s]", "can't be had: the endpoint chat is not measured in embeddings"},
		{"embeddings", "slo: [embedding_rate > 5/s, error_rate < 1%]", ""},
	} {
		k, err := Load("c.yaml", []byte(listsFile(c.endpoint, c.rest)))
		if err == nil {
			err = k.Resolve()
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s, %s: %v, want %q", c.endpoint, c.rest, err, c.want)
		}
	}
}

func TestTheHintNamesTheRateThatTheEndpointHas(t *testing.T) {
	k, err := Load("c.yaml", []byte(listsFile("embeddings", "slo: [ttft p50 < 1s]")))
	if err != nil {
		t.Fatal(err)
	}
	err = k.Resolve()
	if e, ok := err.(*Error); !ok || e.Hint != "bound latency or embedding_rate" {
		t.Errorf("%+v, want a hint at latency and embedding_rate", err)
	}
}
