//go:build reference

// The tokenizers of real models against the reference, where somebody has them:
// testdata/reference.py says how.
package tokenizer

import (
	"os"
	"path"
	"strings"
	"testing"
)

// readAny reads a tokenizer.json, or the ranks of the encoding that a file is
// named after.
func readAny(t *testing.T, name string) *Tokenizer {
	encoding, isRanks := strings.CutSuffix(path.Base(name), RanksSuffix)
	if !isRanks {
		return readTokenizer(t, name)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return readEncoding(t, encoding, data)
}

func TestIDsOfRealModelsAreThoseOfTheReference(t *testing.T) {
	c := readCases(t, os.Getenv("ASSAY_REFERENCE"))
	for name, want := range c.IDs {
		compare(t, name, readAny(t, name), c.Texts, want)
	}
}
