// A file that is damaged, or that asks for what this package can't do, is
// refused with the part that is to blame: other ids without a word are worse.
package tokenizer

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// edited is a tokenizer.json of the test data with one value replaced; the
// path is that of keys, and a nil value removes the key.
func edited(t testing.TB, name string, value any, path ...string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var whole map[string]any
	if err := json.Unmarshal(data, &whole); err != nil {
		t.Fatal(err)
	}
	table := whole
	for _, key := range path[:len(path)-1] {
		table = table[key].(map[string]any)
	}
	if last := path[len(path)-1]; value == nil {
		delete(table, last)
	} else {
		table[last] = value
	}
	out, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

type table = map[string]any

func TestAFileThatCannotBeHonouredIsRefusedAndTheReasonNamesThePart(t *testing.T) {
	step := func(kind string, more table) table {
		if more == nil {
			more = table{}
		}
		more["type"] = kind
		return more
	}
	for _, c := range []struct {
		file  string
		value any
		path  string
		want  string
	}{
		{"gpt2", nil, "model", "no model"},
		{"gpt2", "Unigram", "model.type", "ByteLevel before a Unigram model is not supported"},
		{"gpt2", "WordPiece", "model.type", `model type "WordPiece" is not supported: BPE and Unigram are`},
		{"t5", nil, "model.unk_id", "a token for what is unknown"},
		{"t5", -1, "model.unk_id", "a token for what is unknown"},
		{"t5", 100000, "model.unk_id", "a token for what is unknown"},
		{"t5", table{"a": 1}, "model.vocab", "model.vocab"},
		{"t5", []any{[]any{"a", 0.5, 1}}, "model.vocab", "is not a token and its score"},
		{"t5", []any{[]any{"a", nil}}, "model.vocab", "is not a token and its score"},
		{"t5", []any{[]any{"a"}}, "model.vocab", "is not a token and its score"},
		{"t5", []any{[]any{0.5, "a"}}, "model.vocab", "model.vocab"},
		{"t5", "AAA", "normalizer.precompiled_charsmap", "base64"},
		{"t5", "AAAA", "normalizer.precompiled_charsmap", "the table is cut short"},
		{"t5", "BAAAAA==", "normalizer.precompiled_charsmap", "the table is damaged"},
		{"t5", "AAAAAA==", "normalizer.precompiled_charsmap", "the table is damaged"},
		{"t5", "BAAAAAAAAAD/", "normalizer.precompiled_charsmap", "the table is damaged"},
		{"gpt2", 0.1, "model.dropout", "dropout"},
		{"gpt2", "##", "model.continuing_subword_prefix", `continuing_subword_prefix "##"`},
		{"gpt2", "</w>", "model.end_of_word_suffix", `end_of_word_suffix "</w>"`},
		{"gpt2", nil, "model.vocab", "model.vocab"},
		{"gpt2", []any{"a"}, "model.vocab", "model.vocab"},
		{"gpt2", table{"a": -1}, "model.vocab", `"a" has the id -1`},
		{"gpt2", table{"a": 1.5}, "model.vocab", "model.vocab"},
		{"gpt2", []any{"Ġ"}, "model.merges", "is not two tokens"},
		{"gpt2", []any{"a b c"}, "model.merges", "is not two tokens"},
		{"gpt2", []any{[]any{"q", "zzz"}}, "model.merges", `"q" and "zzz"`},
		{"gpt2", []any{[]any{"q"}}, "model.merges", `"q" and ""`},
		{"gpt2", 7, "model.merges", "merges"},
		{"gpt2", "<nope>", "model.unk_token", `unk_token "<nope>"`},
		{"gpt2", step("BertPreTokenizer", nil), "pre_tokenizer", `pre_tokenizer "BertPreTokenizer" is not supported`},
		{"gpt2", step("Split", table{"behavior": "Isolated"}), "pre_tokenizer", "no pattern"},
		{"gpt2", step("Split", table{"behavior": "Odd", "pattern": table{"Regex": "a"}}), "pre_tokenizer", `behavior "Odd"`},
		{"gpt2", step("Split", table{"behavior": "Isolated", "pattern": table{"Regex": "(a"}}), "pre_tokenizer", `"(a"`},
		{"gpt2", step("Split", table{"behavior": "Isolated", "pattern": table{"Regex": `[\p{L}&&[^\p{Han}]]`}}), "pre_tokenizer", "&&"},
		{"gpt2", step("Split", table{"behavior": "Isolated", "pattern": table{"Regex": `\p{N}{1,3}+`}}), "pre_tokenizer", "{1,3}+"},
		{"gpt2", step("Sequence", table{"pretokenizers": []any{step("ByteLevel", nil), step("Digits", nil)}}), "pre_tokenizer", "Digits after ByteLevel"},
		{"gpt2", step("Nmt", nil), "normalizer", `normalizer "Nmt" is not supported`},
		{"gpt2", step("Sequence", table{"normalizers": []any{step("Lowercase", nil)}}), "normalizer", `"Lowercase"`},
		{"gpt2", step("Replace", table{"pattern": table{"Regex": " +"}}), "normalizer", "only a plain string and the expression"},
		{"gpt2", []any{table{"id": -5, "content": "x"}}, "added_tokens", `"x" has the id -5`},
		{"mistral", step("Metaspace", table{"replacement": "ab"}), "pre_tokenizer", `replacement "ab"`},
		{"mistral", step("Metaspace", table{"replacement": "▁", "prepend_scheme": "last"}), "pre_tokenizer", `prepend_scheme "last"`},
		{"mistral", step("ByteLevel", nil), "pre_tokenizer", "lacks the byte 0x"},
		{"metaspace", true, "model.byte_fallback", "lacks the byte <0x00>"},
	} {
		tok, err := Read(edited(t, c.file, c.value, strings.Split(c.path, ".")...))
		if err == nil || tok != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %s = %v: Read = %v, %v, want no tokenizer and %q", c.file, c.path, c.value, tok, err, c.want)
		}
	}
	for _, text := range []string{"", "{", "[]", `{"model": {"type": "BPE", "vocab": {}`, "version https://git-lfs.github.com/spec/v1\n"} {
		if tok, err := Read([]byte(text)); err == nil || tok != nil || !strings.Contains(err.Error(), "not a tokenizer.json") {
			t.Errorf("Read(%q) = %v, %v, want: not a tokenizer.json", text, tok, err)
		}
	}
}

func TestPartsThatDecideNoIDMayBeAnything(t *testing.T) {
	want := readTokenizer(t, "testdata/gpt2.json").Encode("The train was due.")
	for _, key := range []string{"post_processor", "decoder", "truncation", "padding", "something new"} {
		tok, err := Read(edited(t, "gpt2", table{"type": "New", "max_length": 2}, key))
		if err != nil {
			t.Errorf("%s: %v", key, err)
			continue
		}
		if got := tok.Encode("The train was due."); len(got) != len(want) {
			t.Errorf("%s: %v, want %v", key, got, want)
		}
	}
}

func TestMergesAreReadInBothForms(t *testing.T) {
	var pairs, lines mergeRules
	if err := json.Unmarshal([]byte(` [ ["a","b"], ["c d","e"]]`), &pairs); err != nil || len(pairs) != 2 || pairs[1] != [2]string{"c d", "e"} {
		t.Errorf("pairs = %q, %v", pairs, err)
	}
	if err := json.Unmarshal([]byte(`[ "a b", "c de"]`), &lines); err != nil || len(lines) != 2 || lines[1] != [2]string{"c", "de"} {
		t.Errorf("lines = %q, %v", lines, err)
	}
}
