package format

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// long is a trace of so many lines in which line n says n in its lengths, and
// every 97th can't be used. As an array the lines have commas between them.
func long(n int, array bool) (content string, inputs []int) {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		if array {
			b.WriteString([]string{"[", ","}[min(i-1, 1)])
		}
		if i%97 == 0 {
			b.WriteString(`{"input_length": 0}` + "\n")
			continue
		}
		fmt.Fprintf(&b, `{"timestamp": %d, "input_length": %d, "hash_ids": [%d]}`+"\n", i*10, i, i%7)
		inputs = append(inputs, i)
	}
	if array {
		b.WriteString("]")
	}
	return b.String(), inputs
}

func TestALongFileIsReadAgainFromItsMarks(t *testing.T) {
	for _, array := range []bool{false, true} {
		content, want := long(5000, array)
		x, err := open(holding(content), "f", Options{Block: 8192}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if most := len(content)/apart + 1; len(x.marks) < 2 || len(x.marks) > most {
			t.Errorf("array %v: %d marks for %d bytes, want 2 to %d", array, len(x.marks), len(content), most)
		}
		if x.entries != len(want) {
			t.Fatalf("array %v: %d entries, want %d", array, x.entries, len(want))
		}
		for k := range want {
			n := k * 2741 % len(want) // 2741 is prime: every entry, in no order
			e, err := x.entry(n)
			if err != nil {
				t.Fatal(err)
			}
			if e.Input != want[n] || e.Line != want[n] || e.Block != 8192 {
				t.Fatalf("array %v: entry %d has input %d, line %d, block %d, want %d, %d, 8192", array, n, e.Input, e.Line, e.Block, want[n], want[n])
			}
		}
	}
}

func TestALineLongerThanABufferIsOneLine(t *testing.T) {
	words := strings.Repeat("word ", 200_000) // a million bytes; the buffer has a quarter of that
	f, err := Open(holding(`{"text": "a"}`+"\n"+`{"text": "`+words+`"}`+"\n"+`{"text": "b"}`), "f", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range []string{"a", words, "b"} {
		if e, err := f.Entry(n); err != nil || e.Text != want || e.Line != n+1 {
			t.Errorf("entry %d: line %d, %d bytes, %v, want %d bytes", n, e.Line, len(e.Text), err, len(want))
		}
	}
}

func TestUnitsComeInTheOrderOfTheirTimes(t *testing.T) {
	f, err := Open(holding(`{"timestamp": 300, "input_length": 3}
{"timestamp": 100, "input_length": 1, "session_id": "s"}
{"timestamp": 200, "input_length": 2}
{"delay": 5, "input_length": 9, "session_id": "s"}
{"timestamp": 100, "input_length": 7}
`), "f", Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got [][]int
	for u := range f.Units {
		got = append(got, f.Turns(u))
	}
	if d := cmp.Diff([][]int{{1, 3}, {4}, {2}, {0}}, got); d != "" { // ties stay in the order of the file
		t.Errorf("units (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]int64{100 * ms, 100 * ms, 200 * ms, 300 * ms}, f.Times); d != "" {
		t.Errorf("times (-want +got):\n%s", d)
	}
	if f.Sessions != 1 {
		t.Errorf("%d sessions, want 1", f.Sessions)
	}
}

func TestAFileOfWhichAPartIsTimedHasNoTimes(t *testing.T) {
	f, err := Open(holding(`{"timestamp": 300, "input_length": 3}`+"\n"+`{"input_length": 3}`+"\n"+`{"timestamp": 400, "input_length": 3}`), "f", Options{})
	if err != nil || f.Times != nil {
		t.Errorf("times %v, %v, want none", f.Times, err)
	}
}

func TestSessionsThatRepeatTheirHistoryAreRecognised(t *testing.T) {
	for name, c := range map[string]struct {
		content string
		want    bool
	}{
		"blocks go on": {`{"session_id": "a", "input_length": 1000, "hash_ids": [1, 2]}
{"session_id": "b", "input_length": 600, "hash_ids": [8, 9]}
{"session_id": "a", "input_length": 1700, "hash_ids": [1, 5, 6, 7]}
{"session_id": "b", "input_length": 1200, "hash_ids": [8, 9, 10]}`, true},
		"blocks begin anew": {`{"session_id": "a", "input_length": 1000, "hash_ids": [1, 2]}
{"session_id": "a", "input_length": 1700, "hash_ids": [3, 1, 2, 7]}`, false},
		"text goes on":      {`{"session_id": "a", "text_input": "one"}` + "\n" + `{"session_id": "a", "text_input": "one two"}`, true},
		"text begins anew":  {`{"session_id": "a", "text_input": "one"}` + "\n" + `{"session_id": "a", "text_input": "two one"}`, false},
		"text is shorter":   {`{"session_id": "a", "text_input": "one two"}` + "\n" + `{"session_id": "a", "text_input": "one"}`, false},
		"turns of one line": {`{"turns": [{"text": "a"}, {"text": "a b"}, {"text": "a b c"}]}`, true},
		"messages go on": {`{"session_id": "a", "message_mode": "delta", "messages": [{"role": "user", "content": "x"}]}
{"session_id": "a", "message_mode": "delta", "messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}, {"role": "user", "content": "z"}]}`, true},
		"other sessions do not count": {`{"session_id": "a", "text_input": "one"}` + "\n" + `{"session_id": "b", "text_input": "one two"}`, false},
		"the most decide":             {`{"turns": [{"text": "a"}, {"text": "a b"}, {"text": "c"}]}`, true},
		"a third does not":            {`{"turns": [{"text": "a"}, {"text": "a b"}, {"text": "c"}, {"text": "d"}]}`, false},
	} {
		f, err := Open(holding(c.content), "f", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if f.Cumulative != c.want {
			t.Errorf("%s: cumulative %v, want %v", name, f.Cumulative, c.want)
		}
		entries, err := f.Unit(0)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range entries {
			if want := i > 0 && c.want; e.Alone != want {
				t.Errorf("%s: turn %d alone %v, want %v", name, i, e.Alone, want)
			}
		}
	}
}

func TestAFileThatIsChangedMeanwhileIsNotSent(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	content, _ := long(300, false)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := Open(os.DirFS(dir), "f", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Entry(0); err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace([]byte(content), []byte("290"), []byte("291"), 1)
	if err := os.WriteFile(path, changed, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Entry(f.Entries - 1); err == nil || err.Error() != "f: it was changed after it was read" {
		t.Errorf("%v, want that it was changed", err)
	}
}

func BenchmarkOpenMooncake(b *testing.B) {
	content, _ := long(20_000, false)
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		if _, err := Open(holding(content), "f", Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpenAzure(b *testing.B) {
	content := headers["azure_trace"] + strings.Repeat("2023-11-16 18:15:46.6805900,374,44\n", 20_000)
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		if _, err := Open(holding(content), "f", Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEntriesOneAfterTheOther(b *testing.B) {
	content, want := long(20_000, false)
	f, err := Open(holding(content), "f", Options{})
	if err != nil {
		b.Fatal(err)
	}
	for n := 0; b.Loop(); n++ {
		if _, err := f.Entry(n % len(want)); err != nil {
			b.Fatal(err)
		}
	}
}
