// Any text comes back from its ids, and no file, however odd, ends the program.
package tokenizer

import (
	"encoding/json"
	"testing"
)

// spelled are the bytes of each id of a vocabulary of bytes, read afresh from
// the file.
func spelled(t testing.TB, data []byte) map[int32]string {
	t.Helper()
	var f struct {
		Model struct {
			Vocab map[string]int32 `json:"vocab"`
		} `json:"model"`
	}
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	// GPT-2's letters, counted out by hand: the controls, the space and DEL to
	// U+00A0 are the first 67 behind U+00FF, the soft hyphen is the last.
	of := map[rune]byte{}
	for r := rune(0); r < 256; r++ {
		switch {
		case r <= ' ':
			of[0x100+r] = byte(r)
		case r >= 0x7f && r <= 0xa0:
			of[0x100+33+r-0x7f] = byte(r)
		case r == 0xad:
			of[0x143] = byte(r)
		default:
			of[r] = byte(r)
		}
	}
	out := map[int32]string{}
	for token, id := range f.Model.Vocab {
		var b []byte
		for _, r := range token {
			b = append(b, of[r])
		}
		out[id] = string(b)
	}
	return out
}

func FuzzEveryTextComesBackFromItsIDs(f *testing.F) {
	type vocabulary struct {
		name  string
		tok   *Tokenizer
		bytes map[int32]string
	}
	var all []vocabulary
	for _, name := range []string{"gpt2", "llama3", "o200k", "deepseek", "starcoder", "behaviors"} {
		data := edited(f, name, nil, "added_tokens") // some of them swallow the spaces around
		tok, err := Read(data)
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, vocabulary{name, tok, spelled(f, data)})
	}
	for _, text := range []string{"", " ", "Hello, world's 123 \n\n x", "\xff\xfe\x00", "漢字🙂e\u0301", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, v := range all {
			got := ""
			for _, id := range v.tok.Encode(text) {
				got += v.bytes[id]
			}
			if got != text {
				t.Errorf("%s: the ids of %q spell %q", v.name, text, got)
			}
		}
	})
}

func FuzzNoFileEndsTheProgram(f *testing.F) {
	for _, text := range []string{
		`{"model":{"type":"BPE","vocab":{"a":0},"merges":[]},"added_tokens":[{"id":1,"content":"a","lstrip":true,"rstrip":true,"single_word":true,"normalized":true}]}`,
		`{"model":{"type":"BPE","vocab":{"a":0,"aa":0},"merges":["a a"],"unk_token":"a"},"normalizer":{"type":"Prepend","prepend":"a"}}`,
		`{"model":{"type":"BPE","vocab":{"a":0},"merges":[]},"pre_tokenizer":{"type":"Split","pattern":{"Regex":"a*|(?=b)"},"behavior":"MergedWithNext","invert":true}}`,
		`{"model":{"type":"BPE","vocab":{"<0x00>":0,"▁":1},"merges":[["▁","▁"]],"byte_fallback":true,"fuse_unk":true},"normalizer":{"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Replace","pattern":{"String":" "},"content":"▁"}]},"pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"first","split":true}}`,
		`{"model":{"type":"BPE","vocab":{"a":0},"ignore_merges":true,"merges":[]},"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Digits","individual_digits":true},{"type":"ByteLevel","add_prefix_space":true,"use_regex":true}]}}`,
		`{"model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["a",-1],["ab",-2.5],["<0x61>",-3]],"byte_fallback":true},"normalizer":{"type":"Sequence","normalizers":[{"type":"Precompiled","precompiled_charsmap":"CAAAAGEEAAAAAACAYQA="},{"type":"Strip","strip_left":false,"strip_right":true},{"type":"Replace","pattern":{"Regex":" {2,}"},"content":"a"}]},"pre_tokenizer":{"type":"WhitespaceSplit"}}`,
		`{"model":null}`, `{"model":{"merges":null,"vocab":null}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tok, err := Read(data)
		if (tok == nil) != (err != nil) {
			t.Fatalf("Read = %v, %v", tok, err)
		}
		if err == nil {
			tok.Encode(" aab b\n<s>é\xff aaaa")
		}
	})
}
