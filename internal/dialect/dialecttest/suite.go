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
	"assay/internal/workload"
)

// Samples are what a dialect shows of itself to the suite.
type Samples struct {
	Stream []Event // a whole stream of two text events at least, with usage and end
	Input  int     // tokens by its usage
	Output int
	Text   Event  // an ordinary text event
	Fault  Event  // an error inside a stream
	Whole  []byte // a reply that is not streamed
	Refuse []byte // an error body
}

// Run is the suite.
func Run(t *testing.T, d dialect.Dialect, s Samples) {
	t.Run("the table finds it", func(t *testing.T) {
		if found, ok := dialect.Find(d.Name); !ok || found.Path != d.Path {
			t.Errorf("Find(%q) = %q, %t, want %q", d.Name, found.Path, ok, d.Path)
		}
	})
	t.Run("a request is a JSON object", func(t *testing.T) { encodes(t, d) })
	t.Run("a stream adds up", func(t *testing.T) { addsUp(t, d, s) })
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
			for _, e := range s.Stream {
				decoder.Event(e.Name, e.Data)
			}
			decoder.Reset()
		}
	})
	t.Run("nothing counts after the end", func(t *testing.T) {
		decoder := d.NewDecoder()
		for _, e := range s.Stream {
			decoder.Event(e.Name, e.Data)
		}
		before := decoder.Reply()
		if got := decoder.Event(s.Text.Name, s.Text.Data); got.Kind.Content() || got.End || got.ErrorKind != "" {
			t.Errorf("an event after the end = %+v, want nothing", got)
		}
		if diff := cmp.Diff(before, decoder.Reply()); diff != "" {
			t.Errorf("an event after the end counts:\n%s", diff)
		}
	})
	t.Run("errors are told", func(t *testing.T) { faults(t, d, s) })
	t.Run("a part of an event is no event", func(t *testing.T) {
		for i := 1; i < len(s.Text.Data); i++ {
			if got := d.NewDecoder().Event(s.Text.Name, s.Text.Data[:i]); got.ErrorKind != record.ErrDecode {
				t.Fatalf("Event(%q) = %+v, want a decode error", s.Text.Data[:i], got)
			}
		}
	})
}

func encodes(t *testing.T, d dialect.Dialect) {
	request := workload.Request{Prompt: "weigh <the> \"gold\" & écu", OutputTokens: 17}
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
	for key, want := range map[string]any{"model": "other", d.LimitField: 17.0, "zeta": 1.0} {
		if got[key] != want {
			t.Errorf("%s of %s = %v, want %v", key, body, got[key], want)
		}
	}
	if !strings.Contains(string(body), `weigh <the> \"gold\" & écu`) {
		t.Errorf("%s does not say the prompt as it was written", body)
	}
	for _, field := range d.LimitFields {
		body, err := d.Encode(request, dialect.Options{Model: "m", LimitField: field})
		if err != nil || !strings.Contains(string(body), `"`+field+`":17`) {
			t.Errorf("with the limit in %s: %s, %v", field, body, err)
		}
	}
	if body, err := d.Encode(request, dialect.Options{Model: "m", LimitField: "most"}); err == nil {
		t.Errorf("a limit in an unknown field gives %s, want an error", body)
	}
}

func addsUp(t *testing.T, d dialect.Dialect, s Samples) {
	deltas, reply := Decode(d, s.Stream)
	content := 0
	for i, delta := range deltas {
		if delta.ErrorKind != "" {
			t.Errorf("event %d: %s: %s", i, delta.ErrorKind, delta.ErrorText)
		}
		if delta.Kind.Content() {
			content++
		}
		if delta.End != (i == len(deltas)-1) {
			t.Errorf("event %d: End = %t", i, delta.End)
		}
	}
	if content < 2 {
		t.Errorf("%d content-bearing events, want 2 at least", content)
	}
	if reply.InputTokens != s.Input || reply.OutputTokens != s.Output || !reply.Finished {
		t.Errorf("the reply is %+v, want %d tokens in, %d out, finished", reply, s.Input, s.Output)
	}
	if _, cut := Decode(d, s.Stream[:content]); cut.Finished {
		t.Error("a stream that was cut counts as finished")
	}
}

func faults(t *testing.T, d dialect.Dialect, s Samples) {
	got := d.NewDecoder().Event(s.Fault.Name, s.Fault.Data)
	if got.ErrorKind != record.ErrStream || got.ErrorText == "" {
		t.Errorf("Event(%s) = %+v, want a stream error with the server's words", s.Fault.Data, got)
	}
	got = d.NewDecoder().Whole(s.Refuse)
	if got.ErrorKind != record.ErrBody || got.ErrorText == "" {
		t.Errorf("Whole(%s) = %+v, want an error body with the server's words", s.Refuse, got)
	}
	got = d.NewDecoder().Whole(s.Whole)
	if got.ErrorKind != "" || !got.Kind.Content() {
		t.Errorf("Whole(%s) = %+v, want content", s.Whole, got)
	}
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
