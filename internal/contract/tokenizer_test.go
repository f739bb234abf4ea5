package contract

import (
	"fmt"
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

func TestTheServersTokenizerCountsNoPromptsOfAFile(t *testing.T) {
	const text = "target: {simulate: fixed}\ntraffic: {rate: 1/s}\nworkload: {tokenizer: server%s}\n"
	for _, file := range []string{", prompts: p.jsonl", ", file: f.csv"} {
		c, err := Load("c.yaml", []byte(strings.Replace(text, "%s", file, 1)))
		if err == nil {
			err = c.Resolve()
		}
		if err == nil || !strings.Contains(err.Error(), "workload.tokenizer") || !strings.Contains(err.Error(), "texts of Assay's own") || !strings.Contains(err.Error(), "c.yaml:3:23") {
			t.Errorf("%s: %v, want a refusal and its place", file, err)
		}
	}
	plain := resolved(t, strings.Replace(text, "%s", ", template_tokens: 3", 1))
	if got := plain.Streams[0].Workload.Tokenizer; got != ServerTokenizer {
		t.Errorf("tokenizer %q, want it as it was written", got)
	}
}

func TestATemplateThatCannotBeTakenOffThePromptsIsRefused(t *testing.T) {
	const text = "target: {simulate: fixed}\ntraffic: {rate: 1/s}\nworkload: {%s}\n"
	for settings, want := range map[string]string{
		"template_tokens: 7":                                                        "are a tokenizer's, and words are counted",
		"tokenizer: a/b, template_tokens: -1":                                       "no number of tokens that a server adds",
		"tokenizer: a/b, template_tokens: 7, input_tokens: 7":                       "leave nothing of prompts of 7 tokens",
		"tokenizer: a/b, template_tokens: 7, input_tokens: 8":                       "",
		"tokenizer: a/b, template_tokens: 0, input_tokens: 1":                       "",
		"tokenizer: a/b, template_tokens: 600, input_tokens: 'lognormal(550, 150)'": "",
	} {
		c, err := Load("c.yaml", fmt.Appendf(nil, text, settings))
		if err == nil {
			err = c.Resolve()
		}
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v, want none", settings, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "c.yaml:3:")):
			t.Errorf("%s: %v, want %q and its place", settings, err, want)
		}
	}
}

// Off and measured are two things: 0 has to come through the canonical form.
func TestATemplateThatIsTurnedOffStaysOff(t *testing.T) {
	const text = "target: {simulate: fixed}\ntraffic: {rate: 1/s}\nworkload: {tokenizer: a/b%s}\n"
	off, measured := resolved(t, fmt.Sprintf(text, ", template_tokens: 0")), resolved(t, fmt.Sprintf(text, ""))
	canonical, err := off.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	again := resolved(t, string(canonical))
	if n := again.Streams[0].Workload.TemplateTokens; n == nil || *n != 0 {
		t.Errorf("the template is %v once it is written and read, want 0", n)
	}
	if n := measured.Streams[0].Workload.TemplateTokens; n != nil || off.Digest() == measured.Digest() {
		t.Errorf("a template that nobody states is %v and has the digest of one that is off", n)
	}
}
