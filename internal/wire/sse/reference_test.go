// This file is a second, slow implementation of the event-stream rules, written
// over whole lines of the whole body: the oracle of the scanner's tests.

package sse

import (
	"bytes"
	"strings"
	"testing"

	"assay/internal/wire"
)

type message struct {
	Name, Data string
	End        int // bytes of the body up to the end of the event
}

// reference splits body by the rules of the specification; after the last
// complete event it applies them to what is left, as Flush does.
func reference(body string) []message {
	var out []message
	var name, data, note string
	var filled bool
	emit := func(end int) {
		if filled {
			out = append(out, message{name, strings.TrimSuffix(data, "\n"), end})
		} else if name == "error" {
			out = append(out, message{name, note, end})
		}
		name, data, note, filled = "", "", "", false
	}
	pos := 0
	first := true
	for pos < len(body) {
		end := strings.IndexAny(body[pos:], "\r\n")
		next := len(body)
		var line string
		if end < 0 {
			line = body[pos:]
		} else {
			line = body[pos : pos+end]
			next = pos + end + 1
			if body[pos+end] == '\r' && next < len(body) && body[next] == '\n' {
				next++
			}
		}
		pos = next
		if first {
			line = strings.TrimPrefix(line, "\ufeff")
			first = false
		}
		if line == "" {
			emit(pos)
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "data":
			data += value + "\n"
			filled = true
		case "event":
			name = value
		case "":
			note = value
		}
	}
	emit(len(body))
	return out
}

// scan feeds body to a scanner in pieces of the given sizes, over and over,
// and returns its events. The connection's offsets have a hole before each
// piece, as chunk headers make.
func scan(t testing.TB, s *Scanner, body string, sizes ...int) []message {
	t.Helper()
	var out []message
	var conn uint64
	at, last := 0, 0 // in the body; size of the last piece
	take := func(ev wire.Event) {
		back := conn - ev.End
		if ev.End > conn || back > uint64(max(0, last-1)) {
			t.Fatalf("event %q ends at offset %d, outside the last piece, (%d, %d]", ev.Data, ev.End, conn-uint64(last), conn)
		}
		out = append(out, message{string(ev.Name), string(ev.Data), at - int(back)})
	}
	s.Reset()
	for i := 0; at < len(body); i++ {
		free := s.Buffer()
		if len(free) == 0 {
			t.Fatal("Buffer() is empty")
		}
		n := copy(free[:min(len(free), max(1, sizes[i%len(sizes)]))], body[at:])
		conn += 7 + uint64(n)
		at += n
		last = n
		s.Advance(wire.Piece{N: n, End: conn})
		for {
			ev, ok := s.Next()
			if !ok {
				break
			}
			take(ev)
		}
		if s.Err() != nil {
			return out
		}
	}
	if ev, ok := s.Flush(); ok {
		take(ev)
	}
	return out
}

// loosen makes ends comparable: a CR at the end of a piece ends its line at
// once, so the event may end one byte earlier than with its LF.
func loosen(body string, ms []message) []message {
	out := make([]message, len(ms))
	for i, m := range ms {
		if m.End > 0 && m.End < len(body) && body[m.End-1] == '\r' && body[m.End] == '\n' {
			m.End++
		}
		out[i] = m
	}
	return out
}

func pieces(sizes []byte) []int {
	if len(sizes) == 0 {
		return []int{1}
	}
	out := make([]int, len(sizes))
	for i, b := range sizes {
		out[i] = int(b)
	}
	return out
}

func repeat(s string, n int) string { return string(bytes.Repeat([]byte(s), n)) }
