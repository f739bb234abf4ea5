package simserver

// What a request's text is to the engine: a number of tokens, and the blocks by
// which its beginning may be found again. Tokens are words, or those of the
// tokenizer that the server was given.

import (
	"hash/crc32"
	"math"
	"unicode"
	"unicode/utf8"

	"assay/internal/simserver/face"
	"assay/internal/tokenizer"
)

// A counted is a request's text as the engine counts it.
type counted struct {
	tokens int
	hashes []uint64 // of every whole block
}

// read counts what is asked, the template included that stands before the
// messages of a chat.
func (s *Server) read(f face.Face, ask face.Ask) counted {
	h := hasher{hash: basis, block: s.settings.BlockSize()}
	if f.Templated {
		for range s.settings.TemplateTokens() {
			h.number(-1) // no text has it
		}
	}
	media := ask.Media
	for i, text := range ask.Texts {
		switch {
		case s.config.Tokenizer != nil:
			for _, id := range s.config.Tokenizer.Encode(text) {
				h.number(int64(id))
			}
		case h.block == 0:
			h.tokens += tokenizer.Words(text)
		default:
			h.words(text)
		}
		for ; len(media) > 0 && media[0].Behind == i; media = media[1:] {
			h.medium(media[0].Source, s.tokensOf(media[0]))
		}
	}
	return counted{h.tokens, h.hashes}
}

// tokensOf is how many tokens a model sees in a medium.
func (s *Server) tokensOf(m face.Medium) int {
	if m.Picture {
		return s.settings.ImageTokens()
	}
	return int(math.Ceil(m.Seconds * float64(s.settings.AudioTokens())))
}

// A hasher makes the hash of every whole block of a prompt: of all its tokens
// up to the end of the block. The hash is FNV-1a, the same in every run.
type hasher struct {
	hash   uint64
	block  int // tokens; 0 makes no hashes
	tokens int
	hashes []uint64
}

const basis, prime = uint64(0xcbf29ce484222325), uint64(0x100000001b3)

func (h *hasher) add(c byte) { h.hash = (h.hash ^ uint64(c)) * prime }

// end ends a token.
func (h *hasher) end() {
	if h.tokens++; h.block > 0 && h.tokens%h.block == 0 {
		h.hashes = append(h.hashes, h.hash)
	}
}

func (h *hasher) word(word string) {
	for i := range len(word) {
		h.add(word[i])
	}
	h.add(' ')
	h.end()
}

func (h *hasher) number(id int64) {
	for shift := 0; shift < 64; shift += 8 {
		h.add(byte(id >> shift))
	}
	h.end()
}

// medium takes a picture or recording as so many tokens, which are those of
// the same one only.
func (h *hasher) medium(source string, tokens int) {
	if h.block == 0 {
		h.tokens += tokens
		return
	}
	data := []byte(source)
	sum := uint64(crc32.ChecksumIEEE(data))<<32 | uint64(crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)))
	for k := range tokens {
		h.number(int64(sum) + int64(k))
	}
}

// words takes each word of a text as a token. Words are cut as the tokenizer
// counts them, so that a block has as many tokens as the engine thinks.
func (h *hasher) words(text string) {
	start := -1 // of the word under way
	for i, r := range text {
		alone := r >= utf8.RuneSelf && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
		if alone || unicode.IsSpace(r) {
			if start >= 0 {
				h.word(text[start:i])
			}
			if start = -1; alone {
				h.word(string(r))
			}
		} else if start < 0 {
			start = i
		}
	}
	if start >= 0 {
		h.word(text[start:])
	}
}
