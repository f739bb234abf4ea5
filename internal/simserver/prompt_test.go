package simserver

// The server counts as the tokenizer that it is given, prompts and replies.

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"assay/internal/tokenizer"
)

func family(t *testing.T, name string) *tokenizer.Tokenizer {
	t.Helper()
	data, err := os.ReadFile("../tokenizer/testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	tok, err := tokenizer.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// said is a whole answer.
type said struct {
	Choices []struct {
		Text    string
		Message struct{ Content string }
	}
	Usage struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
	}
}

func answered(t *testing.T, address, path, body string) said {
	t.Helper()
	status, answer, _ := post(t, address, path, body)
	var s said
	if err := json.Unmarshal([]byte(answer), &s); err != nil || status != 200 || len(s.Choices) != 1 {
		t.Fatalf("%s: %d %s (%v)", body, status, answer, err)
	}
	return s
}

// The ids of "Hello, world" and its like were made by another library: the
// lengths that are wanted come from cases.json beside the vocabularies.
func TestPromptsAndRepliesAreCountedByTheTokenizer(t *testing.T) {
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
	tok := family(t, "llama3")
	_, address := start(t, Config{Preset: "null", Tokenizer: tok, Set: map[string]string{"template_tokens": "7"}})
	checked := 0
	for i, text := range reference.Texts {
		if len(text) < 40 || checked == 20 {
			continue
		}
		checked++
		quoted, _ := json.Marshal(text) // a string
		want := len(reference.Ids["llama3"][i])
		if got := answered(t, address, "/v1/completions", fmt.Sprintf(`{"prompt":%s,"max_tokens":3}`, quoted)); got.Usage.Prompt != want {
			t.Errorf("%q: a prompt of %d tokens, want %d", text, got.Usage.Prompt, want)
		}
		got := answered(t, address, "/v1/chat/completions", fmt.Sprintf(`{"messages":[{"role":"user","content":%s},{"role":"user","content":%s}],"max_tokens":20}`, quoted, quoted))
		if got.Usage.Prompt != 2*want+7 {
			t.Errorf("%q twice: a chat of %d tokens, want %d and 7 of the template", text, got.Usage.Prompt, 2*want)
		}
		// The reply's first word has no space before it here, and is told apart.
		reply := got.Choices[0].Message.Content
		if n := tok.Count("the "+reply) - tok.Count("the"); n != 20 || got.Usage.Completion != 20 {
			t.Errorf("the reply %q has %d tokens and says %d, want 20", reply, n, got.Usage.Completion)
		}
	}
	if checked < 10 {
		t.Errorf("%d texts were sent: the reference was not understood", checked)
	}
}

func TestWithoutATokenizerTheTemplateComesOnTopOfTheWords(t *testing.T) {
	_, address := start(t, Config{Preset: "null", Set: map[string]string{"template_tokens": "4"}})
	if got := answered(t, address, "/v1/chat/completions", `{"messages":[{"content":"one two"},{"content":"three"}],"max_tokens":2}`); got.Usage.Prompt != 3+4 {
		t.Errorf("%d tokens, want 3 words and 4 of the template", got.Usage.Prompt)
	}
	if got := answered(t, address, "/v1/completions", `{"prompt":"one two","max_tokens":2}`); got.Usage.Prompt != 2 {
		t.Errorf("%d tokens, want 2: a plain prompt has no template", got.Usage.Prompt)
	}
}

// Blocks are of tokens: two prompts that share 60 words share as many whole
// blocks as their common tokens fill.
func TestBlocksOfTheCacheAreOfTheTokenizersTokens(t *testing.T) {
	tok := family(t, "gpt2")
	_, address := start(t, Config{Preset: "h100-8b", Tokenizer: tok})
	common := strings.TrimSpace(strings.Repeat(" gold", 60))
	first, second := common+strings.Repeat(" silver", 40), common+strings.Repeat(" lead", 40)
	post(t, address, "/v1/completions", streamOf(first, 3))
	shared := 0
	a, b := tok.Encode(first), tok.Encode(second)
	for shared < min(len(a), len(b)) && a[shared] == b[shared] {
		shared++
	}
	if want := shared / 16 * 16; want == 60/16*16 {
		t.Fatalf("%d common tokens: words and tokens can't be told apart", shared)
	}
	_, body, _ := post(t, address, "/v1/completions", streamOf(second, 3))
	if want := fmt.Sprintf(`"cached_tokens":%d`, shared/16*16); !strings.Contains(body, want) {
		t.Errorf("the usage of %s lacks %s", body, want)
	}
}
