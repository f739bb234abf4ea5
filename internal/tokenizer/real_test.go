//go:build reference

// The tokenizers of real models against the reference, where somebody has them:
// testdata/reference.py says how.
package tokenizer

import (
	"os"
	"testing"
)

func TestIDsOfRealModelsAreThoseOfTheReference(t *testing.T) {
	c := readCases(t, os.Getenv("ASSAY_REFERENCE"))
	for name, want := range c.IDs {
		compare(t, name, readTokenizer(t, name), c.Texts, want)
	}
}
