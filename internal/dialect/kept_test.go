package dialect_test

import (
	"strings"
	"testing"
)

// choice is a chunk about one choice.
func choice(index, members string) string {
	return `{"choices":[{"delta":{` + members + `},"index":` + index + `}]}`
}

func TestTheWordsOfAReplyAreKeptForAConversationThatGoesOn(t *testing.T) {
	for _, c := range []struct {
		name, endpoint string
		events         []string
		want           string
	}{
		{"a role, two words, the end", "chat", []string{delta(`"role":"assistant","content":""`), delta(`"content":"one"`), delta(`"content":" two"`), chatStop, chatUsage}, "one two"},
		{"white space around a value", "chat", []string{delta(`"content" : "a" , "x":1`)}, "a"},
		{"escapes", "chat", []string{delta(`"content":"a\"b\\c\nd\té\ud83d\ude00"`)}, "a\"b\\c\nd\té\U0001F600"},
		{"reasoning is not said", "chat", []string{delta(`"reasoning_content":"hm"`), delta(`"reasoning":"hm"`), delta(`"content":"so"`)}, "so"},
		{"a tool call is no word", "chat", []string{delta(`"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{\"content\":\"no\"}"}}]`)}, ""},
		{"a refusal is", "chat", []string{delta(`"refusal":"I can't"`)}, "I can't"},
		{"parts, without thinking", "chat", []string{delta(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"yes"}]`)}, "yes"},
		{"the first choice, wherever its index stands", "chat", []string{choice("1", `"content":"b"`), choice("0", `"content":"a"`), choice("1", `"content":"b"`)}, "a"},
		{"nothing after the end marker", "chat", []string{delta(`"content":"a"`), "[DONE]", delta(`"content":"b"`)}, "a"},
		{"completions", "completions", []string{`{"choices":[{"index":0,"text":"one"}]}`, `{"choices":[{"index":0,"text":" \"two\""}]}`}, `one "two"`},
	} {
		d := find(t, c.endpoint).NewDecoder()
		d.Reset()
		d.Keep()
		for _, e := range c.events {
			if delta := d.Event(nil, []byte(e)); delta.ErrorKind != "" {
				t.Fatalf("%s: %s %s", c.name, delta.ErrorKind, delta.ErrorText)
			}
		}
		if got := string(d.Kept()); got != c.want {
			t.Errorf("%s: kept %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAWholeReplyIsKept(t *testing.T) {
	d := find(t, "chat").NewDecoder()
	d.Reset()
	d.Keep()
	d.Whole([]byte(`{"choices":[{"index":0,"message":{"role":"assistant","content":"all of it"},"finish_reason":"stop"}]}`))
	if got := string(d.Kept()); got != "all of it" {
		t.Errorf("kept %q", got)
	}
}

func TestNoWordIsKeptUnlessAsked(t *testing.T) {
	d := find(t, "chat").NewDecoder()
	d.Reset()
	d.Keep()
	d.Event(nil, []byte(delta(`"content":"`+strings.Repeat("x", 1000)+`"`)))
	d.Reset()
	if len(d.Kept()) != 0 {
		t.Errorf("%q is left of the reply before", d.Kept())
	}
	event := []byte(delta(`"content":"word"`))
	d.Event(nil, event)
	if len(d.Kept()) != 0 {
		t.Errorf("%q is kept of a reply that nobody needs", d.Kept())
	}
	if n := testing.AllocsPerRun(100, func() { d.Event(nil, event) }); n != 0 {
		t.Errorf("an event allocates %v times", n)
	}
}
