package dialect

// The scanner reads JSON where it lies and allocates nothing: encoding/json
// costs 3.5 µs an event, more than everything else that is done for it.

import (
	"bytes"
	"encoding/json"
	"strconv"
)

const (
	// maxDepth is how deep values may nest; encoding/json stops there too.
	maxDepth = 10000
	// maxCount bounds a number that is read as a count, so that sums can't overflow.
	maxCount = 1 << 31
)

// A scanner walks over one JSON text. It accepts what encoding/json accepts:
// the first byte that breaks the grammar sets bad and moves to the end, and
// from there every method reports the end. The caller asks bad once.
type scanner struct {
	b     []byte
	i     int
	depth int
	bad   bool
}

func (s *scanner) reset(b []byte) { *s = scanner{b: b} }

func (s *scanner) fail() { s.bad, s.i = true, len(s.b) }

// class is the first byte of what comes next; 0 at the end.
func (s *scanner) class() byte {
	for ; s.i < len(s.b); s.i++ {
		switch c := s.b[s.i]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// open enters an object ('{') or array ('['); false, with nothing consumed,
// when the next value is something else.
func (s *scanner) open(c byte) bool {
	if s.class() != c {
		return false
	}
	s.i++
	if s.depth++; s.depth > maxDepth {
		s.fail()
		return false
	}
	return true
}

// more moves to the next member or element of what was opened; false at its
// end. first says that none was read yet.
func (s *scanner) more(first bool, closing byte) bool {
	switch c := s.class(); {
	case c == closing && c != 0:
		s.i++
		s.depth--
		return false
	case first && c != 0:
		return true
	case c == ',':
		s.i++
		return true
	default:
		s.fail()
		return false
	}
}

// member moves to the next member of an object and returns its key.
func (s *scanner) member(first bool) (key []byte, ok bool) {
	if !s.more(first, '}') {
		return nil, false
	}
	key, ok = s.text()
	if ok && bytes.IndexByte(key, '\\') >= 0 {
		key = unescape(key)
	}
	if !ok || s.class() != ':' {
		s.fail()
		return nil, false
	}
	s.i++
	return key, true
}

// unescape is for keys that someone wrote with escapes: rare, so it may allocate.
func unescape(raw []byte) []byte {
	var key string
	quoted := append(append([]byte{'"'}, raw...), '"')
	if json.Unmarshal(quoted, &key) != nil {
		return raw
	}
	return []byte(key)
}

// text reads a string and returns what stands between its quotes, escapes as
// they were written; false, with nothing consumed, when the next value is none.
func (s *scanner) text() (raw []byte, ok bool) {
	if s.class() != '"' {
		return nil, false
	}
	start := s.i + 1
	for i := start; i < len(s.b); i++ {
		switch c := s.b[i]; {
		case c == '"':
			s.i = i + 1
			return s.b[start:i], true
		case c == '\\':
			n := escape(s.b[i+1:])
			if n == 0 {
				s.fail()
				return nil, false
			}
			i += n
		case c < ' ':
			s.fail()
			return nil, false
		}
	}
	s.fail()
	return nil, false
}

// escape is the length of the escape that b begins with, its backslash not counted; 0 for none.
func escape(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	switch b[0] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 1
	case 'u':
		if len(b) < 5 {
			return 0
		}
		for _, c := range b[1:5] {
			if !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f') {
				return 0
			}
		}
		return 5
	}
	return 0
}

// null consumes a null and reports whether there was one.
func (s *scanner) null() bool { return s.class() == 'n' && s.literal("null") }

func (s *scanner) literal(word string) bool {
	if len(s.b)-s.i < len(word) || string(s.b[s.i:s.i+len(word)]) != word {
		s.fail()
		return false
	}
	s.i += len(word)
	return true
}

// number reads a number and returns its text; false, with nothing consumed,
// when the next value is none.
func (s *scanner) number() (raw []byte, ok bool) {
	if c := s.class(); c != '-' && !digit(c) {
		return nil, false
	}
	start := s.i
	if s.b[s.i] == '-' {
		s.i++
	}
	if s.i < len(s.b) && s.b[s.i] == '0' {
		s.i++
	} else if !s.digits() {
		return nil, false
	}
	if s.i < len(s.b) && s.b[s.i] == '.' {
		s.i++
		if !s.digits() {
			return nil, false
		}
	}
	if s.i < len(s.b) && s.b[s.i]|0x20 == 'e' {
		s.i++
		if s.i < len(s.b) && (s.b[s.i] == '+' || s.b[s.i] == '-') {
			s.i++
		}
		if !s.digits() {
			return nil, false
		}
	}
	return s.b[start:s.i], true
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// digits consumes one digit at least.
func (s *scanner) digits() bool {
	start := s.i
	for s.i < len(s.b) && digit(s.b[s.i]) {
		s.i++
	}
	if s.i == start {
		s.fail()
		return false
	}
	return true
}

// count reads a number that counts something. False, with the value consumed,
// for null, a negative number or a value of another type: nobody told.
func (s *scanner) count() (n int, ok bool) {
	raw, ok := s.number()
	if !ok {
		s.skip()
		return 0, false
	}
	for _, c := range raw {
		if !digit(c) {
			f, err := strconv.ParseFloat(string(raw), 64)
			if err != nil || f < 0 {
				return 0, false
			}
			return int(min(f, maxCount)), true
		}
		n = min(n*10+int(c-'0'), maxCount)
	}
	return n, true
}

// skip consumes the next value, whatever it is.
func (s *scanner) skip() {
	switch c := s.class(); c {
	case '{':
		if !s.open('{') {
			return
		}
		for first := true; ; first = false {
			if _, ok := s.member(first); !ok {
				return
			}
			s.skip()
		}
	case '[':
		s.length()
	case '"':
		s.text()
	case 't':
		s.literal("true")
	case 'f':
		s.literal("false")
	case 'n':
		s.literal("null")
	default:
		if _, ok := s.number(); !ok {
			s.fail()
		}
	}
}

// length consumes an array and returns how many elements it has; 0, with the
// value consumed, when the next value is no array.
func (s *scanner) length() int {
	if s.class() != '[' {
		s.skip()
		return 0
	}
	if !s.open('[') {
		return 0
	}
	n := 0
	for ; s.more(n == 0, ']'); n++ {
		s.skip()
	}
	return n
}
