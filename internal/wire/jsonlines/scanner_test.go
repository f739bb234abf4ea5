// This file tests the splitting of lines against strings.Split.

package jsonlines

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"assay/internal/record"
	"assay/internal/wire"
)

type line struct {
	Data string
	End  int // bytes of the body up to the end of the line
}

func reference(body string) []line {
	var out []line
	at := 0
	for _, l := range strings.SplitAfter(body, "\n") {
		at += len(l)
		if data := strings.TrimSpace(l); data != "" {
			out = append(out, line{data, at})
		}
	}
	return out
}

func scan(s *Scanner, body string, sizes ...int) []line {
	var out []line
	take := func(ev wire.Event) { out = append(out, line{string(ev.Data), int(ev.End) - 1000}) }
	s.Reset()
	for i, at := 0, 0; at < len(body); i++ {
		free := s.Buffer()
		n := copy(free[:min(len(free), max(1, sizes[i%len(sizes)]))], body[at:])
		at += n
		s.Advance(wire.Piece{N: n, End: uint64(1000 + at)})
		for {
			ev, ok := s.Next()
			if !ok {
				break
			}
			take(ev)
		}
	}
	if ev, ok := s.Flush(); ok {
		take(ev)
	}
	return out
}

var bodies = []string{
	"", "\n", "{}", "{}\n", "{\"a\":1}\n{\"b\":2}\n", "{}\r\n\r\n{}\r\n", "\n\n{}\n \n{}", "{}\n{\"cut", "\xff\xfe\n\xc3\xa4\n",
	strings.Repeat("{\"a\":\"b\"}\n", 2000), "{\"a\":\"" + strings.Repeat("x", 20_000) + "\"}\n{}\n",
}

func TestLinesAreEventsHoweverTheBytesAreSplit(t *testing.T) {
	var s Scanner
	for _, body := range bodies {
		for first := 1; first <= min(len(body), 40)+1; first++ {
			got := scan(&s, body, first, 1<<20)
			if diff := cmp.Diff(reference(body), got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%.50q split after %d (-want +got):\n%s", body, first, diff)
			}
		}
	}
}

func TestALineBeyondTheBoundIsAnError(t *testing.T) {
	var s Scanner
	got := scan(&s, "{}\n"+strings.Repeat("x", 2*wire.MaxEvent), 100_000)
	var e *wire.Error
	if !errors.As(s.Err(), &e) || e.Kind != record.ErrEventTooLarge || len(got) != 1 {
		t.Errorf("%d lines, Err() = %v; want one, then %s", len(got), s.Err(), record.ErrEventTooLarge)
	}
}

func TestOrdinaryLinesCostNoAllocation(t *testing.T) {
	var s Scanner
	l := []byte("{\"response\":\" hello\",\"done\":false}\n")
	end := uint64(0)
	if avg := testing.AllocsPerRun(1000, func() {
		end += uint64(len(l))
		s.Advance(wire.Piece{N: copy(s.Buffer(), l), End: end})
		if ev, ok := s.Next(); !ok || ev.End != end {
			t.Fatal(ev, ok)
		}
	}); avg != 0 {
		t.Errorf("allocations per line = %v, want 0", avg)
	}
}

func FuzzLines(f *testing.F) {
	for _, body := range bodies {
		f.Add(body, uint8(7))
	}
	f.Fuzz(func(t *testing.T, body string, size uint8) {
		var s Scanner
		if diff := cmp.Diff(reference(body), scan(&s, body, int(size), 1000), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q (-reference +got):\n%s", body, diff)
		}
	})
}
