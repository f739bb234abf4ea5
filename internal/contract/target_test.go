package contract

import (
	"strings"
	"testing"
)

func TestTheEmbeddedServerNeedsNoTraffic(t *testing.T) {
	if c := resolved(t, "target: {simulate: fixed}\ntraffic: {requests: 20}\n"); c.Streams[0].Traffic.Rate != 10 {
		t.Errorf("the rate is %v, want 10/s", c.Streams[0].Traffic.Rate)
	}
	if c := resolved(t, "target: {simulate: fixed}\ntraffic: {concurrency: 3}\n"); c.Streams[0].Traffic.Rate != 0 {
		t.Errorf("beside a concurrency the rate is %v, want none", c.Streams[0].Traffic.Rate)
	}
}

func TestAnotherToolsNameIsTheEndpointsOwn(t *testing.T) {
	c := resolved(t, "target: {url: http://h, endpoint: huggingface_generate}\ntraffic: {rate: 1/s}\n")
	if got := c.Streams[0].Target.Endpoint; got != "tgi_generate" {
		t.Errorf("the endpoint is %q, want tgi_generate", got)
	}
}

func TestAFullPathMayBeThatOfSeveralEndpoints(t *testing.T) {
	for _, endpoint := range []string{"tgi_generate", "sglang_generate"} {
		resolved(t, "target: {url: http://h/generate, endpoint: "+endpoint+"}\ntraffic: {rate: 1/s}\n")
	}
}

func TestHowAKeyIsSentIsWrittenInOneWay(t *testing.T) {
	c := resolved(t, "target: {url: http://h, api_key_env: KEY, auth: ' header  api-key', query: {api-version: 2024-10-21, sig: '${SIG}'}}\ntraffic: {rate: 1/s}\n")
	if got := c.Streams[0].Target; got.Auth != "header api-key" || got.Query["api-version"] != "2024-10-21" || got.Query["sig"] != "${SIG}" {
		t.Errorf("the target is %+v", got)
	}
}

func TestWhatATargetCantSayIsRefused(t *testing.T) {
	for target, want := range map[string]string{
		"auth: basic":                                                      `"basic" is no way to send a key`,
		"query: {api_key: abc}":                                            "holds a secret",
		"query: {a: sk-abcdefghijklmnop}":                                  "holds a secret",
		"endpoint: gemini, extra: {contents: []}":                          "target.extra.contents: is written by assay itself",
		"endpoint: ollama_chat, extra: {options: {num_predict: 3}}":        "target.extra.options.num_predict: is written by assay itself",
		"endpoint: triton_generate, body_limit: parameters.max_new_tokens": "is no output limit of triton_generate",
	} {
		c, err := Load("c.yaml", []byte("target: {url: http://h, "+target+"}\ntraffic: {rate: 1/s}\n"))
		if err == nil {
			err = c.Resolve()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", target, err, want)
		}
	}
	resolved(t, "target: {url: http://h, endpoint: ollama_chat, extra: {options: {temperature: 0}}}\ntraffic: {rate: 1/s}\n")
}
