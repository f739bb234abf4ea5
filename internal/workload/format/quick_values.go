package format

// The values that members take in the quick way: each goes behind the value and
// tells whether it took it. Null leaves what it finds, as in encoding/json.

import (
	"bytes"
	"encoding/json"
)

func toText(q *quick, into *string) bool {
	v, ok := q.value()
	switch {
	case !ok:
		return false
	case v[0] == 'n':
		return true
	case v[0] != '"':
		return false
	case bytes.IndexByte(v, '\\') >= 0:
		return json.Unmarshal(v, into) == nil
	}
	*into = string(v[1 : len(v)-1])
	return true
}

func toTextThere(q *quick, into **string) bool {
	if q.null() {
		return true
	}
	var s string
	*into = &s
	return toText(q, &s)
}

// toWhole takes what surely fits.
func toWhole(q *quick, into **int64) bool {
	if q.null() {
		return true
	}
	below := q.i < len(q.b) && q.b[q.i] == '-'
	if below {
		q.i++
	}
	n, ok := q.whole()
	if below {
		n = -n
	}
	*into = &n
	return ok && !q.goesOn()
}

// whole reads digits, if they are not too many and do not begin with a 0 that
// means nothing.
func (q *quick) whole() (n int64, ok bool) {
	const most = 18
	from := q.i
	for q.i < len(q.b) && '0' <= q.b[q.i] && q.b[q.i] <= '9' {
		n = n*10 + int64(q.b[q.i]-'0')
		q.i++
	}
	digits := q.i - from
	return n, digits == 1 || digits > 1 && digits <= most && q.b[from] != '0'
}

// goesOn tells whether a number has a fraction or an exponent.
func (q *quick) goesOn() bool {
	return q.i < len(q.b) && (q.b[q.i] == '.' || q.b[q.i] == 'e' || q.b[q.i] == 'E')
}

// toNumber takes numbers of up to 15 digits. Such a one and the power of ten
// that it is divided by are exact, so their quotient is the nearest there is.
func toNumber(q *quick, into **float64) bool {
	const most = 15
	if q.null() {
		return true
	}
	from := q.i
	n, ok := q.whole()
	power := 1.0
	if ok && q.i < len(q.b) && q.b[q.i] == '.' {
		q.i++
		point := q.i
		for q.i < len(q.b) && '0' <= q.b[q.i] && q.b[q.i] <= '9' {
			n, power = n*10+int64(q.b[q.i]-'0'), power*10
			q.i++
		}
		ok = q.i > point
	}
	x := float64(n) / power
	*into = &x
	return ok && q.i-from <= most && !q.goesOn()
}

func toIDs(q *quick, into *[]uint64) bool {
	if q.null() {
		return true
	}
	if !q.next('[') {
		return false
	}
	length := bytes.IndexByte(q.b[q.i:], ']')
	if length < 0 {
		return false
	}
	ids := make([]uint64, 0, 1+bytes.Count(q.b[q.i:q.i+length], []byte{','}))
	for !q.next(']') {
		if len(ids) > 0 && !q.next(',') {
			return false
		}
		q.space()
		n, ok := q.whole()
		if !ok {
			return false
		}
		ids = append(ids, uint64(n))
	}
	*into = ids
	return true
}

// each hands the elements of a list to take, and of null none.
func each(q *quick, take func(element []byte) bool) bool {
	if q.null() {
		return true
	}
	if !q.next('[') {
		return false
	}
	for first := true; !q.next(']'); first = false {
		if !first && !q.next(',') {
			return false
		}
		if element, ok := q.element(); !ok || !take(element) {
			return false
		}
	}
	return true
}

func (q *quick) element() ([]byte, bool) {
	q.space()
	return q.value()
}

func toRaw(q *quick, into *json.RawMessage) (ok bool) {
	*into, ok = q.value()
	return ok
}

func toMembers(q *quick, into *map[string]any) bool {
	v, ok := q.value()
	return ok && json.Unmarshal(v, into) == nil
}
