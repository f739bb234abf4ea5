// Exact means exact: every prompt is counted again, by the tokenizers of many
// families, whose ids are held against a reference in their own package.
package workload

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/tokenizer"
)

// families are the counts of small vocabularies in the manner of many models.
func families(t testing.TB) map[string]func(string) int {
	t.Helper()
	names, err := filepath.Glob("../tokenizer/testdata/*.json")
	if err != nil || len(names) < 13 {
		t.Fatal(names, err)
	}
	found := map[string]func(string) int{}
	for _, name := range names {
		if filepath.Base(name) == "cases.json" {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tok, err := tokenizer.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		found[filepath.Base(name)] = tok.Count
	}
	ranks, err := os.ReadFile("../tokenizer/testdata/ranks/small.cl100k_base.tiktoken")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cl100k_base", "o200k_base"} {
		e, _ := tokenizer.FindEncoding(name)
		tok, err := e.Read(ranks)
		if err != nil {
			t.Fatal(err)
		}
		found[name] = tok.Count
	}
	delete(found, "behaviors.json") // has pieces that begin before a space, as no model's: refused
	return found
}

func exactly(t testing.TB, length, salt string, count func(string) int) *Source {
	t.Helper()
	spec := Spec{Tokenizer: "test", Salt: salt, OutputTokens: Length{Law: "constant", A: 1}}
	if err := spec.InputTokens.UnmarshalText([]byte(length)); err != nil {
		t.Fatal(err)
	}
	s, err := New(spec, 1, "main", nil, count)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEveryPromptHasExactlyTheTokensItShouldForEveryFamily(t *testing.T) {
	for name, count := range families(t) {
		short := exactly(t, "uniform(1, 900)", "pepper", count)
		for n := range uint64(60) {
			want, _ := short.Lengths(n)
			r := short.Request(n)
			if got := count(r.Prompt); got != want || r.InputTokens != want {
				t.Fatalf("%s: request %d has %d tokens and says %d, want %d: %q", name, n, got, r.InputTokens, want, r.Prompt)
			}
		}
		s := exactly(t, "10000", "", count) // several times the corpus
		if got := count(s.Request(1).Prompt); got != 10000 {
			t.Errorf("%s: a prompt of 10000 tokens has %d", name, got)
		}
		for length := range 30 { // every small one, also those with no room for all first words
			if got := count(s.cutter.cut(s.words.Rand(uint64(length)), length+1)); got != length+1 {
				t.Errorf("%s: a text of %d tokens has %d", name, length+1, got)
			}
		}
	}
}

// Where each word is one token the first words are those of the workload
// without a tokenizer, of which a separate program computed them; behind them
// stands a stretch of the corpus, and the words with which that one ends.
func TestATextIsRandomWordsAndThenTheCorpus(t *testing.T) {
	s := exactly(t, "60", "", tokenizer.Words)
	text := s.Request(0).Prompt
	head, ok := strings.CutPrefix(text, "package rival restrict dress male winner ")
	if !ok {
		t.Fatalf("the text begins %q", text[:60])
	}
	_, body, _ := strings.Cut(head, " ") // of 1,5xx words, 7 hold 64 bits
	for _, w := range []string{"package", "winner"} {
		if strings.Contains(body, w) {
			t.Errorf("the text is words only: %q", text)
		}
	}
	round := strings.TrimSpace(corpus)
	round += " " + round
	longest := 0 // words of the body that stand in the corpus as they do here
	for end := len(body); end > 0; end = strings.LastIndexByte(body[:end], ' ') {
		if strings.Contains(round, body[:end]) {
			longest = tokenizer.Words(body[:end])
			break
		}
	}
	if tokenizer.Words(text) != 60 || longest < 60-7-4 {
		t.Errorf("%d words, %d of them in a row from the corpus: %q", tokenizer.Words(text), longest, text)
	}
}

func TestTheCorpusIsTheOneOfEveryEarlierRelease(t *testing.T) {
	sum := sha256.Sum256([]byte(corpus))
	if got, want := hex.EncodeToString(sum[:]), "224e25c4d9e902d90455502dda17113d1624a80b64872c959e85747d7fbcd588"; got != want {
		t.Errorf("sum of the corpus = %s, want %s", got, want)
	}
}

func TestNoTwoPromptsBeginAlikeAndTheSaltChangesTheBeginning(t *testing.T) {
	for name, count := range families(t) {
		seen := map[string]string{}
		for _, salt := range []string{"", "a", "b"} {
			s := exactly(t, "60", salt, count)
			head := s.cutter.head
			if bits := float64(head) * math.Log2(float64(len(s.cutter.singles))); bits < 64 {
				t.Errorf("%s: %d first words hold %.1f bits, want 64", name, head, bits)
			}
			for n := range uint64(300) {
				begin := strings.Join(strings.Fields(s.Request(n).Prompt)[:head], " ")
				where := fmt.Sprintf("request %d with salt %q", n, salt)
				if before, twice := seen[begin]; twice {
					t.Fatalf("%s: %s begins as %s: %q", name, where, before, begin)
				}
				seen[begin] = where
			}
		}
	}
}

func TestATokenizerThatReachesAcrossSpacesIsRefused(t *testing.T) {
	odd, err := os.ReadFile("../tokenizer/testdata/behaviors.json")
	if err != nil {
		t.Fatal(err)
	}
	behaviors, err := tokenizer.Read(odd)
	if err != nil {
		t.Fatal(err)
	}
	for what, count := range map[string]func(string) int{
		"pieces that begin before a space": behaviors.Count,
		"a count of bytes by threes":       func(s string) int { return (len(s) + 2) / 3 },
		"no token at all":                  func(string) int { return 0 },
		"a token over two words": func(s string) int {
			return tokenizer.Words(s) - strings.Count(s, "of the")
		},
		"a token over the end of a sentence": func(s string) int {
			return tokenizer.Words(s) - strings.Count(s, ". T")
		},
		"a count that tires": func(s string) int { return min(tokenizer.Words(s), 400) },
	} {
		spec := Spec{Tokenizer: "odd", InputTokens: Length{"constant", 9, 0}, OutputTokens: Length{"constant", 1, 0}}
		s, err := New(spec, 1, "main", nil, count)
		if err == nil || s != nil || !strings.Contains(err.Error(), "tokenizer odd: prompts of an exact length can't be made") {
			t.Errorf("%s: New = %v, %v, want an error that says why not", what, s, err)
		}
	}
}

func TestPiecesAreCutAtSingleSpacesOnly(t *testing.T) {
	for text, want := range map[string]string{
		"a b c":            "a|b|c",
		"a  b c":           "a  b|c",
		"a\n b c":          "a\n b|c",
		"x \n\ty z":        "x \n\ty|z",
		"é ß\u00a0 漢 字":    "é|ß\u00a0 漢|字",
		"one":              "one",
		"f(a,\n    b) end": "f(a,\n    b)|end",
	} {
		if got := strings.Join(piecesOf(text), "|"); got != want {
			t.Errorf("piecesOf(%q) = %q, want %q", text, got, want)
		}
	}
}

func BenchmarkPromptOf550Tokens(b *testing.B) {
	for name, count := range map[string]func(string) int{"words": nil, "llama3": families(b)["llama3.json"]} {
		b.Run(name, func(b *testing.B) {
			s := synthetic(b, "550", "1", "main", "", 1)
			if count != nil {
				s = exactly(b, "550", "", count)
			}
			b.ReportAllocs()
			n := uint64(0)
			for b.Loop() {
				n++
				s.Request(n)
			}
		})
	}
}

// BenchmarkStart is what the counting and the proofs cost before a run.
func BenchmarkStart(b *testing.B) {
	for name, count := range families(b) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := newCutter(count); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
