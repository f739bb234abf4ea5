package face

// The short way of reading a body against encoding/json on the whole of it.

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// words are as long as a prompt that is cut out.
var words = strings.Repeat("weigh it again ", 20)

func TestLongPromptsAreReadAsTheyWereWritten(t *testing.T) {
	for name, c := range map[string]struct {
		face Face
		body string
		want Ask
	}{
		"a prompt":       {completions, `{"model":"m","prompt":"` + words + `","max_tokens":7}`, Ask{Model: "m", Texts: []string{words}, Limit: 7}},
		"a list of one":  {completions, `{"prompt":["` + words + `"],"stream":true}`, Ask{Texts: []string{words}, Stream: true}},
		"a long model":   {completions, `{"model":"` + words + `","prompt":"` + words + `!"}`, Ask{Model: words, Texts: []string{words + "!"}}},
		"some messages":  {chat, `{"messages":[{"role":"system","content":"short"},{"content":"` + words + `1"},{"content":"` + words + `2"}]}`, Ask{Texts: []string{"short", words + "1", words + "2"}}},
		"parts":          {chat, `{"messages":[{"content":[{"type":"text","text":"` + words + `"},{"text":"b"}]}]}`, Ask{Texts: []string{words + "\nb"}}},
		"the last one":   {completions, `{"prompt":"` + words + `1","prompt":"` + words + `2"}`, Ask{Texts: []string{words + "2"}}},
		"no ASCII":       {completions, `{"prompt":"` + words + `é世"}`, Ask{Texts: []string{words + "é世"}}},
		"an escape":      {completions, `{"prompt":"` + words + `\n"}`, Ask{Texts: []string{words + "\n"}}},
		"no UTF-8":       {completions, `{"prompt":"` + words + "\xff" + `"}`, Ask{Texts: []string{words + "\ufffd"}}},
		"a number in it": {completions, `{"prompt":"` + words + `","seed":1.5e3,"stop":["a","b"],"max_completion_tokens":3}`, Ask{Texts: []string{words}, Limit: 3}},
		"a long key":     {completions, `{"` + words + `":1,"prompt":"` + words + `"}`, Ask{Texts: []string{words}}},
	} {
		got, err := c.face.Parse([]byte(c.body))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestErrorsInBodiesWithLongPromptsTellTheirPlace(t *testing.T) {
	for _, body := range []string{
		`{"prompt":"` + words + "\t" + `"}`, // a control character
		`{"prompt":"` + words + `"`,
		`{"prompt":"` + words + `" "x":1}`,
		`{"prompt":"` + words + `","max_tokens":"` + words + `"}`,
		`{"prompt":"` + words,
	} {
		_, err := completions.Parse([]byte(body))
		_, want := readCompletions([]byte(body))
		if want == nil || fmt.Sprint(err) != want.Error() {
			t.Errorf("Parse(%q): %v, want %v", body, err, want)
		}
	}
}

func TestTheGeneralWayNeverSeesALongPrompt(t *testing.T) {
	for _, words := range []string{words, words + "é世"} {
		body := []byte(`{"model":"m","prompt":"` + words + `"}`)
		read := 0
		_, err := briefly(body, func(b []byte) (Ask, error) {
			read += len(b)
			return Ask{}, nil
		})
		if err != nil || read == 0 || read > 60 {
			t.Errorf("of %d bytes %d were read the general way (%v), want 60 at the most", len(body), read, err)
		}
	}
}

func TestControlCharactersAreFoundWhereverTheyStand(t *testing.T) {
	for at := range 40 {
		for c := range 256 {
			text := []byte(strings.Repeat("\x7f", 40))
			text[at] = byte(c)
			// A byte of 0x80 and above is no UTF-8 alone.
			if got, want := plain(text), c >= ' ' && c < 0x80; got != want {
				t.Errorf("plain(%q) = %v, want %v", text, got, want)
			}
		}
	}
}

func FuzzTheShortWayReadsWhatTheGeneralWayReads(f *testing.F) {
	for _, body := range []string{
		`{"model":"m","messages":[{"role":"user","content":"` + words + `"}],"max_completion_tokens":9,"stream":true,"stream_options":{"include_usage":true}}`,
		`{"messages":[{"content":[{"text":"` + words + `"}]},{"content":"` + words + `"}],"n":1}`,
		`{"MODEL":"` + words + `","prompt":["` + words + `"],"max_tokens":9}`,
		`{"prompt":"` + words + `\u0000","x":{"` + words + `":[]}}`,
		`{"prompt":"` + words + "\x01\xff" + `"}`,
		`"` + words + `"`, `{`, `"`, ``,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for name, way := range map[string][2]func([]byte) (Ask, error){
			"chat":        {parseChat, func(b []byte) (Ask, error) { return seen(readChat(b)) }},
			"completions": {parseCompletions, readCompletions},
		} {
			got, err := way[0](body)
			want, wantErr := way[1](body)
			if !cmp.Equal(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("%s: %q is read as %+v (%v), want %+v (%v)", name, body, got, err, want, wantErr)
			}
		}
	})
}

func BenchmarkParseALongPrompt(b *testing.B) {
	body := []byte(`{"model":"m","messages":[{"role":"user","content":"` + strings.Repeat("weigh ", 8000) + `"}],"max_completion_tokens":1}`)
	for name, parse := range map[string]func([]byte) (Ask, error){"brief": parseChat, "whole": readChat} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if a, err := parse(body); err != nil || a.Limit != 1 {
					b.Fatal(errors.Join(err, errors.New("another request")))
				}
			}
		})
	}
}
