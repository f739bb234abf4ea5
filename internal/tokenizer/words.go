// Package tokenizer turns text into counts of tokens. It holds two: a model's own
// tokenizer, read from its tokenizer.json, with the very ids that the model sees; and the
// built-in count, `words`, which needs no vocabulary: the client uses it where
// neither the server nor a model's tokenizer tells, and the embedded server
// counts the same way. It refuses to call that count more than it is (records
// name the source of each count) and promises that it is the same everywhere.
package tokenizer

import (
	"math/bits"
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
		if n, starts, ends := eights(s[i:], inside); n > 0 {
			i, words, inside = i+n, words+starts, ends
			continue
		}
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

// eights takes eight characters at once as long as the next eight are ASCII:
// the embedded server counts every prompt, and by single characters that was
// most of what it did. It returns how many bytes it took, how many words start
// in them, and whether the last is inside of a word.
func eights(s string, inside bool) (n, starts int, ends bool) {
	const each, high = 0x0101010101010101, 0x8080808080808080
	before := uint64(0) // in its high bit: whether the character before is inside of a word
	if inside {
		before = 1 << 63
	}
	for ; len(s) >= 8; s = s[8:] {
		w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		if w&high != 0 {
			break
		}
		// The high bit of each byte of (w|high) - each*c says whether it is c or
		// above; nothing is borrowed from the byte beside it.
		w |= high
		above := w - each*' '
		word := high & (w - each*(' '+1))
		if above&high != high { // something below a space
			white := (w-each*'\t')&^(w-each*('\r'+1)) | above&^word
			word = high &^ white
		}
		starts += bits.OnesCount64(word &^ (word<<8 | before>>56))
		before = word
		n += 8
	}
	return n, starts, before>>63 == 1
}
