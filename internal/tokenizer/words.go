// Package tokenizer turns text into counts of tokens. It holds two: a model's own
// tokenizer, read from its tokenizer.json, with the very ids that the model sees; and the
// built-in count, `words`, which needs no vocabulary: the client uses it where
// neither the server nor a model's tokenizer tells, and the embedded server
// counts the same way. It refuses to call that count more than it is (records
// name the source of each count) and promises that it is the same everywhere.
package tokenizer

import (
	"unicode"
	"unicode/utf8"
)

// Words counts the words of s. A word is a run of characters that are not
// white space. Chinese and Japanese put no space between words, so each Han,
// Hiragana and Katakana character counts as a word of its own and ends the run
// before it: a page of Chinese is not one token. Invalid bytes are part of the
// word they stand in. It does not allocate.
func Words(s string) int {
	words, inside := 0, false
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			i++
			if c == ' ' || '\t' <= c && c <= '\r' {
				inside = false
			} else if !inside {
				inside = true
				words++
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case unicode.IsSpace(r):
			inside = false
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			inside = false
			words++
		case !inside:
			inside = true
			words++
		}
	}
	return words
}
