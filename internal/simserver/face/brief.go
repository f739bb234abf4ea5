package face

// Long prompts are most of a body, and a server that reads them three times
// with a general decoder costs as much as the client that wrote them. So the
// long strings of a body are cut out and stand-ins put in their places; what
// is left is read as it always was, and the strings are put back. Whatever is
// not plain is left for the general way, so that both ways give one answer.

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"
	"unicode/utf8"
)

// long is the length from which a string is cut out: a stand-in takes some
// bytes itself.
const long = 64

// standIn begins and ends a stand-in, as JSON and as it is read. A body
// without a backslash can't say it otherwise.
const (
	standInWritten = `\u0000`
	standIn        = "\x00"
)

// briefly parses a body as parse would, without having it read the long strings.
func briefly(body []byte, parse func([]byte) (Ask, error)) (Ask, error) {
	brief, cut := shorten(body)
	if len(cut) > 0 {
		if a, err := parse(brief); err == nil {
			a.Model = putBack(a.Model, cut)
			for i, text := range a.Texts {
				a.Texts[i] = putBack(text, cut)
			}
			for i := range a.Media {
				a.Media[i].Source = putBack(a.Media[i].Source, cut)
			}
			return seen(a, nil)
		}
	}
	return seen(parse(body)) // also for its errors, which tell places in the body
}

// shorten returns a body with stand-ins and the strings that they stand for;
// none where there is nothing to cut. Where nothing is escaped, every other
// quote ends a string.
func shorten(body []byte) (brief []byte, cut [][]byte) {
	if len(body) < long || bytes.IndexByte(body, '\\') >= 0 {
		return nil, nil
	}
	for rest := body; ; {
		start := bytes.IndexByte(rest, '"') + 1
		if start == 0 {
			return append(brief, rest...), cut
		}
		n := bytes.IndexByte(rest[start:], '"')
		if n < 0 {
			return nil, nil
		}
		brief = append(brief, rest[:start]...)
		text := rest[start : start+n]
		if n >= long && plain(text) {
			brief = append(brief, standInWritten...)
			brief = strconv.AppendInt(brief, int64(len(cut)), 10)
			brief = append(brief, standInWritten...)
			cut = append(cut, text)
		} else {
			brief = append(brief, text...)
		}
		brief = append(brief, '"')
		rest = rest[start+n+1:]
	}
}

// plain tells whether the inside of a string without escapes is its value as
// it stands: a control character is an error there, and what is no UTF-8 is
// replaced.
func plain(text []byte) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	// The highest bit of a byte below ' ' becomes set: a borrow, where there was none.
	below := func(w uint64) uint64 { return (w - ' '*ones) &^ w }
	rest := text
	for ; len(rest) >= 32; rest = rest[32:] {
		four := rest[:32]
		if (below(binary.LittleEndian.Uint64(four))|below(binary.LittleEndian.Uint64(four[8:]))|
			below(binary.LittleEndian.Uint64(four[16:]))|below(binary.LittleEndian.Uint64(four[24:])))&high != 0 {
			return false
		}
	}
	for _, c := range rest {
		if c < ' ' {
			return false
		}
	}
	return utf8.Valid(text)
}

// putBack is a text with the strings in place of their stand-ins.
func putBack(text string, cut [][]byte) string {
	if !strings.Contains(text, standIn) {
		return text
	}
	parts := strings.Split(text, standIn) // every other one is a number
	var b strings.Builder
	n := len(text)
	for i := 1; i < len(parts); i += 2 {
		n += len(cut[number(parts[i])])
	}
	b.Grow(n)
	for i, part := range parts {
		if i%2 == 0 {
			b.WriteString(part)
		} else {
			b.Write(cut[number(part)])
		}
	}
	return b.String()
}

func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		panic("internal error: a stand-in without its number")
	}
	return n
}
