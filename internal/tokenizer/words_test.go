// The count is public behaviour: the embedded server and every record that
// says `words` rely on it.
package tokenizer

import (
	"strings"
	"testing"

	"assay/internal/seed"
)

func TestWordsCountsRunsBetweenWhiteSpace(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"", 0},
		{" \t\r\n\v\f", 0},
		{"one", 1},
		{" one", 1},
		{"one  two\nthree ", 3},
		{"don't split, punctuation; it belongs!", 5},
		{"non\u00a0breaking\u2003space", 3},
		{"Grüße aus Köln", 3},
		{"한국어는 띄어쓰기를 한다", 3},
		{"你好，世界", 5}, // the comma is a run between two Han characters
		{"カタカナ", 4},
		{"GPUを使う", 4},
		{"a漢b", 3},
		{"bad \xff\xfe bytes", 3},
		{"\xff", 1},
		{"naïve café 🙂", 3},
	} {
		if got := Words(c.text); got != c.want {
			t.Errorf("Words(%q) = %d, want %d", c.text, got, c.want)
		}
	}
}

func TestWordsAgreesWithTheStandardLibraryWhereEveryWordIsSpaced(t *testing.T) {
	r := seed.Rand(1, "words test", 0)
	alphabet := []rune("ab é\t\n\u0085\u00a0\u2028ß.")
	for range 20_000 {
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteRune(alphabet[r.IntN(len(alphabet))])
		}
		if got, want := Words(b.String()), len(strings.Fields(b.String())); got != want {
			t.Fatalf("Words(%q) = %d, want %d", b.String(), got, want)
		}
	}
}

func TestWordsDoesNotAllocate(t *testing.T) {
	text := strings.Repeat("word größer 漢字 ", 100)
	if got := testing.AllocsPerRun(10, func() { Words(text) }); got != 0 {
		t.Errorf("Words allocates %v times, want 0", got)
	}
}
