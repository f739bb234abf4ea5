// What OpenAI's encodings have beside their file of ranks, which says neither
// how a text is split nor what the special tokens are.

package tokenizer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/dlclark/regexp2/v2"
)

// RanksSuffix ends the name of a file of ranks.
const RanksSuffix = ".tiktoken"

// An Encoding is one of them.
type Encoding struct {
	Name    string
	File    string // of its ranks, as it is published; several encodings may share one
	SHA256  string // of that file
	pattern string // how a text is split
	special map[string]int32
}

// Published is the address from which tiktoken fetches the file, and by which
// its cache knows it.
func (e *Encoding) Published() string {
	return "https://openaipublic.blob.core.windows.net/encodings/" + e.File
}

// The patterns are tiktoken's: written without possessive repetitions, which
// change no match here, and with \z for the end of the text.
const (
	r50k   = `'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+\z|\s+(?!\S)|\s`
	cl100k = `'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+\z|\s*[\r\n]|\s+(?!\S)|\s`
	o200k  = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
)

var encodings = []Encoding{
	{
		Name: "r50k_base", File: "r50k_base.tiktoken", pattern: r50k,
		SHA256:  "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
		special: map[string]int32{"<|endoftext|>": 50256},
	},
	{
		Name: "p50k_base", File: "p50k_base.tiktoken", pattern: r50k,
		SHA256:  "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069",
		special: map[string]int32{"<|endoftext|>": 50256},
	},
	{
		Name: "cl100k_base", File: "cl100k_base.tiktoken", pattern: cl100k,
		SHA256: "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
		special: map[string]int32{
			"<|endoftext|>": 100257, "<|fim_prefix|>": 100258, "<|fim_middle|>": 100259, "<|fim_suffix|>": 100260, "<|endofprompt|>": 100276,
		},
	},
	{
		Name: "o200k_base", File: "o200k_base.tiktoken", pattern: o200k,
		SHA256:  "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
		special: map[string]int32{"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
	},
	{
		Name: "o200k_harmony", File: "o200k_base.tiktoken", pattern: o200k,
		SHA256:  "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
		special: harmony(),
	},
}

// harmony are the special tokens of gpt-oss: a few with names, and a number for
// each of the rest. Where two have one id, the text of either is that token.
func harmony() map[string]int32 {
	special := map[string]int32{"<|endofprompt|>": 200018}
	for id := int32(200000); id < 201088; id++ {
		special[fmt.Sprintf("<|reserved_%d|>", id)] = id
	}
	for id, name := range map[int32]string{
		199998: "startoftext", 199999: "endoftext", 200002: "return", 200003: "constrain", 200005: "channel",
		200006: "start", 200007: "end", 200008: "message", 200012: "call",
	} {
		delete(special, fmt.Sprintf("<|reserved_%d|>", id))
		special["<|"+name+"|>"] = id
	}
	return special
}

// FindEncoding returns the encoding of that name.
func FindEncoding(name string) (*Encoding, bool) {
	for i := range encodings {
		if encodings[i].Name == name {
			return &encodings[i], true
		}
	}
	return nil, false
}

// models are the encodings of OpenAI's models, by what their names begin with;
// the first that fits holds.
var models = []struct{ prefix, encoding string }{
	{"gpt-oss", "o200k_harmony"},
	{"gpt-5", "o200k_base"}, {"gpt-4.5", "o200k_base"}, {"gpt-4.1", "o200k_base"}, {"gpt-4o", "o200k_base"}, {"chatgpt-4o", "o200k_base"},
	{"o1", "o200k_base"}, {"o3", "o200k_base"}, {"o4-mini", "o200k_base"},
	{"gpt-4", "cl100k_base"}, {"gpt-3.5", "cl100k_base"},
}

// EncodingOfModel returns the encoding of a model of OpenAI: gpt-4o and
// gpt-4o-2024-08-06, not gpt-4omni.
func EncodingOfModel(name string) (*Encoding, bool) {
	for _, m := range models {
		rest, fits := strings.CutPrefix(name, m.prefix)
		if fits && (rest == "" || rest[0] == '-' || m.prefix == "gpt-5" && rest[0] == '.') {
			return FindEncoding(m.encoding)
		}
	}
	return nil, false
}

// EncodingNames are the names of all encodings.
func EncodingNames() []string {
	var names []string
	for _, e := range encodings {
		names = append(names, e.Name)
	}
	return names
}

// EncodingOf tells whose ranks a file of that digest holds. A published one is
// known by what is in it. Another vocabulary says by its name whose way of splitting it has,
// as in mine.cl100k_base.tiktoken.
func EncodingOf(file, digest string) (*Encoding, error) {
	for i := range encodings {
		if encodings[i].SHA256 == digest {
			return &encodings[i], nil
		}
	}
	name := strings.TrimSuffix(path.Base(file), RanksSuffix)
	if e, ok := FindEncoding(name); ok {
		return nil, fmt.Errorf("this is not %s, or it is damaged: its SHA-256 is %s", e.Name, digest)
	}
	if e, ok := FindEncoding(name[strings.LastIndexByte(name, '.')+1:]); ok {
		return e, nil
	}
	return nil, fmt.Errorf("the file does not tell how a text is split: rename it to NAME.ENCODING%s, with the encoding whose way it has: %s",
		RanksSuffix, strings.Join(EncodingNames(), ", "))
}

// Digest is the SHA-256 of a tokenizer's file, by which two are told apart.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Read reads a file of ranks. Special tokens that are written out in a text are
// found, as by a server that reads them so.
func (e *Encoding) Read(data []byte) (*Tokenizer, error) {
	m, err := readRanks(data)
	if err != nil {
		return nil, err
	}
	re := regexp2.MustCompile(e.pattern, regexp2.OptionMaxBacktrackingStackSize(-1))
	t := &Tokenizer{model: m, split: []splitter{splitAt(expression(re), isolated)}}
	var special []addedToken
	for _, text := range slices.Sorted(maps.Keys(e.special)) {
		special = append(special, addedToken{ID: e.special[text], Content: text})
	}
	return t, t.add(special)
}
