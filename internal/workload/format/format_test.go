package format

import (
	"encoding/json"
	"errors"
	"os"
	"testing"

	"assay/internal/workload"

	"github.com/google/go-cmp/cmp"
)

type says = workload.Message

func user(words string) []says { return []says{{Role: "user", Content: words}} }

const (
	ms  = int64(1_000_000)
	sec = 1000 * ms
)

// files are those of testdata, with what a reader of the format's description
// makes of them by hand.
var files = []struct {
	file, format string
	said         string // the format, where it can't be found
	want         []workload.Entry
	unusable     map[int]string // by line
	sessions     [][]int        // entries of each unit
}{
	{file: "mooncake.jsonl", format: "mooncake_trace", want: []workload.Entry{
		{Line: 1, Timed: true, At: 1000 * ms, Input: 1100, Output: 5, Blocks: []uint64{0, 1, 2}, Block: 512},
		{Line: 2, Timed: true, At: 1100 * ms, Input: 1300, Output: 6, Blocks: []uint64{0, 1, 3}, Block: 512},
		{Line: 3, Timed: true, At: 1250*ms + ms/2, Text: "the third says it in words", Output: 4},
		{Line: 4, Timed: true, At: 1300 * ms, Messages: user("the fourth in messages"), Alone: true,
			Extra: map[string]any{"temperature": 0.0, "tools": json.RawMessage(`[{"type": "function"}]`)}},
		{Line: 5, Timed: true, At: 1400 * ms, Messages: user("the fifth is a body"), Alone: true, Output: 3, Streamed: true,
			Raw: []byte(`{"model": "m", "messages": [{"role": "user", "content": "the fifth is a body"}], "max_tokens": 3, "stream": true}`)},
	}},
	{file: "sharegpt.json", format: "sharegpt", want: []workload.Entry{
		{Line: 1, Session: "a1", Messages: []says{{Role: "system", Content: "be brief"}, {Role: "user", Content: "what is a token"}}, Recorded: "a piece of a word"},
		{Line: 1, Session: "a1", Messages: user("and a word"), Recorded: "some tokens"},
		{Line: 2, Session: "a2", Messages: user("good day")},
		{Line: 4, Session: "a4", Messages: user("one, and no answer")},
	}, unusable: map[int]string{3: "nobody asks anything"}, sessions: [][]int{{0, 1}, {2}, {3}}},
	{file: "azure.csv", format: "azure_trace", want: []workload.Entry{
		{Line: 2, Timed: true, At: 1700158546_680590000, Input: 374, Output: 44}, // date -u -d '2023-11-16 18:15:46' +%s
		{Line: 3, Timed: true, At: 1700158550_995169000, Input: 396, Output: 109},
	}, unusable: map[int]string{4: "GeneratedTokens 0 is not between 1 and 10000000"}},
	{file: "burstgpt.csv", format: "burst_gpt_trace", want: []workload.Entry{
		{Line: 2, Timed: true, At: 5 * sec, Input: 472, Output: 18},
		{Line: 3, Timed: true, At: 45*sec + sec/2, Input: 1087, Output: 230},
	}},
	{file: "bailian.jsonl", format: "bailian_trace", want: []workload.Entry{
		{Line: 1, Timed: true, At: 61*sec + 114*ms, Alone: true, Input: 40, Output: 13, Blocks: []uint64{1089, 1090, 6326}, Block: 16},
		{Line: 2, Timed: true, At: 62 * sec, Alone: true, Input: 16, Output: 2, Blocks: []uint64{7}, Block: 16},
		{Line: 3, Timed: true, At: 70*sec + sec/2, Alone: true, Input: 60, Output: 7, Blocks: []uint64{1089, 1090, 6327, 8}, Block: 16},
	}, sessions: [][]int{{0, 2}, {1}}},
	{file: "single_turn.jsonl", format: "single_turn", want: []workload.Entry{
		{Line: 1, Text: "first question", Output: 9, Think: 2*ms + ms/2, Alone: true},
		{Line: 2, Session: "s", Text: "second\nquestion", Alone: true, Extra: map[string]any{"top_p": 0.5}},
		{Line: 3, Session: "s", Timed: true, At: 4 * ms, Text: "third\none", Alone: true},
	}, unusable: map[int]string{4: "image: is neither PNG, JPEG, GIF nor WebP"}, sessions: [][]int{{0}, {1, 2}}},
	{file: "multi_turn.jsonl", format: "multi_turn", want: []workload.Entry{
		{Line: 1, Session: "m", Messages: []says{{Role: "system", Content: "be kind"}, {Role: "user", Content: "hello"}}},
		{Line: 1, Session: "m", Text: "and on", Think: 100 * ms, Output: 3},
		{Line: 2, Text: "alone"},
	}, sessions: [][]int{{0, 1}, {2}}},
	{file: "inputs.json", format: "inputs_json", want: []workload.Entry{
		{Line: 1, Session: "x", Messages: user("one two"), Alone: true, Output: 7, Streamed: true,
			Raw: []byte(`{"messages": [{"role": "user", "content": "one two"}], "model": "m", "max_completion_tokens": 7, "stream": true}`)},
		{Line: 1, Session: "x", Messages: user("three"), Alone: true, Streamed: true,
			Raw: []byte(`{"messages": [{"role": "user", "content": "three"}], "model": "m", "stream": true}`)},
		{Line: 2, Session: "y", Text: "four five", Alone: true, Output: 2, Streamed: true,
			Raw: []byte(`{"prompt": "four five", "max_tokens": 2, "stream": true}`)},
	}, sessions: [][]int{{0, 1}, {2}}},
	{file: "raw.jsonl", format: "raw_payload", want: []workload.Entry{
		{Line: 1, Messages: user("in parts"), Alone: true, Output: 4, Streamed: true,
			Raw: []byte(`{"model": "m", "messages": [{"role": "user", "content": [{"type": "text", "text": "in parts"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="}}]}], "max_tokens": 4, "stream": true}`)},
		{Line: 2, Text: "as a text", Alone: true, Streamed: true,
			Raw: []byte(`{"model": "m", "prompt": "as a text", "stream": true, "temperature": 0.3}`)},
	}},
	{file: "dag.jsonl", format: "dag_jsonl", want: []workload.Entry{
		{Line: 1, Session: "d", Messages: user("plan it"), Output: 5, Extra: map[string]any{"ignore_eos": true}},
		{Line: 1, Session: "d", Messages: user("do it"), Think: 50 * ms, Extra: map[string]any{"model": json.RawMessage(`"other"`)}},
		{Line: 2, Session: "e", Messages: []says{{Role: "system", Content: "be brief"}, {Role: "user", Content: "start"}}},
		{Line: 2, Session: "e", Messages: user("join")},
		{Line: 3, Session: "f", Messages: user("branch"), Think: 20 * ms},
		{Line: 4, Session: "g", Messages: user("apart")},
		{Line: 4, Session: "g", Messages: user("further")},
	}, unusable: map[int]string{5: `unknown field "turnz"`}, sessions: [][]int{{0, 1}, {2, 5, 6, 3, 4}}},
	{file: "batch.jsonl", format: "openai_batch", want: []workload.Entry{
		{Line: 1, Messages: []says{{Role: "system", Content: "s"}, {Role: "user", Content: "u v"}}, Output: 12, Extra: map[string]any{"temperature": 0.7}},
		{Line: 2, Text: "go on"},
	}, unusable: map[int]string{3: `method "GET" is not POST`}},
	{file: "pool.jsonl", format: "random_pool", said: "random_pool", want: []workload.Entry{
		{Line: 1, Text: "one of a pool"},
		{Line: 2, Text: "another", Output: 2},
	}, unusable: map[int]string{3: "a pool is drawn from: timestamp, delay and session_id mean nothing in it"}},
}

func TestEachFormatIsFoundByItsContentAndReadAsItIs(t *testing.T) {
	dir := os.DirFS("testdata")
	for _, c := range files {
		t.Run(c.file, func(t *testing.T) {
			var got []workload.Entry
			unusable := map[int]string{}
			for e, err := range Entries(dir, c.file, Options{Format: c.said}) {
				var u *Unusable
				switch {
				case errors.As(err, &u):
					unusable[u.Line] = u.Reason
				case err != nil:
					t.Fatal(err)
				default:
					got = append(got, e)
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("entries (-want +got):\n%s", d)
			}
			if c.unusable == nil {
				c.unusable = map[int]string{}
			}
			if d := cmp.Diff(c.unusable, unusable); d != "" {
				t.Errorf("unusable lines (-want +got):\n%s", d)
			}
			f, err := Open(dir, c.file, Options{Format: c.said})
			if err != nil {
				t.Fatal(err)
			}
			if f.Format != c.format {
				t.Errorf("format %s, want %s", f.Format, c.format)
			}
		})
	}
}

func TestEntriesAreFoundAgainByTheirNumbersInAnyOrder(t *testing.T) {
	dir := os.DirFS("testdata")
	for _, c := range files {
		f, err := Open(dir, c.file, Options{Format: c.said})
		if err != nil {
			t.Fatal(err)
		}
		if f.Entries != len(c.want) || f.Unusable != len(c.unusable) {
			t.Fatalf("%s: %d entries and %d unusable lines, want %d and %d", c.file, f.Entries, f.Unusable, len(c.want), len(c.unusable))
		}
		for n := len(c.want) - 1; n >= 0; n-- {
			got, err := f.Entry(n)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want[n], got); d != "" {
				t.Errorf("%s: entry %d (-want +got):\n%s", c.file, n, d)
			}
		}
	}
}

func TestTurnsOfOneSessionBelongTogether(t *testing.T) {
	dir := os.DirFS("testdata")
	for _, c := range files {
		f, err := Open(dir, c.file, Options{Format: c.said})
		if err != nil {
			t.Fatal(err)
		}
		want := c.sessions
		if want == nil {
			for n := range c.want {
				want = append(want, []int{n})
			}
		}
		var got [][]int
		for u := range f.Units {
			got = append(got, f.Turns(u))
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: units (-want +got):\n%s", c.file, d)
		}
	}
}

func TestTheTableHasAFileForEachFormat(t *testing.T) {
	have := map[string]bool{}
	for _, c := range files {
		have[c.format] = true
	}
	for _, name := range Names() {
		if !have[name] {
			t.Errorf("no file of %s is tested", name)
		}
		if About(name) == "" {
			t.Errorf("%s is not described", name)
		}
	}
}
