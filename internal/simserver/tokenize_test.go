package simserver

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// The ids were made by another library: cases.json beside the vocabularies.
func TestTextsAreCountedOnRequestAsVLLMDoes(t *testing.T) {
	data, err := os.ReadFile("../tokenizer/testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var reference struct {
		Texts []string
		Ids   map[string][][]int32
	}
	if err := json.Unmarshal(data, &reference); err != nil {
		t.Fatal(err)
	}
	_, address := start(t, Config{Preset: "fixed", Tokenizer: family(t, "llama3"), Models: []string{"m"}, APIKey: "k"})
	tokenize := func(body string, headers ...string) (status int, count int, tokens []int32, answer string) {
		status, answer, _ = post(t, address, "/tokenize", body, headers...)
		var said struct {
			Count  int
			Tokens []int32
		}
		if err := json.Unmarshal([]byte(answer), &said); err != nil {
			t.Fatalf("%s: %s", body, answer)
		}
		return status, said.Count, said.Tokens, answer
	}
	key := []string{"Authorization", "Bearer k"}
	for i, text := range reference.Texts[:20] {
		body, err := json.Marshal(map[string]any{"model": "m", "prompt": text, "add_special_tokens": false})
		if err != nil {
			t.Fatal(err)
		}
		status, count, tokens, answer := tokenize(string(body), key...)
		if want := reference.Ids["llama3"][i]; status != 200 || count != len(want) || !slices.Equal(tokens, want) {
			t.Errorf("%q: %d %s, want %v", text, status, answer, want)
		}
	}
	for body, want := range map[string]string{
		`{"model":"m"}`:              "prompt: Field required",
		`{"prompt":["a"]}`:           "prompt",
		`{"model":"n","prompt":"a"}`: "the model `n` does not exist",
	} {
		if status, _, _, answer := tokenize(body, key...); status/100 != 4 || !strings.Contains(answer, want) {
			t.Errorf("%s: %d %s, want a refusal with %q", body, status, answer, want)
		}
	}
	if status, _, _, _ := tokenize(`{"prompt":"a"}`); status != 401 {
		t.Errorf("without a key: %d, want 401", status)
	}
	if status, _, _ := get(t, address, "/tokenize"); status != 405 {
		t.Errorf("GET: %d, want 405", status)
	}
	_, words := start(t, Config{Preset: "fixed"})
	if _, answer, _ := post(t, words, "/tokenize", `{"prompt":"weigh it  again 漢字"}`); !strings.Contains(answer, `"count":5,`) {
		t.Errorf("words: %s, want 5", answer)
	}
}
