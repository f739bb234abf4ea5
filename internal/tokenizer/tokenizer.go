// A model's own tokenizer, read from the tokenizer.json that lies beside it.

package tokenizer

import "iter"

// A Tokenizer turns text into the ids that a model sees. The order of its work
// is that of Hugging Face's library: tokens that were added to the vocabulary
// are cut out, the rest is normalised and split into pieces, and each piece is
// merged. It does not change once read: any number of goroutines may use it.
type Tokenizer struct {
	raw        added // looked for in the text as it is
	normalized added // looked for in the normalised text
	normalize  []normalizer
	split      []splitter
	model      encoder
}

// An encoder appends the ids of a piece.
type encoder interface {
	encode(ids []int32, piece string) []int32
}

// A normalizer rewrites a text that holds no added token.
type normalizer func(string) string

// A splitter appends the pieces of a piece. first tells that the piece begins
// the text.
type splitter func(dst []string, piece string, first bool) []string

// Encode returns the ids of the text. The special tokens that a server puts
// around a prompt (a mark of its beginning, a chat template) are not among
// them; those that stand in the text itself are. Invalid UTF-8 is encoded byte
// by byte where the vocabulary is one of bytes.
func (t *Tokenizer) Encode(text string) []int32 {
	ids := make([]int32, 0, len(text)/3+1)
	for outer := range t.raw.parts(text) {
		if outer.isToken {
			ids = append(ids, outer.id)
			continue
		}
		plain := outer.text
		for _, n := range t.normalize {
			plain = n(plain)
		}
		for inner := range t.normalized.parts(plain) {
			if inner.isToken {
				ids = append(ids, inner.id)
				continue
			}
			ids = t.encodePlain(ids, inner.text, outer.first && inner.first)
		}
	}
	return ids
}

// Count is the number of tokens of the text.
func (t *Tokenizer) Count(text string) int { return len(t.Encode(text)) }

// encodePlain appends the ids of a normalised text without added tokens.
func (t *Tokenizer) encodePlain(ids []int32, text string, first bool) []int32 {
	pieces, next := []string{text}, []string(nil)
	for _, split := range t.split {
		next = next[:0]
		for i, p := range pieces {
			if p == "" {
				next = append(next, p)
			} else {
				next = split(next, p, first && i == 0)
			}
		}
		pieces, next = next, pieces
	}
	for _, p := range pieces {
		if p != "" {
			ids = t.model.encode(ids, p)
		}
	}
	return ids
}

// A part of a text is an added token or what stands between two.
type part struct {
	text    string
	isToken bool
	id      int32
	first   bool // it begins the text
}

// parts cuts the added tokens out of the text. An empty text has no parts.
func (a *added) parts(text string) iter.Seq[part] {
	return func(yield func(part) bool) {
		start := 0
		for at := 0; at < len(text); {
			m, ok := a.at(text, at)
			if !ok {
				at++
				continue
			}
			from, to, taken := m.reach(text, at, start)
			at += len(m.content)
			if !taken {
				continue
			}
			if start < from && !yield(part{text: text[start:from], first: start == 0}) {
				return
			}
			if !yield(part{isToken: true, id: m.ID, first: from == 0}) {
				return
			}
			start, at = to, max(at, to)
		}
		if start < len(text) {
			yield(part{text: text[start:], first: start == 0})
		}
	}
}
