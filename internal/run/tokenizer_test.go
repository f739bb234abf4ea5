package run

import (
	"errors"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"assay/internal/contract"
	"assay/internal/record"
	"assay/internal/tokenizer"
	"assay/internal/workload"
)

// vocabulary is one of the small ones that the tokenizer is tested with.
func vocabulary(t testing.TB, name string) []byte {
	t.Helper()
	if path.Ext(name) == "" {
		name += ".json"
	}
	data, err := os.ReadFile("../tokenizer/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// machine is a file system with tokenizers at some of the places where they may lie.
func machine(t testing.TB) fstest.MapFS {
	good := &fstest.MapFile{Data: vocabulary(t, "llama3")}
	files := fstest.MapFS{
		"models/llama/tokenizer.json":    good,
		"models/gguf/model.gguf":         {Data: []byte("GGUF")},
		"elsewhere/vocabulary.json":      {Data: vocabulary(t, "llama2")},
		"broken/tokenizer.json":          {Data: []byte(`{"model": {"ty`)},
		"t5/tokenizer.json":              {Data: []byte(`{"model": {"type": "Unigram", "vocab": [["a", 0]]}}`)},
		"odd/tokenizer.json":             {Data: vocabulary(t, "behaviors")},
		"hub/models--org--two/refs/main": {Data: []byte("bbb\n")},
	}
	for _, p := range []string{"org--one/snapshots/aaa", "org--two/snapshots/aaa", "org--two/snapshots/bbb", "org--three/snapshots/aaa", "org--three/snapshots/bbb", "plain/snapshots/aaa"} {
		files[path.Join("hub/models--"+p, "tokenizer.json")] = good
	}
	files["hub/models--org--none/snapshots/aaa/config.json"] = good
	ranks := &fstest.MapFile{Data: vocabulary(t, "ranks/small.cl100k_base.tiktoken")}
	for _, p := range []string{"ranks/mine.o200k_base.tiktoken", "ranks/qwen.tiktoken", "openai/mine.cl100k_base.tiktoken", o200kCached} {
		files[p] = ranks
	}
	return files
}

// o200kCached is where tiktoken keeps o200k_base: sha1sum of its address.
const o200kCached = "tik/fb374d419588a4632f3f557e76b4b70aebbca790"

func hub(name string) string {
	return map[string]string{"HF_HUB_CACHE": "hub", "TIKTOKEN_CACHE_DIR": "tik"}[name]
}

func TestATokenizerIsFoundByPathByFolderAndByNameInTheCache(t *testing.T) {
	files := machine(t)
	for asked, want := range map[string]string{
		"models/llama":                "models/llama/tokenizer.json",
		"models/llama/tokenizer.json": "models/llama/tokenizer.json",
		"elsewhere/vocabulary.json":   "elsewhere/vocabulary.json",
		"org/one":                     "hub/models--org--one/snapshots/aaa/tokenizer.json",
		"org/two":                     "hub/models--org--two/snapshots/bbb/tokenizer.json", // where main points
		"plain":                       "hub/models--plain/snapshots/aaa/tokenizer.json",
	} {
		if got, _, err := findTokenizer(asked, files, hub); err != nil || got != want {
			t.Errorf("findTokenizer(%s) = %q, %v, want %q", asked, got, err, want)
		}
	}
}

func TestAnEncodingIsFoundWhereTiktokenKeepsIt(t *testing.T) {
	files := machine(t)
	for asked, want := range map[string][2]string{
		"openai":                    {"openai/mine.cl100k_base.tiktoken", ""}, // the file says
		"ranks/qwen.tiktoken":       {"ranks/qwen.tiktoken", ""},
		"o200k_base":                {o200kCached, "o200k_base"},
		"o200k_harmony":             {o200kCached, "o200k_harmony"},
		"gpt-4o-2024-08-06":         {o200kCached, "o200k_base"},
		"models/llama":              {"models/llama/tokenizer.json", ""},
		"elsewhere/vocabulary.json": {"elsewhere/vocabulary.json", ""},
	} {
		path, e, err := findTokenizer(asked, files, hub)
		name := ""
		if e != nil {
			name = e.Name
		}
		if err != nil || path != want[0] || name != want[1] {
			t.Errorf("findTokenizer(%s) = %q, %q, %v, want %q", asked, path, name, err, want)
		}
	}
	for _, c := range []struct{ env, want string }{
		{"TIKTOKEN_CACHE_DIR=/a DATA_GYM_CACHE_DIR=/b HOME=/h", "/a"},
		{"DATA_GYM_CACHE_DIR=/b HOME=/h", "/b"},
		{"TMPDIR=/t XDG_CACHE_HOME=/x HOME=/h", "/t/data-gym-cache /x/tiktoken"},
		{"HOME=/h", "/tmp/data-gym-cache /h/.cache/tiktoken"},
		{"", "/tmp/data-gym-cache"},
	} {
		if got := strings.Join(rankCaches(environment(c.env)), " "); got != c.want {
			t.Errorf("with %q: %q, want %q", c.env, got, c.want)
		}
	}
}

// environment are variables, written NAME=VALUE.
func environment(pairs string) func(string) string {
	set := map[string]string{}
	for _, pair := range strings.Fields(pairs) {
		name, value, _ := strings.Cut(pair, "=")
		set[name] = value
	}
	return func(name string) string { return set[name] }
}

func TestATokenizerThatIsNotThereOrCannotBeReadIsAUsageErrorThatNamesIt(t *testing.T) {
	files := machine(t)
	for asked, want := range map[string]string{
		"models/gguf":            "the folder models/gguf holds no tokenizer.json",
		"./models/lama":          "there is no file or folder ./models/lama",
		"no/such.json":           "there is no file or folder no/such.json",
		"a/b/c":                  "there is no file or folder a/b/c",
		"org/four":               "no model of that name in hub",
		"org/none":               "the model org/none in hub has no tokenizer.json",
		"org/three":              "has 2 revisions: name the path of one, such as hub/models--org--three/snapshots/aaa/tokenizer.json",
		"broken":                 "broken/tokenizer.json: not a tokenizer.json: unexpected end of JSON input",
		"t5":                     `t5/tokenizer.json: model.unk_id: a Unigram model is read only with a token for what is unknown`,
		"odd":                    "prompts of an exact length can't be made",
		"models/gguf/model.gguf": "models/gguf/model.gguf: not a tokenizer.json",
		"ranks/qwen.tiktoken":    "ranks/qwen.tiktoken: the file does not tell how a text is split: rename it",
		"ranks/none.tiktoken":    "there is no file or folder ranks/none.tiktoken",
		"ranks":                  "the folder ranks holds 2 files of ranks: name one, such as ranks/mine.o200k_base.tiktoken",
		"o200k_base":             "fb374d419588a4632f3f557e76b4b70aebbca790: this is not o200k_base.tiktoken, or it is damaged: its SHA-256 is",
		"gpt-4":                  "there is no file or folder gpt-4 (cl100k_base), and tiktoken's cache (tik) has no 9b5ad71b2ce5302211f9c61530b329a4922fc6a4 of cl100k_base.tiktoken",
	} {
		_, err := newSource(tokenized(asked), 1, files, hub)
		var h *HintError
		if !errors.As(err, &h) || h.Code != ExitUsage || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "stream main: workload") {
			t.Errorf("%s: %v, want a usage error with %q", asked, err, want)
		}
	}
	_, _, err := findTokenizer("org/one", files, func(string) string { return "" })
	if err == nil || !strings.Contains(err.Error(), "no home folder") {
		t.Errorf("without a home: %v", err)
	}
}

func TestALargeFileIsNotTakenForATokenizer(t *testing.T) {
	name := t.TempDir() + "/weights.safetensors"
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, largest+1); err != nil { // takes no room
		t.Fatal(err)
	}
	_, err := newSource(tokenized(name), 1, OSFiles{}, hub)
	if err == nil || !strings.Contains(err.Error(), "it has 256 MB") {
		t.Errorf("%v, want its size", err)
	}
}

func TestTheCacheIsWhereHuggingFacesToolsPutIt(t *testing.T) {
	for _, c := range []struct{ env, want string }{
		{"HF_HUB_CACHE=/a HF_HOME=/b HOME=/h", "/a"},
		{"HF_HOME=/b XDG_CACHE_HOME=/x HOME=/h", "/b/hub"},
		{"XDG_CACHE_HOME=/x HOME=/h", "/x/huggingface/hub"},
		{"HOME=/h", "/h/.cache/huggingface/hub"},
		{"USERPROFILE=/u", "/u/.cache/huggingface/hub"},
		{"", ""},
	} {
		if got := hubCache(environment(c.env)); got != c.want {
			t.Errorf("with %q: %q, want %q", c.env, got, c.want)
		}
	}
}

// tokenized is a stream with prompts of 550 tokens.
func tokenized(name string) *contract.Stream {
	length := workload.Length{Law: "constant", A: 550}
	return &contract.Stream{Name: "main", Workload: workload.Spec{InputTokens: length, OutputTokens: length, Tokenizer: name}}
}

func TestAStreamSendsPromptsOfExactlyTheTokensOfItsTokenizer(t *testing.T) {
	files := machine(t)
	llama, err := tokenizer.Read(vocabulary(t, "llama3"))
	if err != nil {
		t.Fatal(err)
	}
	byModel := tokenized(contract.ModelTokenizer)
	byModel.Target.Model = "org/one"
	for _, s := range []*contract.Stream{tokenized("models/llama"), byModel} {
		s.Target.Endpoint = "chat"
		l, err := newLine(s, 1, []string{"http://127.0.0.1:1/v1/chat/completions"}, "run", files, hub)
		if err != nil {
			t.Fatal(err)
		}
		for n := range uint64(20) {
			r := l.source.Request(n)
			if got := llama.Count(r.Prompt); got != 550 || r.InputTokens != 550 {
				t.Errorf("request %d has %d tokens and says %d, want 550", n, got, r.InputTokens)
			}
		}
		if got := l.dispatchStream(nil).InputSource; got != record.FromTokenizer {
			t.Errorf("its counts are by %v, want the tokenizer", got)
		}
	}
	words := tokenized("")
	words.Target.Endpoint = "chat"
	l, err := newLine(words, 1, nil, "run", files, hub)
	if err != nil {
		t.Fatal(err)
	}
	if got := l.dispatchStream(nil).InputSource; got != record.FromWords {
		t.Errorf("without a tokenizer counts are by %v, want words", got)
	}
}

func TestPromptsOfAFileAreCountedByTheTokenizer(t *testing.T) {
	files := machine(t)
	files["p.jsonl"] = &fstest.MapFile{Data: []byte(`{"text": "The lighthouse keeper wrote down the weather"}` + "\n")}
	s := tokenized("models/llama")
	s.Workload.InputTokens, s.Workload.Prompts = workload.Length{}, "p.jsonl"
	source, err := newSource(s, 1, files, hub)
	if err != nil {
		t.Fatal(err)
	}
	llama, err := tokenizer.Read(vocabulary(t, "llama3"))
	if err != nil {
		t.Fatal(err)
	}
	want := len(llama.Encode("The lighthouse keeper wrote down the weather"))
	if in, _ := source.Lengths(0); in != want || want == 7 { // 7 words
		t.Errorf("%d tokens, want %d", in, want)
	}
}
