// Requests of several texts: a batch of them, each for itself, or a query and
// the documents that are compared with it.

package workload

import (
	"fmt"
	"math/rand/v2"

	"assay/internal/seed"
)

// MostTexts is how many texts a request may have; OpenAI takes as many.
const MostTexts = 2048

// Documents are what the text of a request is compared with.
type Documents struct {
	Count  Length `yaml:"count,omitempty" json:"count,omitzero"`
	Tokens Length `yaml:"tokens,omitempty" json:"tokens,omitzero"` // of each
}

// IsZero tells whether there are none.
func (d Documents) IsZero() bool { return d == Documents{} }

// Check says why documents can't be made; key is the setting at fault.
func (d Documents) Check() (key string, err error) {
	if d.IsZero() {
		return "", nil
	}
	if err := CheckBatch(d.Count); err != nil {
		return "count", err
	}
	return "tokens", d.Tokens.Check()
}

// CheckBatch says why requests can't have so many texts.
func CheckBatch(count Length) error { return within(count, 1, MostTexts, "in a request") }

// lists deals the texts of a stream beyond the first of each request. That one
// is what it would be alone.
type lists struct {
	batch     Length
	documents Documents

	counts, sizes, words seed.Key
}

func newLists(spec Spec, master uint64, stream string) (lists, error) {
	l := lists{
		batch: spec.Batch, documents: spec.Documents,
		counts: seed.Named(master, "workload/texts/count/"+stream),
		sizes:  seed.Named(master, "workload/texts/size/"+stream),
		words:  seed.Named(master, "workload/texts/words/"+stream+"/"+spec.Salt),
	}
	if !l.batch.IsZero() {
		if err := CheckBatch(l.batch); err != nil {
			return lists{}, fmt.Errorf("batch: %w", err)
		}
	}
	if at, err := l.documents.Check(); err != nil {
		return lists{}, fmt.Errorf("documents.%s: %w", at, err)
	}
	return l, nil
}

// none tells that every request has one text.
func (l *lists) none() bool { return l.batch.IsZero() && l.documents.IsZero() }

// silent tells that replies have no text to be bounded: what an API makes of
// lists and pictures may be numbers.
func (s Spec) silent() bool {
	return s.OutputTokens.IsZero() && !(s.Batch.IsZero() && s.Documents.IsZero() && s.Images.IsZero())
}

// further are the lengths of the texts of request n beyond its first; input is
// the law of a batch's texts.
func (l *lists) further(n uint64, input Length) []int {
	if l.none() {
		return nil
	}
	count, size := l.documents.Count, l.documents.Tokens
	if count.IsZero() {
		count, size = l.batch, input
	}
	k := min(draw(count, l.counts, n), MostTexts)
	if l.documents.IsZero() {
		k--
	}
	r := l.sizes.Rand(n)
	lengths := make([]int, k)
	for i := range lengths {
		lengths[i] = size.draw(r)
	}
	return lengths
}

// inLists are the texts of request n that stand beside its first, and their
// tokens.
func (s *Source) inLists(n uint64) (texts []string, tokens int) {
	var r *rand.Rand
	for _, length := range s.lists.further(n, s.spec.InputTokens) {
		if r == nil {
			r = s.lists.words.Rand(n)
		}
		texts = append(texts, s.piece(r, length))
		tokens += length
	}
	return texts, tokens
}

// listed is request n with its first text and those beside it.
func (s *Source) listed(n uint64, text string, in, out int) Request {
	more, tokens := s.inLists(n)
	r := Request{Prompt: text, InputTokens: in + tokens, OutputTokens: out}
	if s.lists.documents.IsZero() {
		r.Texts = append([]string{text}, more...)
	} else {
		r.Documents = more
	}
	return r
}

// Inputs are the texts of a request, each for itself: its batch, or the one
// text that it is.
func (r Request) Inputs() []string {
	if len(r.Texts) > 0 {
		return r.Texts
	}
	return []string{r.Text()}
}
