package format

// The quick way to read an object: it takes the plain form in which programs
// write traces, and leaves everything else to encoding/json, with which a trace
// takes three times as long, and which knows what to say of what is wrong. What
// both take they take alike.

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// A quick reads one object from left to right.
type quick struct {
	b []byte
	i int
}

// plainly fills what an object says by set, which is told each member once,
// goes behind its value, and returns false for one that it does not take. known are all the members
// that mean something. It returns false where the slow way has to look; what
// was set by then is to be thrown away.
func plainly(data []byte, known []string, set func(name string, q *quick) bool) bool {
	if !utf8.Valid(data) {
		return false
	}
	q := quick{b: data}
	seen, others := uint64(0), 0
	if !q.next('{') {
		return false
	}
	if !q.next('}') {
		for {
			key, ok := q.key()
			if !ok {
				return false
			}
			switch m := memberOf(known, key); {
			case m < 0 && (resembles(known, key) || !q.skip(0)): // encoding/json takes Text for text
				return false
			case m >= 0 && (seen&(1<<m) != 0 || !set(known[m], &q)):
				return false
			case m >= 0:
				seen |= 1 << m
			default:
				others++
			}
			if q.next(',') {
				continue
			}
			if q.next('}') {
				break
			}
			return false
		}
	}
	q.space()
	return q.i == len(q.b) && (others < 2 || repeated(data) == "")
}

// repeated is the name of a member that an object has twice, as far as names are
// written plainly.
func repeated(data []byte) string {
	q := quick{b: data}
	var names [][]byte
	if !q.next('{') || q.next('}') {
		return ""
	}
	for {
		key, ok := q.key()
		if !ok {
			return ""
		}
		for _, name := range names {
			if bytes.Equal(name, key) {
				return string(key)
			}
		}
		names = append(names, key)
		if !q.skip(0) || !q.next(',') {
			return ""
		}
	}
}

func memberOf(known []string, key []byte) int {
	for i, k := range known {
		if string(key) == k {
			return i
		}
	}
	return -1
}

func resembles(known []string, key []byte) bool {
	for _, k := range known {
		if strings.EqualFold(k, string(key)) {
			return true
		}
	}
	return false
}

func (q *quick) space() {
	for q.i < len(q.b) && (q.b[q.i] == ' ' || q.b[q.i] == '\t' || q.b[q.i] == '\r' || q.b[q.i] == '\n') {
		q.i++
	}
}

// next takes a character, if it is the next behind white space.
func (q *quick) next(c byte) bool {
	q.space()
	if q.i < len(q.b) && q.b[q.i] == c {
		q.i++
		return true
	}
	return false
}

// key reads the name of a member and stands before its value then.
func (q *quick) key() ([]byte, bool) {
	q.space()
	from := q.i
	if !q.text() {
		return nil, false
	}
	key := q.b[from+1 : q.i-1]
	if bytes.IndexByte(key, '\\') >= 0 || !q.next(':') {
		return nil, false
	}
	q.space()
	return key, true
}

// value goes behind a value, and returns it.
func (q *quick) value() ([]byte, bool) {
	from := q.i
	ok := q.skip(0)
	return q.b[from:q.i], ok
}

// null goes behind a null, if one is next.
func (q *quick) null() bool { return q.i < len(q.b) && q.b[q.i] == 'n' && q.skip(0) }

// text goes behind a string.
func (q *quick) text() bool {
	if q.i >= len(q.b) || q.b[q.i] != '"' {
		return false
	}
	for q.i++; q.i < len(q.b); q.i++ {
		switch c := q.b[q.i]; {
		case c == '"':
			q.i++
			return true
		case c == '\\':
			if q.i++; q.i >= len(q.b) || strings.IndexByte(`"\/bfnrtu`, q.b[q.i]) < 0 {
				return false
			}
			if q.b[q.i] == 'u' && !q.code() {
				return false
			}
		case c < ' ':
			return false
		}
	}
	return false
}

// code goes to the last of the four digits behind a u.
func (q *quick) code() bool {
	for range 4 {
		if q.i++; q.i >= len(q.b) || strings.IndexByte("0123456789abcdefABCDEF", q.b[q.i]) < 0 {
			return false
		}
	}
	return true
}

// skip goes behind a value of any kind.
func (q *quick) skip(depth int) bool {
	const deepest = 32
	q.space()
	if q.i >= len(q.b) || depth > deepest {
		return false
	}
	switch c := q.b[q.i]; c {
	case '"':
		return q.text()
	case '[', '{':
		q.i++
		if q.next(c + 2) { // ] and } stand two behind [ and {
			return true
		}
		for {
			if c == '{' {
				if _, ok := q.key(); !ok {
					return false
				}
			}
			if !q.skip(depth + 1) {
				return false
			}
			if q.next(c + 2) {
				return true
			}
			if !q.next(',') {
				return false
			}
		}
	case 't', 'f', 'n':
		for _, word := range []string{"true", "false", "null"} {
			if word[0] == c && len(q.b)-q.i >= len(word) && string(q.b[q.i:q.i+len(word)]) == word {
				q.i += len(word)
				return true
			}
		}
		return false
	}
	return q.number()
}

// number goes behind a number.
func (q *quick) number() bool {
	if q.i < len(q.b) && q.b[q.i] == '-' {
		q.i++
	}
	from := q.i
	if q.digits(); q.i == from || q.i-from > 1 && q.b[from] == '0' {
		return false
	}
	if q.i < len(q.b) && q.b[q.i] == '.' {
		q.i++
		from = q.i
		if q.digits(); q.i == from {
			return false
		}
	}
	if q.i == len(q.b) || q.b[q.i] != 'e' && q.b[q.i] != 'E' {
		return true
	}
	if q.i++; q.i < len(q.b) && (q.b[q.i] == '+' || q.b[q.i] == '-') {
		q.i++
	}
	from = q.i
	q.digits()
	return q.i > from
}

func (q *quick) digits() {
	for q.i < len(q.b) && '0' <= q.b[q.i] && q.b[q.i] <= '9' {
		q.i++
	}
}
