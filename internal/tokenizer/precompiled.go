// The table by which SentencePiece rewrites a text before anything else, as
// its models carry it: compiled, and meant for its own reader.

package tokenizer

import (
	"encoding/binary"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A precompiled finds what stands for a character or a cluster of some. Its
// units are a double array: a trie in which a child is found by adding.
type precompiled struct {
	units []uint32
	texts string // each ends with a zero
}

func newPrecompiled(data []byte) (*precompiled, error) {
	if len(data) < 4 {
		return nil, errors.New("normalizer Precompiled: the table is cut short")
	}
	n, rest := int(binary.LittleEndian.Uint32(data)), data[4:]
	if n > len(rest) || n < 4 || n%4 != 0 || !utf8.Valid(rest[n:]) {
		return nil, errors.New("normalizer Precompiled: the table is damaged")
	}
	p := &precompiled{texts: string(rest[n:])}
	for i := 0; i < n; i += 4 {
		p.units = append(p.units, binary.LittleEndian.Uint32(rest[i:]))
	}
	return p, nil
}

// largestCluster is the number of bytes from which a cluster is rewritten
// character by character at once.
const largestCluster = 6

// rewrite rewrites a text. A short cluster is looked up as a whole: what the
// table has for its beginning stands for all of it.
func (p *precompiled) rewrite(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for text != "" {
		n := cluster(text)
		whole := text[:n]
		text = text[n:]
		if n < largestCluster {
			if to, ok := p.find(whole); ok {
				b.WriteString(to)
				continue
			}
		}
		for whole != "" {
			_, size := utf8.DecodeRuneInString(whole)
			if to, ok := p.find(whole[:size]); ok {
				b.WriteString(to)
			} else {
				b.WriteString(whole[:size])
			}
			whole = whole[size:]
		}
	}
	return b.String()
}

// find returns what stands for the shortest beginning of the key that the
// table knows.
func (p *precompiled) find(key string) (text string, ok bool) {
	at := uint32(0)
	unit := p.units[0]
	for i := -1; ; i++ {
		if i >= 0 {
			if key[i] == 0 {
				return "", false
			}
			at ^= uint32(key[i])
			if at >= uint32(len(p.units)) {
				return "", false
			}
			if unit = p.units[at]; unit&(1<<31|0xff) != uint32(key[i]) {
				return "", false
			}
		}
		at ^= unit >> 10 << (unit & (1 << 9) >> 6)
		if i >= 0 && unit>>8&1 == 1 {
			return p.at(at)
		}
		if i+1 == len(key) {
			return "", false
		}
	}
}

// at is the text that a leaf points to.
func (p *precompiled) at(leaf uint32) (string, bool) {
	if leaf >= uint32(len(p.units)) {
		return "", false
	}
	start := p.units[leaf] & (1<<31 - 1)
	if start > uint32(len(p.texts)) {
		return "", false
	}
	text, _, _ := strings.Cut(p.texts[start:], "\x00")
	return text, true
}

// cluster is the length of the first grapheme cluster of a text, by the rules
// of Unicode's Annex 29 that decide clusters of less than largestCluster bytes.
// Those of flags, families and conjuncts join what is longer in any case.
func cluster(text string) int {
	before, n := utf8.DecodeRuneInString(text)
	for n < len(text) {
		r, size := utf8.DecodeRuneInString(text[n:])
		if !joins(before, r) {
			break
		}
		before, n = r, n+size
	}
	return n
}

// joins tells whether no cluster ends between two characters.
func joins(before, r rune) bool {
	switch {
	case before == '\r':
		return r == '\n'
	case controls(before) || controls(r):
		return false
	case extends(r) || spacing(r) || prepends(before):
		return true
	}
	switch next := hangul(r); hangul(before) {
	case leading:
		return next == leading || next == vowel || next == open || next == closed
	case vowel, open:
		return next == vowel || next == trailing
	case trailing, closed:
		return next == trailing
	}
	return false
}

func controls(r rune) bool {
	if r == 0x200c || r == 0x200d || unicode.Is(unicode.Prepended_Concatenation_Mark, r) || 0xe0020 <= r && r <= 0xe007f {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

func extends(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Other_Grapheme_Extend) || r == 0x200d || 0x1f3fb <= r && r <= 0x1f3ff
}

// notSpacing are marks of their own width that Unicode takes out.
var notSpacing = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x102b, 0x102c, 1}, {0x1038, 0x1038, 1}, {0x1062, 0x1064, 1}, {0x1067, 0x106d, 1}, {0x1083, 0x1083, 1},
		{0x1087, 0x108c, 1}, {0x108f, 0x108f, 1}, {0x109a, 0x109c, 1}, {0x1a61, 0x1a61, 1}, {0x1a63, 0x1a64, 1}, {0xaa7b, 0xaa7b, 1}, {0xaa7d, 0xaa7d, 1},
	},
	R32: []unicode.Range32{{0x11720, 0x11721, 1}},
}

func spacing(r rune) bool {
	return r == 0x0e33 || r == 0x0eb3 || unicode.Is(unicode.Mc, r) && !unicode.Is(notSpacing, r)
}

func prepends(r rune) bool {
	return r == 0x0d4e || unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// The kinds of Hangul letters. Syllables end in a vowel or in a consonant.
const (
	leading = iota + 1
	vowel
	trailing
	open
	closed
)

func hangul(r rune) int {
	switch {
	case 0x1100 <= r && r <= 0x115f || 0xa960 <= r && r <= 0xa97c:
		return leading
	case 0x1160 <= r && r <= 0x11a7 || 0xd7b0 <= r && r <= 0xd7c6:
		return vowel
	case 0x11a8 <= r && r <= 0x11ff || 0xd7cb <= r && r <= 0xd7fb:
		return trailing
	case 0xac00 <= r && r <= 0xd7a3 && (r-0xac00)%28 == 0:
		return open
	case 0xac00 <= r && r <= 0xd7a3:
		return closed
	}
	return 0
}
