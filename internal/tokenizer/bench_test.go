package tokenizer

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"
)

// The vocabularies are small, so that the tokens are shorter than a model's:
// bytes are what compares.
func BenchmarkEncode(b *testing.B) {
	text, err := os.ReadFile("../workload/corpus.txt")
	if err != nil {
		b.Fatal(err)
	}
	names, err := filepath.Glob(cmp.Or(os.Getenv("ASSAY_TOKENIZERS"), "testdata/[^c]*.json"))
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range names {
		tok := readTokenizer(b, name)
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
