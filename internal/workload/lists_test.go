package workload

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func listed(t *testing.T, spec Spec) *Source {
	t.Helper()
	spec.Salt = "x"
	s, err := New(spec, 7, "main", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func wordsOf(texts ...string) (n int) {
	for _, t := range texts {
		n += len(strings.Fields(t))
	}
	return n
}

func TestABatchHasSoManyTextsOfTheLengthsAsked(t *testing.T) {
	s := listed(t, Spec{InputTokens: Length{"uniform", 5, 9}, Batch: Length{"uniform", 1, 4}})
	seen := map[int]int{}
	for n := range uint64(400) {
		r := s.Request(n)
		in, out := s.Lengths(n)
		if wordsOf(r.Texts...) != in || r.InputTokens != in || out != 0 || r.Prompt != r.Texts[0] || len(r.Documents) > 0 {
			t.Fatalf("request %d has %d words in %d texts and %d out, want %d in all", n, wordsOf(r.Texts...), len(r.Texts), out, in)
		}
		for i, text := range r.Texts {
			if k := wordsOf(text); k < 5 || k > 9 {
				t.Fatalf("text %d of request %d has %d words", i, n, k)
			}
		}
		seen[len(r.Texts)]++
		if diff := cmp.Diff(r, s.Request(n)); diff != "" {
			t.Fatalf("request %d is another the second time:\n%s", n, diff)
		}
	}
	for k := range 4 { // 100 of each are expected, 8.7 the standard deviation: beyond 6 of them by less than 1e-8
		if seen[k+1] < 48 || seen[k+1] > 152 {
			t.Errorf("%d requests of %d texts, want about 100", seen[k+1], k+1)
		}
	}
}

func TestABatchOfOneIsTheTextAlone(t *testing.T) {
	alone := listed(t, Spec{InputTokens: Length{"uniform", 5, 9}, OutputTokens: Length{"constant", 1, 0}})
	one := listed(t, Spec{InputTokens: Length{"uniform", 5, 9}, Batch: Length{"constant", 1, 0}})
	for n := range uint64(50) {
		if got := one.Request(n).Texts; len(got) != 1 || got[0] != alone.Request(n).Prompt {
			t.Fatalf("request %d is %q, want %q", n, got, alone.Request(n).Prompt)
		}
	}
}

func TestAQueryStandsBesideItsDocuments(t *testing.T) {
	s := listed(t, Spec{InputTokens: Length{"constant", 3, 0}, Documents: Documents{Count: Length{"constant", 4, 0}, Tokens: Length{"uniform", 10, 20}}})
	texts := map[string]bool{}
	for n := range uint64(100) {
		r := s.Request(n)
		in, _ := s.Lengths(n)
		if wordsOf(r.Prompt) != 3 || len(r.Documents) != 4 || len(r.Texts) > 0 || wordsOf(r.Documents...)+3 != in || r.InputTokens != in {
			t.Fatalf("request %d: a query of %d words and %d documents of %d words, %d in all", n, wordsOf(r.Prompt), len(r.Documents), wordsOf(r.Documents...), in)
		}
		for _, d := range r.Documents {
			if k := wordsOf(d); k < 10 || k > 20 || texts[d] {
				t.Fatalf("a document of %d words, seen before: %t", k, texts[d])
			}
			texts[d] = true
		}
	}
}

func TestListsThatCantBeMadeAreRefused(t *testing.T) {
	ten := Length{"constant", 10, 0}
	for want, spec := range map[string]Spec{
		"batch: 4096 is not between 1 and 2048 in a request":           {Batch: Length{"constant", 4096, 0}},
		"documents.count: length is not set":                           {Documents: Documents{Tokens: ten}},
		"documents.tokens: length is not set":                          {Documents: Documents{Count: ten}},
		"documents.count: normal(1, 1) is not between 1 and 2048 in a": {Documents: Documents{Count: Length{"normal", 1, 1}, Tokens: ten}},
	} {
		spec.InputTokens = ten
		if _, err := New(spec, 1, "main", nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New(%+v): %v, want %q", spec, err, want)
		}
	}
}
