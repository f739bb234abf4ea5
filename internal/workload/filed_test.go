package workload

import (
	"fmt"
	"strings"
	"testing"
)

// traceOf is a file of entries in memory.
func traceOf(entries ...Entry) *File {
	return &File{
		Name: "f", Entries: len(entries), Units: len(entries),
		Turns: func(u int) []int { return []int{u} },
		Entry: func(n int) (Entry, error) { return entries[n], nil },
	}
}

func wordsIn(s string) int { return len(strings.Fields(s)) }

func filedSource(t *testing.T, spec Spec, first uint64, entries ...Entry) *Source {
	t.Helper()
	if spec.OutputTokens.IsZero() {
		spec.OutputTokens = Length{Law: "constant", A: 7}
	}
	s, err := NewFiled(spec, 1, "main", traceOf(entries...), first, wordsIn)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEqualBlocksHaveEqualWordsAndWhatIsBeyondThemIsNew(t *testing.T) {
	s := filedSource(t, Spec{}, 0,
		Entry{Input: 25, Blocks: []uint64{1, 2, 3}, Block: 10}, Entry{Input: 28, Blocks: []uint64{1, 2, 4}, Block: 10},
		Entry{Input: 25, Blocks: []uint64{1}, Block: 10}, Entry{Input: 25})
	text := func(n uint64) []string { return strings.Fields(s.Request(n).Prompt) }
	shared := func(a, b []string) int {
		n := 0
		for n < min(len(a), len(b)) && a[n] == b[n] {
			n++
		}
		return n
	}
	for n, want := range []int{25, 28, 25, 25} {
		if got := len(text(uint64(n))); got != want {
			t.Errorf("request %d has %d words, want %d", n, got, want)
		}
	}
	for _, c := range []struct {
		a, b uint64
		want int
	}{{0, 1, 20}, {0, 2, 10}, {0, 4, 25}, {2, 6, 10}, {3, 7, 0}, {0, 3, 0}} {
		if got := shared(text(c.a), text(c.b)); got != c.want {
			t.Errorf("requests %d and %d begin with %d equal words, want %d", c.a, c.b, got, c.want)
		}
	}
	salted := filedSource(t, Spec{Salt: "other"}, 0, Entry{Input: 25, Blocks: []uint64{1, 2, 3}, Block: 10})
	if got := shared(text(0), strings.Fields(salted.Request(0).Prompt)); got > 1 {
		t.Errorf("with another salt %d words are equal", got)
	}
}

func TestTheWarmUpTakesTheEndOfTheFile(t *testing.T) {
	s := filedSource(t, Spec{Order: Sequential}, 2, Entry{Text: "a"}, Entry{Text: "b"}, Entry{Text: "c"}, Entry{Text: "d"}, Entry{Text: "e"})
	got := ""
	for n := range uint64(8) {
		got += s.Request(n).Prompt
	}
	if want := "deabcdea"; got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
}

func TestALimitIsTheLinesThenTheRecordedRepliesThenTheContracts(t *testing.T) {
	s := filedSource(t, Spec{Order: Sequential}, 0,
		Entry{Text: "x y", Output: 3, Recorded: "one two"}, Entry{Text: "x", Recorded: "one two"}, Entry{Text: "x"}, Entry{Raw: []byte("{}"), Text: "a b c"})
	for n, want := range [][2]int{{2, 3}, {1, 2}, {1, 7}, {3, 0}} {
		in, out := s.Lengths(uint64(n))
		r := s.Request(uint64(n))
		if in != want[0] || out != want[1] || r.InputTokens != in || r.OutputTokens != out {
			t.Errorf("request %d: %d in, %d out (planned %d, %d), want %v", n, r.InputTokens, r.OutputTokens, in, out, want)
		}
	}
}

func TestAFileThatCannotBeReadAgainIsSaid(t *testing.T) {
	f := traceOf(Entry{Text: "a"})
	f.Entry = func(int) (Entry, error) { return Entry{}, fmt.Errorf("f: it was changed after it was read") }
	s, err := NewFiled(Spec{OutputTokens: Length{Law: "constant", A: 7}}, 1, "main", f, 0, wordsIn)
	if err != nil {
		t.Fatal(err)
	}
	if r := s.Request(0); r.Err == nil {
		t.Error("a request is made of nothing")
	}
}
