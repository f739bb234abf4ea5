// Tokens that were added to a vocabulary: they are found before anything else.

package tokenizer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An addedToken is one of them as tokenizer.json has it.
type addedToken struct {
	ID         int32  `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"` // not inside a word
	LStrip     bool   `json:"lstrip"`      // takes the white space before it
	RStrip     bool   `json:"rstrip"`      // takes the white space after it
	Normalized bool   `json:"normalized"`  // looked for in the normalised text

	content string // normalised where Normalized
}

// added finds tokens, the longest first. Vocabularies add thousands that begin
// with the same byte, so that they are looked up by length and not one by one.
type added struct {
	lengths [256][]int // of the tokens that begin with this byte, longest first
	tokens  map[string]addedToken
}

func newAdded(tokens []addedToken) added {
	a := added{tokens: make(map[string]addedToken, len(tokens))}
	for _, t := range tokens {
		first, n := t.content[0], len(t.content)
		a.tokens[t.content] = t
		if !slices.Contains(a.lengths[first], n) {
			a.lengths[first] = append(a.lengths[first], n)
		}
	}
	for _, lengths := range a.lengths {
		slices.SortFunc(lengths, func(x, y int) int { return y - x })
	}
	return a
}

// at returns the longest token that stands at the offset.
func (a *added) at(text string, offset int) (addedToken, bool) {
	for _, n := range a.lengths[text[offset]] {
		if offset+n <= len(text) {
			if t, ok := a.tokens[text[offset:offset+n]]; ok {
				return t, true
			}
		}
	}
	return addedToken{}, false
}

// reach is what the token takes of the text when it stands at the offset, of
// which everything before start is taken already; false when it does not count
// there.
func (t addedToken) reach(text string, offset, start int) (from, to int, taken bool) {
	from, to = offset, offset+len(t.content)
	if t.SingleWord {
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		after, _ := utf8.DecodeRuneInString(text[to:])
		if from > 0 && isWord(before) || to < len(text) && isWord(after) {
			return 0, 0, false
		}
	}
	if t.LStrip {
		from = max(start, len(strings.TrimRightFunc(text[:from], unicode.IsSpace)))
	}
	if t.RStrip {
		to = len(text) - len(strings.TrimLeftFunc(text[to:], unicode.IsSpace))
	}
	return from, to, true
}

// isWord tells the characters of words apart, as \w does.
func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) ||
		unicode.In(r, unicode.Pc, unicode.Nl, unicode.Other_Alphabetic, unicode.Join_Control)
}
