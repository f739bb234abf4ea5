package contract

import (
	"strings"
	"testing"
)

func TestWordsAreTheTokenizerThatIsNotWrittenOut(t *testing.T) {
	const text = "target: {simulate: fixed}\ntraffic: {rate: 1/s}\nworkload: {input_tokens: 9"
	plain, said := resolved(t, text+"}\n"), resolved(t, text+", tokenizer: words}\n")
	if got := said.Streams[0].Workload.Tokenizer; got != "" {
		t.Errorf("tokenizer: words is kept as %q, want the default", got)
	}
	if plain.Digest() != said.Digest() {
		t.Error("a default that is written has another digest")
	}
	other := resolved(t, text+", tokenizer: Qwen/Qwen3-8B}\n")
	if got := other.Streams[0].Workload.Tokenizer; got != "Qwen/Qwen3-8B" || other.Digest() == plain.Digest() {
		t.Errorf("tokenizer %q has the digest of another", got)
	}
}

func TestTheModelsTokenizerNeedsAModel(t *testing.T) {
	const text = "target: {simulate: fixed%s}\ntraffic: {rate: 1/s}\nworkload: {tokenizer: model}\n"
	c, err := Load("c.yaml", []byte(strings.Replace(text, "%s", "", 1)))
	if err != nil {
		t.Fatal(err)
	}
	err = c.Resolve()
	if err == nil || !strings.Contains(err.Error(), "workload.tokenizer") || !strings.Contains(err.Error(), "no model is named") || !strings.Contains(err.Error(), "c.yaml:3:23") {
		t.Errorf("Resolve = %v, want the place and what is missing", err)
	}
	named := resolved(t, strings.Replace(text, "%s", ", model: Qwen/Qwen3-8B", 1))
	if got := named.Streams[0].Workload.Tokenizer; got != ModelTokenizer {
		t.Errorf("tokenizer %q, want it as it was written", got)
	}
}
