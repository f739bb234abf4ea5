package dialecttest

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"assay/internal/dialect"
	"assay/internal/record"
)

// Samples are what a dialect shows of itself to the suite. Of one that does not
// stream there is no stream, text and fault.
type Samples struct {
	Raw    []byte // a whole stream as it came, of two content-bearing events at least
	Kinds  string // what its events are, as the function Kinds has it
	Input  int    // tokens by its usage; record.NoCount where the API tells none
	Output int    // likewise
	Text   Event  // an ordinary text event
	Fault  Event  // an error inside a stream
	Whole  []byte // a reply that is not streamed
	Refuse []byte // an error body
	Items  int    // vectors, scores, … in Whole; 0 of an API that answers with text
}

// Split is a transport's splitter: what it makes of a stream that comes in
// these reads.
type Split func(f dialect.Framing, reads ...[]byte) []Event

// Run is the suite.
func Run(t *testing.T, d dialect.Dialect, s Samples, split Split) {
	t.Run("the table finds it", func(t *testing.T) { found(t, d) })
	t.Run("a request is a JSON object", func(t *testing.T) { encodes(t, d) })
	t.Run("a whole reply is read", func(t *testing.T) { whole(t, d, s) })
	t.Run("what is no JSON is told", func(t *testing.T) { garbage(t, d) })
	if !d.Streams {
		return
	}
	events := split(d.Framing, s.Raw)
	t.Run("a stream adds up", func(t *testing.T) { addsUp(t, d, s, events) })
	t.Run("an ordinary event allocates nothing", func(t *testing.T) {
		decoder := d.NewDecoder()
		if n := testing.AllocsPerRun(100, func() { decoder.Event(s.Text.Name, s.Text.Data) }); n != 0 {
			t.Errorf("an event allocates %v times, want 0", n)
		}
	})
	t.Run("reset forgets", func(t *testing.T) {
		decoder := d.NewDecoder()
		for range 2 {
			if diff := cmp.Diff(Unknown, decoder.Reply()); diff != "" {
				t.Errorf("a fresh decoder knows something (-want +got):\n%s", diff)
			}
			for _, e := range events {
				decoder.Event(e.Name, e.Data)
			}
			decoder.Reset()
		}
	})
	t.Run("nothing counts after the end", func(t *testing.T) { after(t, d, s, events) })
	t.Run("an error in the stream is told", func(t *testing.T) {
		got := d.NewDecoder().Event(s.Fault.Name, s.Fault.Data)
		if got.ErrorKind != record.ErrStream || got.ErrorText == "" {
			t.Errorf("Event(%s) = %+v, want a stream error with the server's words", s.Fault.Data, got)
		}
	})
	t.Run("a part of an event is no event", func(t *testing.T) {
		for i := 1; i < len(s.Text.Data); i++ {
			if got := d.NewDecoder().Event(s.Text.Name, s.Text.Data[:i]); got.ErrorKind != record.ErrDecode {
				t.Fatalf("Event(%q) = %+v, want a decode error", s.Text.Data[:i], got)
			}
		}
	})
	t.Run("words are kept for a conversation", func(t *testing.T) { keeps(t, d, events) })
	t.Run("reads do not matter", func(t *testing.T) { reads(t, d, s, split) })
	t.Run("a stream that is cut is not finished", func(t *testing.T) { truncated(t, d, s, split) })
}

func found(t *testing.T, d dialect.Dialect) {
	for _, name := range append([]string{d.Name}, d.Aliases...) {
		if found, ok := dialect.Find(name); !ok || found.Name != d.Name {
			t.Errorf("Find(%q) = %q, %t, want %q", name, found.Name, ok, d.Name)
		}
	}
	if d.About == "" || d.Takes == 0 || d.Path == "" {
		t.Errorf("%q is about %q, takes %b, is at %q: all of them are shown to people", d.Name, d.About, d.Takes, d.Path)
	}
}

// at is the value at a path of members, dots between them.
func at(m map[string]any, path string) any {
	outer, inner, nested := strings.Cut(path, ".")
	if !nested {
		return m[outer]
	}
	in, _ := m[outer].(map[string]any)
	return at(in, inner)
}

func encodes(t *testing.T, d dialect.Dialect) {
	request := d.Example("weigh <the> \"gold\" & écu")
	request.OutputTokens = 17
	options := dialect.Options{Model: "m/1", Stream: d.Streams, Extra: map[string]any{"zeta": 1, "alpha": []int{2}, "model": "other"}}
	body, err := d.Encode(request, options)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := d.Encode(request, options)
	if !bytes.Equal(body, again) {
		t.Errorf("the same request is %s and then %s", body, again)
	}
	var got map[string]any
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	want := map[string]any{"zeta": 1.0, "model": "other"}
	if d.LimitField != "" {
		want[d.LimitField] = 17.0
	}
	for key, want := range want {
		if got := at(got, key); got != want {
			t.Errorf("%s of %s = %v, want %v", key, body, got, want)
		}
	}
	if d.Takes&dialect.Text != 0 && !strings.Contains(string(body), `weigh <the> \"gold\" & écu`) {
		t.Errorf("%s does not say the prompt as it was written", body)
	}
	for _, field := range d.LimitFields {
		extra := map[string]any{}
		if outer, _, nested := strings.Cut(field, "."); nested {
			extra[outer] = map[string]any{"temperature": 0.5}
		}
		body, err := d.Encode(request, dialect.Options{Model: "m", LimitField: field, Extra: extra})
		var got map[string]any
		if err != nil || json.Unmarshal(body, &got) != nil || at(got, field) != 17.0 {
			t.Errorf("with the limit in %s: %s, %v", field, body, err)
		}
		if len(extra) > 0 && !strings.Contains(string(body), `"temperature":0.5`) {
			t.Errorf("%s does not say the temperature that was asked for", body)
		}
	}
	if len(d.LimitFields) == 0 {
		return
	}
	if body, err := d.Encode(request, dialect.Options{Model: "m", LimitField: "most"}); err == nil {
		t.Errorf("a limit in an unknown field gives %s, want an error", body)
	}
}

func addsUp(t *testing.T, d dialect.Dialect, s Samples, events []Event) {
	deltas, reply := Decode(d, events)
	content := 0
	for i, delta := range deltas {
		if delta.ErrorKind != "" {
			t.Errorf("event %d: %s: %s", i, delta.ErrorKind, delta.ErrorText)
		}
		if delta.Kind.Content() {
			content++
		}
		if delta.End && i != len(deltas)-1 {
			t.Errorf("event %d ends the reply, and there are %d", i, len(deltas))
		}
	}
	if got := Kinds(deltas); got != s.Kinds || content < 2 {
		t.Errorf("the kinds are %q, want %q, two with content at least", got, s.Kinds)
	}
	if reply.InputTokens != s.Input || reply.OutputTokens != s.Output || reply.Finished == d.Quiet {
		t.Errorf("the reply is %+v, want %d tokens in, %d out, finished: %t", reply, s.Input, s.Output, !d.Quiet)
	}
}

func after(t *testing.T, d dialect.Dialect, s Samples, events []Event) {
	decoder := d.NewDecoder()
	ended := false
	for _, e := range events {
		ended = decoder.Event(e.Name, e.Data).End
	}
	if !ended {
		return // the API has no end marker
	}
	before := decoder.Reply()
	if got := decoder.Event(s.Text.Name, s.Text.Data); got.Kind.Content() || got.End || got.ErrorKind != "" {
		t.Errorf("an event after the end = %+v, want nothing", got)
	}
	if diff := cmp.Diff(before, decoder.Reply()); diff != "" {
		t.Errorf("an event after the end counts:\n%s", diff)
	}
}

// keeps: the words of the stream are those of the reply, and none are kept
// unless they are asked for.
func keeps(t *testing.T, d dialect.Dialect, events []Event) {
	decoder := d.NewDecoder()
	for _, keep := range []bool{false, true, false} {
		decoder.Reset()
		if keep {
			decoder.Keep()
		}
		for _, e := range events {
			decoder.Event(e.Name, e.Data)
		}
		if kept := decoder.Kept(); keep != (len(kept) > 0) {
			t.Errorf("with Keep %t the words %q are kept", keep, kept)
		}
	}
}

func whole(t *testing.T, d dialect.Dialect, s Samples) {
	decoder := d.NewDecoder()
	got := decoder.Whole(s.Whole)
	if got.ErrorKind != "" || !got.Kind.Content() || !decoder.Reply().Finished {
		t.Errorf("Whole(%s) = %+v, want content", s.Whole, got)
	}
	if n := decoder.Reply().Items; n != s.Items || (n > 0) != d.Textless() {
		t.Errorf("Whole(%s) has %d values, want %d", s.Whole, n, s.Items)
	}
	got = d.NewDecoder().Whole(s.Refuse)
	if got.ErrorKind != record.ErrBody || got.ErrorText == "" {
		t.Errorf("Whole(%s) = %+v, want an error body with the server's words", s.Refuse, got)
	}
}

func garbage(t *testing.T, d dialect.Dialect) {
	for _, bad := range []string{"\xff", "{\"a\":\"\xff\"}", "[]", "7", "null", "{", "{}x", "{}\x00", strings.Repeat("[", 1<<20), strings.Repeat("x", 1<<20)} {
		for _, got := range []dialect.Delta{d.NewDecoder().Event(nil, []byte(bad)), d.NewDecoder().Whole([]byte(bad))} {
			if got.ErrorKind != record.ErrDecode {
				t.Errorf("%.20q = %+v, want a decode error", bad, got)
			}
			if len(got.ErrorText) > 1024 || !utf8.ValidString(got.ErrorText) {
				t.Errorf("%.20q: the words are %d bytes, valid UTF-8: %t", bad, len(got.ErrorText), utf8.ValidString(got.ErrorText))
			}
		}
	}
}
