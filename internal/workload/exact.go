// Prompts of an exact number of tokens, as a model's tokenizer counts them.

package workload

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/internal/seed"
)

// corpus is text of our own, of many kinds. It is part of the format, as the
// words are: a change alters every prompt that was cut from it.
//
//go:embed corpus.txt
var corpus string

// A cutter makes texts of exactly so many tokens without counting any: it
// joins pieces whose counts were taken before the start. A piece is what stands
// between two single spaces of the corpus. That the counts of pieces add up is
// what the tokenizer must grant, and what newCutter proves before it is used:
// tokenizers begin a token at a space that follows something else, and look no
// further back.
type cutter struct {
	count   func(string) int
	text    string   // the pieces, a space between two
	starts  []int    // of each piece in text; one more than there are pieces
	sums    []int    // tokens of all pieces before each, likewise
	singles []string // words that are one token, at the beginning and after a space
	head    int      // how many of them begin a text
}

// headBits is how much chance the first words of a text hold: enough that no
// two texts of all runs ever begin alike, and no server knows a text's prefix.
const headBits = 64

// newCutter counts every piece and proves that texts made of them have the
// tokens they should.
func newCutter(count func(string) int) (*cutter, error) {
	c := &cutter{count: count}
	pieces := piecesOf(strings.TrimSpace(corpus))
	after := func(s string) int { return count(words[0]+" "+s) - count(words[0]) }
	for _, w := range words {
		if count(w) == 1 && after(w) == 1 {
			c.singles = append(c.singles, w)
		}
	}
	if len(c.singles) < 2 {
		return nil, few(len(words), len(c.singles))
	}
	counts := make([]int, len(pieces))
	for i, p := range pieces {
		if counts[i] = after(p); counts[i] < 1 {
			return nil, reaches(words[0]+" "+p, count(words[0]+" "+p), count(words[0])+1)
		}
	}
	c.lay(pieces, counts)
	return c, c.prove(count, pieces)
}

// lay puts the pieces with their tokens in a row; the words of one token are
// known.
func (c *cutter) lay(pieces []string, counts []int) {
	c.head = int(math.Ceil(headBits / math.Log2(float64(len(c.singles)))))
	at, sum := 0, 0
	for i, p := range pieces {
		c.starts, c.sums = append(c.starts, at), append(c.sums, sum)
		at, sum = at+len(p)+1, sum+counts[i]
	}
	c.starts, c.sums = append(c.starts, at), append(c.sums, sum)
	c.text = strings.Join(pieces, " ")
}

// piecesOf cuts a text at every single space that stands between two
// characters that are not white space.
func piecesOf(text string) []string {
	var pieces []string
	start := 0
	for i := 1; i < len(text)-1; i++ {
		if text[i] != ' ' {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+1:])
		if !unicode.IsSpace(before) && !unicode.IsSpace(after) {
			pieces = append(pieces, text[start:i])
			start = i + 1
		}
	}
	return append(pieces, text[start:])
}

// proofs is how many whole texts are counted before the start.
const proofs = 48

// prove holds the counts against the tokenizer: every piece with its neighbour
// and with a word behind it, then whole texts of all sizes.
func (c *cutter) prove(count func(string) int, pieces []string) error {
	for i, p := range pieces {
		next := (i + 1) % len(pieces)
		word := c.singles[i%len(c.singles)]
		n := count(p)
		for _, joined := range []struct {
			text string
			want int
		}{
			{pieces[next], n + c.sums[next+1] - c.sums[next]},
			{word, n + 1},
		} {
			if got := count(p + " " + joined.text); got != joined.want {
				return reaches(p+" "+joined.text, got, joined.want)
			}
		}
	}
	r := seed.Rand(1, "workload/proof", 0)
	for i := range proofs {
		want := 1 + i + i*i/3
		if got := count(c.cut(r, want)); got != want {
			return miscounted(got, want)
		}
	}
	return nil
}

func few(words, singles int) error {
	return fmt.Errorf("prompts of an exact length can't be made: of %d common words it has %d that are one token", words, singles)
}

func miscounted(got, want int) error {
	return fmt.Errorf("prompts of an exact length can't be made: a text that should have %d tokens has %d", want, got)
}

func reaches(text string, got, want int) error {
	return fmt.Errorf("prompts of an exact length can't be made: its tokens reach across the space of %q (%d tokens instead of %d)", text, got, want)
}

// cut returns a text of so many tokens: words of one token drawn at random,
// then the corpus from a random piece on, and again words where the next piece
// would be too long.
func (c *cutter) cut(r *rand.Rand, length int) string {
	const room = 7 // bytes a token takes, a little more than the mean
	var b strings.Builder
	b.Grow(length * room)
	left := length
	single := func() {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(c.singles[r.IntN(len(c.singles))])
		left--
	}
	for range min(c.head, length) {
		single()
	}
	last := len(c.starts) - 1
	for from := r.IntN(last); ; from = 0 {
		to, found := slices.BinarySearch(c.sums, c.sums[from]+left)
		if !found {
			to-- // the piece that would be too long
		}
		if to > from {
			b.WriteByte(' ')
			b.WriteString(c.text[c.starts[from] : c.starts[to]-1])
			left -= c.sums[to] - c.sums[from]
		}
		if to < last || left == 0 {
			break
		}
	}
	for left > 0 {
		single()
	}
	return b.String()
}
