// The ids of the library that trained the vocabularies, for small vocabularies
// in the manner of many families: testdata/reference.py made them.
package tokenizer

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// cases are texts and the ids that each tokenizer's reference gives them.
type cases struct {
	Texts []string             `json:"texts"`
	IDs   map[string][][]int32 `json:"ids"`
}

func readCases(t *testing.T, name string) cases {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var c cases
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func readTokenizer(t testing.TB, name string) *Tokenizer {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	tok, err := Read(data)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return tok
}

// compare holds a tokenizer against its reference, whole texts and the count.
func compare(t *testing.T, name string, tok *Tokenizer, texts []string, want [][]int32) {
	t.Helper()
	if len(texts) == 0 || len(want) != len(texts) {
		t.Fatalf("%s: %d texts and %d lists of ids", name, len(texts), len(want))
	}
	wrong := 0
	for i, text := range texts {
		got := tok.Encode(text)
		if slices.Equal(got, want[i]) && tok.Count(text) == len(want[i]) {
			continue
		}
		if wrong++; wrong <= 5 {
			t.Errorf("%s: Encode(%q) =\n %v, want\n %v", name, text, got, want[i])
		}
	}
	if wrong > 0 {
		t.Errorf("%s: %d of %d texts have other ids than the reference", name, wrong, len(texts))
	}
}

func TestIDsAreThoseOfTheReferenceForEveryFamily(t *testing.T) {
	c := readCases(t, "testdata/cases.json")
	if len(c.IDs) < 15 {
		t.Errorf("%d families, want 15", len(c.IDs))
	}
	for name, want := range c.IDs {
		compare(t, name, readTokenizer(t, filepath.Join("testdata", name+".json")), c.Texts, want)
	}
}
