// This file tests the scanner by hand-made bodies and against the reference.

package sse

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"assay/internal/record"
	"assay/internal/wire"
)

var bodies = []struct {
	name, body string
	want       []message
}{
	{"one event", "data: a\n\n", []message{{"", "a", 9}}},
	{"without the space", "data:a\n\n", []message{{"", "a", 8}}},
	{"only one space is cut", "data:  a\n\n", []message{{"", " a", 10}}},
	{"CR LF", "data: a\r\n\r\ndata: b\r\n\r\n", []message{{"", "a", 11}, {"", "b", 22}}},
	{"CR alone", "data: a\r\rdata: b\r\r", []message{{"", "a", 9}, {"", "b", 18}}},
	{"mixed line ends", "data: a\r\ndata: b\rdata: c\n\r\n", []message{{"", "a\nb\nc", 27}}},
	{"named", "event: delta\ndata: a\n\n", []message{{"delta", "a", 22}}},
	{"the name is for one event", "event: x\ndata: a\n\ndata: b\n\n", []message{{"x", "a", 18}, {"", "b", 27}}},
	{"the name after the data", "data: a\nevent: x\n\n", []message{{"x", "a", 18}}},
	{"two data lines", "data: a\ndata: b\n\n", []message{{"", "a\nb", 17}}},
	{"data lines around others", "data: a\nid: 1\n: c\ndata: b\n\n", []message{{"", "a\nb", 27}}},
	{"data without a colon", "data\ndata\n\n", []message{{"", "\n", 11}}},
	{"empty data", "data:\n\n", []message{{"", "", 7}}},
	{"comments are no events", ": ping\n\n:\n\ndata: a\n\n", []message{{"", "a", 20}}},
	{"a name without data is no event", "event: x\n\ndata: a\n\n", []message{{"", "a", 19}}},
	{"an error whose text is a comment", "event: error\n: it broke\n\n", []message{{"error", "it broke", 25}}},
	{"the same, the comment first", ": it broke\nevent: error\n\n", []message{{"error", "it broke", 25}}},
	{"the last comment is an error's text", "id: 3\n: first\n: second\nevent: error\n\n", []message{{"error", "second", 37}}},
	{"an old comment is not an error's text", ": ping\n\nevent: error\n\n", []message{{"error", "", 22}}},
	{"fields nobody knows", "id: 1\nretry: 5\nfoo: bar\nfoo\ndata: a\n\n", []message{{"", "a", 37}}},
	{"field names are exact", "Data: a\n data: b\ndatax: c\ndata: d\n\n", []message{{"", "d", 35}}},
	{"byte order mark", "\xef\xbb\xbfdata: a\n\n", []message{{"", "a", 12}}},
	{"a second mark is text", "\xef\xbb\xbf\xef\xbb\xbfdata: a\n\ndata: b\n\n", []message{{"", "b", 24}}},
	{"blank lines before", "\n\r\n\rdata: a\n\n", []message{{"", "a", 13}}},
	{"no blank line at the end", "data: a\n\ndata: b\n", []message{{"", "a", 9}, {"", "b", 17}}},
	{"no line end at the end", "data: a\n\ndata: [DONE]", []message{{"", "a", 9}, {"", "[DONE]", 21}}},
	{"nothing left at the end", "data: a\n\nid: 7", []message{{"", "a", 9}}},
	{"UTF-8 and what is not", "data: \xc3\xa4\xf0\x9f\x98\x80\xff\n\n", []message{{"", "\u00e4\U0001f600\xff", 15}}},
	{"colons in the data", "data: a:b: c\n\n", []message{{"", "a:b: c", 14}}},
	{"empty body", "", nil},
}

func TestScannerFollowsTheSpecificationHoweverTheBytesAreSplit(t *testing.T) {
	var s Scanner
	for _, b := range bodies {
		t.Run(b.name, func(t *testing.T) {
			if diff := cmp.Diff(b.want, reference(b.body)); diff != "" {
				t.Fatalf("the reference disagrees with the case (-want +got):\n%s", diff)
			}
			for first := 1; first <= len(b.body); first++ {
				got := scan(t, &s, b.body, first, 1000)
				if diff := cmp.Diff(b.want, loosen(b.body, got)); diff != "" {
					t.Errorf("split after %d bytes (-want +got):\n%s", first, diff)
				}
			}
			got := scan(t, &s, b.body, 1)
			if diff := cmp.Diff(b.want, loosen(b.body, got), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("byte by byte (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnEventIsOutWithTheFirstByteOfItsBlankLine(t *testing.T) {
	for _, body := range []string{"data: a\n\n", "data: a\r\n\r", "data: a\r\r"} {
		var s Scanner
		for i := range len(body) {
			n := copy(s.Buffer(), body[i:i+1])
			s.Advance(wire.Piece{N: n, End: uint64(i + 1)})
			_, ok := s.Next()
			if last := i == len(body)-1; ok != last {
				t.Errorf("%q: after %d bytes Next() = %v, want %v", body, i+1, ok, last)
			}
		}
	}
}

func TestLongEventsGrowTheBufferUpToTheBound(t *testing.T) {
	var s Scanner
	for _, size := range []int{1000, 4090, 4096, 5000, 100_000, wire.MaxEvent - 10} {
		data := repeat("x", size)
		body := "data: a\n\ndata: " + data + "\n\ndata: b\n\n"
		got := scan(t, &s, body, 3000)
		if len(got) != 3 || got[1].Data != data || got[2].Data != "b" || s.Err() != nil {
			t.Fatalf("event of %d bytes: %d events, error %v", size, len(got), s.Err())
		}
	}
}

func TestAnEventBeyondTheBoundIsAnError(t *testing.T) {
	for _, body := range []string{
		"data: " + repeat("x", 3*wire.MaxEvent),
		repeat("data: xxxxxxxxxxxxxxxx\n", 3*wire.MaxEvent/23),
	} {
		var s Scanner
		got := scan(t, &s, body, 100_000)
		var e *wire.Error
		if !errors.As(s.Err(), &e) || e.Kind != record.ErrEventTooLarge {
			t.Errorf("Err() = %v, want kind %s", s.Err(), record.ErrEventTooLarge)
		}
		if _, ok := s.Next(); ok || len(got) > 0 {
			t.Errorf("events came though the bound was passed")
		}
		if _, ok := s.Flush(); ok {
			t.Error("Flush() = an event, want none after an error")
		}
	}
}

func TestCommentsWithoutEndTakeNoMemory(t *testing.T) {
	var s Scanner
	body := repeat(": keep-alive\nid: 4\n", 2*wire.MaxEvent/19)
	if got := scan(t, &s, body, 4000); len(got) != 0 || s.Err() != nil {
		t.Fatalf("events = %v, error %v; want none", got, s.Err())
	}
	body = repeat(": keep-alive\n", 4*wire.MaxEvent/13) + "data: a\n\n"
	got := scan(t, &s, body, 4000)
	if len(got) != 1 || s.Err() != nil {
		t.Fatalf("events = %v, error %v; want one", got, s.Err())
	}
	if n := len(s.Buffer()); n > 32<<10 {
		t.Errorf("the buffer grew to %d bytes", n)
	}
}

func TestResetForgetsWhatWasThere(t *testing.T) {
	var s Scanner
	for _, rest := range []string{"data: a", "data: a\r", "event: error\n", ": c\n", "\xef", "data: a\ndata: b\n"} {
		s.Reset()
		s.Advance(wire.Piece{N: copy(s.Buffer(), rest), End: uint64(len(rest))})
		s.Next()
		if got := scan(t, &s, "\n\ndata: z\n\n", 4); len(got) != 1 || got[0].Data != "z" {
			t.Errorf("after %q and Reset: %v, want one event z", rest, got)
		}
	}
}

func TestOrdinaryEventsCostNoAllocation(t *testing.T) {
	var s Scanner
	ev := []byte("data: {\"choices\":[{\"delta\":{\"content\":\" hello\"}}]}\n\n")
	end := uint64(0)
	n := 0
	avg := testing.AllocsPerRun(1000, func() {
		for range 10 {
			end += uint64(len(ev))
			s.Advance(wire.Piece{N: copy(s.Buffer(), ev), End: end})
			for {
				if _, ok := s.Next(); !ok {
					break
				}
				n++
			}
		}
	})
	if avg != 0 {
		t.Errorf("allocations per ten events = %v, want 0", avg)
	}
	if n != 10*1001 {
		t.Errorf("events = %d, want %d", n, 10*1001)
	}
}

func FuzzScanner(f *testing.F) {
	for _, b := range bodies {
		f.Add(b.body, []byte{1, 3, 200})
	}
	f.Fuzz(func(t *testing.T, body string, sizes []byte) {
		var s Scanner
		got := scan(t, &s, body, pieces(sizes)...)
		if diff := cmp.Diff(loosen(body, reference(body)), loosen(body, got)); diff != "" {
			t.Errorf("%q in pieces %v (-reference +got):\n%s", body, sizes, diff)
		}
	})
}

func BenchmarkScanner(b *testing.B) {
	var s Scanner
	ev := []byte(fmt.Sprintf("data: {\"id\":\"%s\",\"choices\":[{\"delta\":{\"content\":\" hello\"}}]}\n\n", repeat("x", 180)))
	b.ReportAllocs()
	for i := range b.N {
		s.Advance(wire.Piece{N: copy(s.Buffer(), ev), End: uint64((i + 1) * len(ev))})
		if _, ok := s.Next(); !ok {
			b.Fatal("no event")
		}
	}
}
