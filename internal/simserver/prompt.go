package simserver

import (
	"unicode"
	"unicode/utf8"
)

// appendHashes appends the hash of every whole block of a prompt: of all its
// words up to the end of the block. Words are cut as the tokenizer counts
// them, so that a block has as many tokens as the engine thinks. The hash is
// FNV-1a, the same in every run.
func appendHashes(dst []uint64, prompt string, block int) []uint64 {
	if block == 0 {
		return dst
	}
	const offset, prime = 0xcbf29ce484222325, 0x100000001b3
	hash, words := uint64(offset), 0
	add := func(word string) {
		for i := range len(word) {
			hash = (hash ^ uint64(word[i])) * prime
		}
		hash = (hash ^ ' ') * prime
		if words++; words%block == 0 {
			dst = append(dst, hash)
		}
	}
	start := -1 // of the word under way
	for i, r := range prompt {
		alone := r >= utf8.RuneSelf && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
		if alone || unicode.IsSpace(r) {
			if start >= 0 {
				add(prompt[start:i])
			}
			if start = -1; alone {
				add(string(r))
			}
		} else if start < 0 {
			start = i
		}
	}
	if start >= 0 {
		add(prompt[start:])
	}
	return dst
}
