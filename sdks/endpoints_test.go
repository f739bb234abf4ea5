package sdks

import (
	"encoding/json"
	"os/exec"
	"slices"
	"testing"
)

// unproven are the endpoints that no client of another's making asks here, and why.
var unproven = map[string]string{
	"tei_rerank":          "Hugging Face's client has no ranking",
	"tei_predict":         "Hugging Face's client asks it for another answer: labels of one text in a list of lists",
	"sglang_generate":     "SGLang has no client without its server",
	"llamacpp_completion": "llama.cpp has no client but the page of its server",
	"triton_generate":     "NVIDIA's clients of Triton have no generate extension",
	"kserve_http":         "a client is NVIDIA's tritonclient for Python, which is not tried here",
	"nim_image_retrieval": "NVIDIA has no client of it",
	"solido_rag":          "Solido has no client",
	"nim_rankings":        "NVIDIA has no client but one of LangChain",
	"vllm_pooling":        "vLLM has no client; its examples send the request by hand",
	"vllm_score":          "vLLM has no client; its examples send the request by hand",
	"vllm_classify":       "vLLM has no client; its examples send the request by hand",
}

func TestEveryEndpointHasAClientOrAReason(t *testing.T) {
	out, err := exec.Command(*binary, "endpoints", "--json").Output()
	if err != nil {
		t.Fatalf("%v: `make build` makes %s", err, *binary)
	}
	var list []struct{ Name string }
	if err := json.Unmarshal(out, &list); err != nil {
		t.Fatal(err)
	}
	var known, proven []string
	for _, e := range list {
		known = append(known, e.Name)
	}
	for _, c := range callers() {
		if proven = append(proven, c.endpoint); !slices.Contains(known, c.endpoint) {
			t.Errorf("there is a client of %s, which is no endpoint", c.endpoint)
		}
	}
	for _, name := range known {
		if reason, listed := unproven[name]; slices.Contains(proven, name) == listed || listed && reason == "" {
			t.Errorf("%s has a client: %t, and is listed as having none: %t", name, slices.Contains(proven, name), listed)
		}
	}
	for name := range unproven {
		if !slices.Contains(known, name) {
			t.Errorf("%s is listed as having no client, and is no endpoint", name)
		}
	}
}
