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

// The rule for ASCII, a character at a time.
func plainWords(s string) int {
	words, inside := 0, false
	for i := range len(s) {
		white := strings.IndexByte(" \t\n\v\f\r", s[i]) >= 0
		if !white && !inside {
			words++
		}
		inside = !white
	}
	return words
}

func TestWordsCountsEightCharactersAtOnceAsItDoesOne(t *testing.T) {
	for c := range 0x80 { // each character, at each place, after a word and after none
		for at := range 17 {
			for _, beside := range []string{"x", " "} {
				text := strings.Repeat(beside, at) + string(rune(c)) + strings.Repeat(beside, 17-at)
				if got, want := Words(text), plainWords(text); got != want {
					t.Fatalf("Words(%q) = %d, want %d", text, got, want)
				}
			}
		}
	}
	r := seed.Rand(1, "words in eights", 0)
	for range 20_000 {
		b := make([]byte, r.IntN(70))
		for i := range b {
			if b[i] = byte(r.IntN(0x80)); r.IntN(2) == 0 {
				b[i] = " \t\r\n\v\f\b\x0e\x1f!\x7f"[r.IntN(11)]
			}
		}
		if got, want := Words(string(b)), plainWords(string(b)); got != want {
			t.Fatalf("Words(%q) = %d, want %d", b, got, want)
		}
	}
}

func TestWordsDoesNotAllocate(t *testing.T) {
	text := strings.Repeat("word größer 漢字 ", 100)
	if got := testing.AllocsPerRun(10, func() { Words(text) }); got != 0 {
		t.Errorf("Words allocates %v times, want 0", got)
	}
}
