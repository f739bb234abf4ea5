// Unigram models: the ways through a piece against all there are, and what no
// family of the reference has.
package tokenizer

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"assay/internal/seed"
)

// unigramOf is a model of these tokens and scores; the first stands for what is
// unknown.
func unigramOf(t *testing.T, tokens []string, scores []float64) *unigram {
	t.Helper()
	var vocab []any
	for i, token := range tokens {
		vocab = append(vocab, []any{token, scores[i]})
	}
	data, err := json.Marshal(vocab)
	if err != nil {
		t.Fatal(err)
	}
	first := 0
	u, err := (&fileModel{Vocab: data, UnknownID: &first}).unigram()
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// best is the largest sum of scores of all ways to cut the text.
func best(text string, scores map[string]float64, unknown float64) float64 {
	if text == "" {
		return 0
	}
	most := math.Inf(-1)
	for n := 1; n <= len(text); n++ {
		score, ok := scores[text[:n]]
		if !ok && n > 1 {
			continue
		}
		if !ok {
			score = unknown
		}
		most = max(most, score+best(text[n:], scores, unknown))
	}
	return most
}

func TestAPieceIsCutIntoTheTokensOfTheLargestSum(t *testing.T) {
	r := seed.Rand(8, "unigram", 0)
	unknowns, long := 0, 0
	for range 2000 {
		tokens, scores := []string{"<unk>"}, []float64{0}
		known := map[string]float64{}
		for range 3 + r.IntN(12) {
			token := ""
			for range 1 + r.IntN(4) {
				token += string(rune('a' + r.IntN(3)))
			}
			if _, twice := known[token]; !twice {
				known[token] = -float64(1 + r.IntN(12)) // whole, so that sums are exact
				tokens, scores = append(tokens, token), append(scores, known[token])
			}
		}
		u := unigramOf(t, tokens, scores)
		text := ""
		for range r.IntN(11) {
			text += string(rune('a' + r.IntN(3)))
		}
		// Unknown characters in a row are one token: how many there are is told by the rest.
		sum, covered := 0.0, 0
		for _, id := range u.encode(nil, text) {
			if id != 0 {
				sum, covered = sum+scores[id], covered+len(tokens[id])
				long += len(tokens[id]) - 1
			}
		}
		worst := slices.Min(scores)
		unknowns += len(text) - covered
		sum += float64(len(text)-covered) * (worst - 10)
		if want := best(text, known, worst-10); sum != want {
			t.Fatalf("%q with %v: %v has the sum %v, want %v", text, known, u.encode(nil, text), sum, want)
		}
	}
	if unknowns < 1000 || long < 2000 {
		t.Errorf("%d characters were unknown and %d joined: the cases are too plain", unknowns, long)
	}
}

// The ids are those of the library that writes such files.
func TestWhatIsUnknownIsTenWorseThanTheWorstTokenAndAStretchIsOne(t *testing.T) {
	for text, want := range map[float64]map[string][]int32{
		-6: {"zyb": {1, 2}, "qb": {0, 2}, "xqqqqbqx": {0, 4, 4, 2, 0}},
		-4: {"zyb": {0, 3}},
	} {
		u := unigramOf(t, []string{"<unk>", "zy", "b", "yb", "qq"}, []float64{0, -20, -15, text, -3})
		for text, want := range want {
			if got := u.encode(nil, text); !slices.Equal(got, want) {
				t.Errorf("%q = %v, want %v", text, got, want)
			}
		}
	}
}

func t5(t testing.TB, value any, path ...string) *Tokenizer {
	t.Helper()
	tok, err := Read(edited(t, "t5", value, path...))
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// Likewise.
func TestOnlyWhatBeginsTheTextIsMarkedAsItsFirstWord(t *testing.T) {
	tok := t5(t, []any{table{"type": "WhitespaceSplit"}, table{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": true}},
		"pre_tokenizer", "pretokenizers")
	for text, want := range map[string][]int32{
		"the train": {7, 11, 15, 131}, " the train": {43, 9, 11, 15, 131}, "  ": nil, "\tthe": {43, 9}, "a the": {8, 43, 9},
	} {
		if got := tok.Encode(text); !slices.Equal(got, want) {
			t.Errorf("%q = %v, want %v", text, got, want)
		}
	}
}

// Likewise: what the table of the vocabulary makes of clusters.
func TestAClusterIsRewrittenByWhatTheTableHasForItsBeginning(t *testing.T) {
	rewrite := t5(t, "Precompiled", "normalizer", "type").normalize[0]
	for text, want := range map[string]string{
		"a\r\nb": "a b", "a\n\rb": "a  b", "e\u0301": "é", "e\u0301\u0301": "é", "\uff21\u0301": "A", "º\u0301x": "óx", "ª\u0903": "a",
		"x\u200d": "x", "\uff21\ufe0f\ufe0f": "A\ufe0f\ufe0f", "\u0600ª": "\u0600a", "½\x00½": "1⁄2\x001⁄2", "\x00": "\x00",
		"\u1100\u00a0\u0301": "\u1100 ", "\uff11\u0302": "1", "": "", "\xff\uff11": "\xff1",
	} {
		if got := rewrite(text); got != want {
			t.Errorf("%q is rewritten as %q, want %q", text, got, want)
		}
	}
}

func TestClustersEndWhereUnicodesRulesSay(t *testing.T) {
	for text, want := range map[string]int{ // by hand, from Annex 29
		"ab": 1, "\r\n": 2, "\n\n": 1, "\n\u0301": 1, "a\u0301\u0302b": 5, "a\u200db": 4, "\u200ba": 3,
		"\u1100\u1161\u11a8x": 9, "\uac00\u11a8": 6, "\uac01\u1161": 3, "\uac01\u11a8": 6, "\u1161\uac00": 3, "\u1100\uac00": 6, "\u11a8\u11a8\u1161": 6,
		"\u0600\u0301": 4, "\u0600a": 3, "\u0e01\u0e33": 6, "\u0915\u0903": 6, "\u1000\u102b": 3, "a\U0001f3fb": 5, "\u0d4e\u0d15": 6, "a\u00ad": 1,
	} {
		if got := cluster(text); got != want {
			t.Errorf("the first cluster of %q has %d bytes, want %d", text, got, want)
		}
	}
}

func TestATrieFindsEveryTokenThatATextBeginsWith(t *testing.T) {
	tokens := []string{"a", "ab", "abcd", "b", "é", "漢字"}
	ids := map[string]int32{}
	for i, token := range tokens {
		ids[token] = int32(10 * i)
	}
	found := newTrie(tokens, ids)
	for text, want := range map[string]string{
		"abcde": "1:0 2:10 4:20 ", "abc": "1:0 2:10 ", "b": "1:30 ", "c": "", "": "", "é": "2:40 ", "\xc3": "", "漢字": "6:50 ", "漢": "",
	} {
		got := ""
		found.each(text, func(n int, id int32) { got += fmt.Sprintf("%d:%d ", n, id) })
		if got != want {
			t.Errorf("%q begins with %q, want %q", text, got, want)
		}
	}
}
