package format

import (
	"strings"
	"testing"

	"assay/internal/workload"

	"github.com/google/go-cmp/cmp"
)

func TestAMessageOfMoreThanWordsIsKeptAsItIsAndItsWordsAreCounted(t *testing.T) {
	const (
		call   = `{"role": "assistant", "content": null, "tool_calls": [{"id": "1"}]}`
		result = `{"role": "tool", "tool_call_id": "1", "content": "22 degrees"}`
		parts  = `{"role": "user", "content": [{"type": "text", "text": "see"}, {"type": "image_url", "image_url": {"url": "http://x"}}, {"type": "text", "text": "this"}]}`
	)
	for name, line := range map[string]string{
		"mooncake_trace": `{"message_mode": "delta", "messages": [%]}`,
		"openai_batch":   `{"custom_id": "a", "body": {"messages": [%]}}`,
		"dag_jsonl":      `{"session_id": "a", "turns": [{"messages": [%]}]}`,
	} {
		list := `{"role": "user", "content": "hi"}, ` + call + ", " + result + ", " + parts
		f, err := Open(holding(strings.Replace(line, "%", list, 1)), "f", Options{Format: name})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		e, err := f.Entry(0)
		if err != nil {
			t.Fatal(err)
		}
		want := []workload.Message{
			{Role: "user", Content: "hi"}, {Role: "assistant", Raw: []byte(call)},
			{Role: "tool", Content: "22 degrees", Raw: []byte(result)}, {Role: "user", Content: "see\nthis", Raw: []byte(parts)},
		}
		if d := cmp.Diff(want, e.Messages); d != "" || e.Extra != nil {
			t.Errorf("%s: extra %v, messages (-want +got):\n%s", name, e.Extra, d)
		}
	}
}

func TestHistoriesThatDifferInMoreThanWordsAreNotRepeated(t *testing.T) {
	turn := func(url string) string {
		return `{"session_id": "a", "message_mode": "delta", "messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "` + url + `"}}]}, {"role": "user", "content": "so"}]}`
	}
	for second, want := range map[string]bool{"http://x": true, "http://y": false} {
		f, err := Open(holding(turn("http://x")+"\n"+turn(second)), "f", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if f.Cumulative != want {
			t.Errorf("%s after http://x: cumulative %v, want %v", second, f.Cumulative, want)
		}
	}
}
