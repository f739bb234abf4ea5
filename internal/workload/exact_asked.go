// Prompts of an exact number of tokens, where only the server can count: it is
// asked for as little as will do, once, and what it said goes to the workers.

package workload

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"assay/internal/seed"
)

// Prompts that a server counted are made of a shorter stretch of the corpus and
// of fewer words than others: each costs some requests.
const (
	askedPieces = 256
	askedWords  = 128
	askedProofs = 16
)

// MostAsked is how many texts Measure has counted at the most.
const MostAsked = 1 + 2*askedWords + 3*askedPieces + askedProofs

// Counts are what Measure found out of a tokenizer.
type Counts struct {
	Words  []int `json:"words"`  // numbers of those that are one token
	Pieces []int `json:"pieces"` // tokens of each piece, from the first on
}

// A Counter counts the tokens of texts, many at a time.
type Counter func(texts []string) ([]int, error)

// Measure counts words and pieces, and proves as newCutter does that the counts
// of pieces add up: each behind a word, before its neighbour and before a word,
// and then whole texts.
func Measure(count Counter) (*Counts, error) {
	candidates, pieces := asked()
	first, behind := words[0], words[0]+" "
	texts := []string{first}
	for _, w := range candidates {
		texts = append(texts, words[w], behind+words[w])
	}
	for _, p := range pieces {
		texts = append(texts, behind+p)
	}
	n, err := counted(count, texts)
	if err != nil {
		return nil, err
	}
	base, n := n[0], n[1:]
	c := &Counts{}
	for i, w := range candidates {
		if n[2*i] == 1 && n[2*i+1]-base == 1 {
			c.Words = append(c.Words, w)
		}
	}
	if len(c.Words) < 2 {
		return nil, few(len(candidates), len(c.Words))
	}
	for i, p := range pieces {
		tokens := n[2*len(candidates)+i] - base
		if tokens < 1 {
			return nil, reaches(behind+p, base+tokens, base+1)
		}
		c.Pieces = append(c.Pieces, tokens)
	}
	return c, c.prove(count, base)
}

// asked are the words and the pieces of which a server is asked: the shortest
// words, which are the likeliest to be one token, and pieces in a row.
func asked() (candidates []int, pieces []string) {
	for i := range words {
		candidates = append(candidates, i)
	}
	slices.SortStableFunc(candidates, func(i, j int) int { return len(words[i]) - len(words[j]) })
	return candidates[:askedWords], piecesOf(strings.TrimSpace(corpus))[:askedPieces]
}

// counted are the counts of all texts, one for each.
func counted(count Counter, texts []string) ([]int, error) {
	n, err := count(texts)
	if err == nil && len(n) != len(texts) {
		err = fmt.Errorf("%d counts of %d texts", len(n), len(texts))
	}
	return n, err
}

func (c *Counts) prove(count Counter, base int) error {
	cutter, err := c.cutter()
	if err != nil {
		return err
	}
	_, pieces := asked()
	var texts []string
	var want []int
	for i, p := range pieces {
		next := (i + 1) % len(pieces)
		begin := words[0] + " " + p + " "
		texts = append(texts, begin+pieces[next], begin+cutter.singles[i%len(cutter.singles)])
		want = append(want, base+c.Pieces[i]+c.Pieces[next], base+c.Pieces[i]+1)
	}
	r := seed.Rand(1, "workload/proof", 0)
	for i := range askedProofs {
		n := 1 + 2*i + 3*i*i
		texts, want = append(texts, cutter.cut(r, n)), append(want, n)
	}
	got, err := counted(count, texts)
	if err != nil {
		return err
	}
	for i, text := range texts {
		switch {
		case got[i] == want[i]:
		case i >= 2*len(pieces):
			return miscounted(got[i], want[i])
		default:
			return reaches(text, got[i], want[i])
		}
	}
	return nil
}

// cutter makes texts by the counts. It counts texts of its own making by the
// parts that they consist of, which were proven to add up.
func (c *Counts) cutter() (*cutter, error) {
	_, pieces := asked()
	if len(c.Pieces) != len(pieces) || len(c.Words) < 2 {
		return nil, errors.New("the counts of the server's tokenizer are those of another release")
	}
	made, tokens := &cutter{}, map[string]int{}
	for i, p := range pieces {
		tokens[p] = c.Pieces[i]
	}
	for _, w := range c.Words {
		if w < 0 || w >= len(words) {
			return nil, errors.New("the counts of the server's tokenizer are those of another release")
		}
		made.singles = append(made.singles, words[w])
		tokens[words[w]] = 1
	}
	made.count = func(text string) int {
		n := 0
		for _, p := range piecesOf(text) {
			n += tokens[p]
		}
		return n
	}
	made.lay(pieces, c.Pieces)
	return made, nil
}

// NewCounted returns the source of synthetic prompts whose tokens are those
// that were measured.
func NewCounted(spec Spec, master uint64, stream string, fsys fs.FS, counts *Counts) (*Source, error) {
	c, err := counts.cutter()
	if err != nil {
		return nil, err
	}
	bare := spec
	bare.Tokenizer = ""
	s, err := New(bare, master, stream, fsys, nil)
	if err != nil {
		return nil, err
	}
	s.spec, s.cutter = spec, c
	return s, nil
}
