// Files of ranks against tiktoken itself, and merging against a program that
// does what tiktoken's documentation says, on the bytes.
package tokenizer

import (
	"encoding/base64"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"assay/internal/seed"
)

func smallRanks(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/ranks/small.cl100k_base.tiktoken")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func readEncoding(t testing.TB, name string, data []byte) *Tokenizer {
	t.Helper()
	e, ok := FindEncoding(name)
	if !ok {
		t.Fatalf("there is no encoding %s", name)
	}
	tok, err := e.Read(data)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return tok
}

func TestIDsAreThoseOfTiktokenForEveryWayOfSplitting(t *testing.T) {
	c := readCases(t, "testdata/ranks/cases.json")
	if len(c.IDs) != 4 {
		t.Errorf("%d encodings, want 4", len(c.IDs))
	}
	for name, want := range c.IDs {
		compare(t, name, readEncoding(t, name, smallRanks(t)), c.Texts, want)
	}
}

// spelling is byte-pair encoding as tiktoken defines it: of all neighbours that
// together spell a token those of the lowest rank, the leftmost, become one.
func spelling(ranks map[string]int32, piece string) []int32 {
	var parts []string
	for i := range len(piece) {
		parts = append(parts, piece[i:i+1])
	}
	if _, ok := ranks[piece]; ok {
		parts = []string{piece}
	}
	for {
		best := -1
		for i := 1; i < len(parts); i++ {
			rank, ok := ranks[parts[i-1]+parts[i]]
			if ok && (best < 0 || rank < ranks[parts[best-1]+parts[best]]) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		parts = slices.Replace(parts, best-1, best+1, parts[best-1]+parts[best])
	}
	var ids []int32
	for _, p := range parts {
		ids = append(ids, ranks[p])
	}
	return ids
}

func TestWhatSpellsATokenIsMergedWhoeverWouldHaveMadeIt(t *testing.T) {
	r := seed.Rand(5, "ranks", 0)
	ways := 0
	for range 400 {
		ranks := map[string]int32{}
		order := r.Perm(256)
		var file strings.Builder
		add := func(token string) {
			if _, known := ranks[token]; !known {
				ranks[token] = int32(len(ranks))
				fmt.Fprintf(&file, "%s %d\n", base64.StdEncoding.EncodeToString([]byte(token)), ranks[token])
			}
		}
		for _, b := range order {
			add(string([]byte{byte(b)}))
		}
		parts := []string{"a", "b", "c"}
		for range 40 { // made of others, so that they are cut into others in many ways
			token := parts[r.IntN(len(parts))] + parts[r.IntN(len(parts))]
			parts = append(parts, token)
			add(token)
		}
		m, err := readRanks([]byte(file.String()))
		if err != nil {
			t.Fatal(err)
		}
		ways += len(m.merges) - (len(ranks) - 256)
		for range 10 {
			piece := ""
			for range 1 + r.IntN(2*short) {
				piece += string(rune('a' + r.IntN(3)))
			}
			if got, want := m.encode(nil, piece), spelling(ranks, piece); !slices.Equal(got, want) {
				t.Fatalf("%q with %v: %v, want %v", piece, ranks, got, want)
			}
		}
	}
	if ways < 4000 {
		t.Errorf("tokens are cut in %d ways more than there are tokens: the cases are too plain", ways)
	}
}

// The ids are tiktoken's for these ranks: the bytes, and four tokens that
// nothing but the whole piece leads to.
func TestAWholePieceIsATokenThoughNoMergeLeadsToIt(t *testing.T) {
	var file strings.Builder
	for b := range 256 {
		fmt.Fprintf(&file, "%s %d\n", base64.StdEncoding.EncodeToString([]byte{byte(b)}), b)
	}
	for i, token := range []string{"abc", "\n  ", "  ", "\r\n"} {
		fmt.Fprintf(&file, "%s %d\n", base64.StdEncoding.EncodeToString([]byte(token)), 256+i)
	}
	reserved := []int32{60, 124, 114, 101, 115, 101, 114, 118, 101, 100, 95, 50, 48, 48, 48, 48, 50, 124, 62}
	for _, c := range []struct {
		encoding, text string
		want           []int32
	}{
		{"cl100k_base", "abc", []int32{256}},
		{"cl100k_base", "abcd", []int32{97, 98, 99, 100}},
		{"r50k_base", "x\n  ", []int32{120, 257}}, // white space at the end is one piece
		{"cl100k_base", "x\n  ", []int32{120, 257}},
		{"o200k_base", "x\n  ", []int32{120, 10, 258}}, // here it is not
		{"cl100k_base", "\n  x", []int32{10, 32, 32, 120}},
		{"cl100k_base", "1\r\n", []int32{49, 259}},
		{"o200k_harmony", "<|reserved_200002|>", reserved}, // it has a name
		{"o200k_harmony", "<|return|>", []int32{200002}},
		{"o200k_harmony", "<|reserved_200018|>", []int32{200018}},
	} {
		if got := readEncoding(t, c.encoding, []byte(file.String())).Encode(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q = %v, want %v", c.encoding, c.text, got, c.want)
		}
	}
}

func TestARankFileThatCannotBeHonouredIsRefusedAndTheReasonNamesTheLine(t *testing.T) {
	good := string(smallRanks(t))
	for text, want := range map[string]string{
		"":                                    "no ranks in it",
		"\n\n":                                "no ranks in it",
		"IQ==\n":                              "line 1 is not a token and its rank",
		"IQ== 0 1\n":                          "line 1 is not a token and its rank",
		"IQ== 0\nI!== 1\n":                    `line 2: "I!==" is no token in base64`,
		"IQ== -1\n":                           `line 1: "-1" is no rank`,
		"IQ== 2147483647\n":                   "is no rank",
		"IQ== 99999999999\n":                  "is no rank",
		"IQ== 0\nIQ== 1\n":                    "line 2: the token or its rank stands there twice",
		"IQ== 0\nIg== 0\n":                    "line 2: the token or its rank stands there twice",
		"IQ== 0\n":                            "lack the byte 0x00",
		good[:strings.Index(good, " 99\n")+4]: "lack the byte",
		good + "aGVsbG8gd29ybGQ= 799\n":       "stands there twice",
		"version https://git-lfs.github.com/spec/v1\n":               "no token in base64",
		`{"model": {"type": "BPE"}}`:                                 "line 1 is not a token and its rank",
		strings.Replace(good, "\n", "\r\n", 3) + "\n\naGVsbG8= 5000": "",
	} {
		e, _ := FindEncoding("cl100k_base")
		tok, err := e.Read([]byte(text))
		if want == "" {
			if err != nil {
				t.Errorf("Read: %v, want a tokenizer", err)
			}
			continue
		}
		if err == nil || tok != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Read(%.60q) = %v, %v, want no tokenizer and %q", text, tok, err, want)
		}
	}
}

func TestAFileOfRanksIsKnownByWhatIsInItOrByItsName(t *testing.T) {
	data := smallRanks(t)
	for file, want := range map[string]string{
		"a/small.cl100k_base.tiktoken": "cl100k_base",
		"my.own.o200k_base.tiktoken":   "o200k_base",
		"x.o200k_harmony.tiktoken":     "o200k_harmony",
	} {
		if e, err := EncodingOf(file, Digest(data)); err != nil || e.Name != want {
			t.Errorf("EncodingOf(%s) = %v, %v, want %s", file, e, err, want)
		}
	}
	for file, want := range map[string]string{
		"cl100k_base.tiktoken": "this is not cl100k_base, or it is damaged: its SHA-256 is " + Digest(data),
		"qwen.tiktoken":        "does not tell how a text is split",
		"mycl100k_base":        "does not tell how a text is split",
	} {
		if e, err := EncodingOf(file, Digest(data)); err == nil || e != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("EncodingOf(%s) = %v, %v, want %q", file, e, err, want)
		}
	}
}

func TestModelsOfOpenAIHaveTheirEncodings(t *testing.T) {
	for name, want := range map[string]string{
		"gpt-4o": "o200k_base", "gpt-4o-mini-2024-07-18": "o200k_base", "gpt-5.1": "o200k_base", "o3-pro": "o200k_base", "o1": "o200k_base",
		"gpt-4": "cl100k_base", "gpt-4-turbo": "cl100k_base", "gpt-3.5-turbo-0125": "cl100k_base", "gpt-4.1-nano": "o200k_base",
		"gpt-oss-120b": "o200k_harmony", "gpt-4omni": "", "gpt2": "", "o100": "", "openai/gpt-4o": "", "": "",
	} {
		got := ""
		if e, ok := EncodingOfModel(name); ok {
			got = e.Name
		}
		if got != want {
			t.Errorf("EncodingOfModel(%q) = %q, want %q", name, got, want)
		}
	}
}

func BenchmarkEncodeByRanks(b *testing.B) {
	text, err := os.ReadFile("../workload/corpus.txt")
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range EncodingNames() {
		tok := readEncoding(b, name, smallRanks(b))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			tokens := 0
			for b.Loop() {
				tokens += tok.Count(string(text))
			}
			b.ReportMetric(float64(tokens)/b.Elapsed().Seconds(), "tokens/s")
		})
	}
}
