package face

// The client's dialects read every event of the faces: two codes that share
// nothing must agree. The makers' own SDKs read them elsewhere.

import (
	"encoding/json"
	"strings"
	"testing"

	"assay/internal/dialect"
	"assay/internal/record"
	"assay/internal/workload"

	"github.com/google/go-cmp/cmp"
)

func TestEveryDialectHasAFaceOfItsNameAndPaths(t *testing.T) {
	faces := map[string]Face{}
	for _, f := range Table() {
		faces[f.Name] = f
	}
	for _, d := range dialect.Table() {
		f, ok := faces[d.Name]
		if !ok || f.Path != d.Path || f.StreamPath != d.StreamPath || f.Lines != (d.Framing == dialect.JSONLines) {
			t.Errorf("the dialect %s is at %q and %q, its face %t at %q and %q", d.Name, d.Path, d.StreamPath, ok, f.Path, f.StreamPath)
		}
	}
	if len(faces) != len(dialect.Table()) {
		t.Errorf("%d faces for %d dialects", len(faces), len(dialect.Table()))
	}
}

func TestFacesUnderstandWhatDialectsSay(t *testing.T) {
	for _, f := range Table() {
		if f.Answer != nil {
			continue // values_test.go has those
		}
		d, _ := dialect.Find(f.Name)
		for _, limit := range append(d.LimitFields, "") {
			body, err := d.Encode(workload.Request{Prompt: "weigh\n \"it\"", OutputTokens: 9}, dialect.Options{Model: "m", Stream: true, LimitField: limit})
			if err != nil {
				t.Fatal(err)
			}
			got, err := f.Parse(body)
			if err != nil {
				t.Fatalf("%s: %s: %v", f.Name, body, err)
			}
			want := Ask{Model: "m", Texts: []string{"weigh\n \"it\""}, Limit: 9, Stream: true, Usage: true}
			if strings.Contains(f.Path, "{model}") || d.Modelless {
				want.Model = "" // the path has it, or nobody says it
			}
			if f.StreamPath != "" {
				want.Stream = got.Stream // the path says it
			}
			if !d.Streams {
				want.Stream, want.Usage = false, false
			}
			if d.Endless {
				want.Limit = 0
			}
			if !cmp.Equal(got, want) {
				t.Errorf("%s: Parse(%s) = %+v, want %+v", f.Name, body, got, want)
			}
		}
	}
}

// say is a reply of two words, an event each, in the face's own order.
func say(f Face, s Shape, reason string) []Event {
	events := append([]Event{}, s.Opening...)
	for i, said := range []Said{{Input: 5, Output: 1, Cached: 3, Tokens: 1}, {Input: 5, Output: 2, Cached: 3, Tokens: 1, Last: true, Reason: reason, All: twoWords}} {
		text := " word"
		if f.Repeats {
			text = strings.Repeat(text, i+1)
		}
		events = append(events, Event{s.Name, s.Text(nil, []byte(text), said)})
	}
	return append(events, s.Closing(Said{Input: 5, Output: 2, Cached: 3, Last: true, Reason: reason, All: twoWords}, true)...)
}

func twoWords() string { return " word word" }

// countless are APIs that tell no counts.
var countless = map[string]bool{"triton_generate": true, "kserve_http": true, "solido_rag": true}

func TestDialectsUnderstandWhatFacesSay(t *testing.T) {
	for _, f := range Table() {
		if f.Answer != nil {
			continue
		}
		d, _ := dialect.Find(f.Name)
		if !d.Streams {
			checkWhole(t, f, d, "stop", "")
			continue
		}
		for _, reason := range []string{"stop", "length"} {
			decoder := d.NewDecoder()
			texts := 0
			for i, e := range say(f, f.Shape("1f", 1700000000, "a \"model\"/1"), reason) {
				if !json.Valid(e.Data) && string(e.Data) != "[DONE]" {
					t.Errorf("%s: event %d is no JSON: %s", f.Name, i, e.Data)
				}
				delta := decoder.Event([]byte(e.Name), e.Data)
				if delta.ErrorKind != "" {
					t.Errorf("%s: %s = %+v", f.Name, e.Data, delta)
				}
				if delta.Kind == record.Text {
					texts++
				}
			}
			got := decoder.Reply()
			input, output := 5, 2
			if countless[f.Name] {
				input, output = record.NoCount, record.NoCount
			}
			if texts != 2 || got.OutputTokens != output || got.SumTokens != 2 || got.Finished == d.Quiet {
				t.Errorf("%s: %d texts, reply = %+v, want two words, finished", f.Name, texts, got)
			}
			if got.InputTokens != input {
				t.Errorf("%s: %d tokens in, want %d", f.Name, got.InputTokens, input)
			}
			if got.Cached != 3 && got.Cached != record.NoCount {
				t.Errorf("%s: %d tokens cached, want 3 or nothing told", f.Name, got.Cached)
			}
			checkWhole(t, f, d, reason, got.FinishReason)
		}
	}
}

// checkWhole: the reply that is not streamed says the same.
func checkWhole(t *testing.T, f Face, d dialect.Dialect, reason, streamed string) {
	t.Helper()
	decoder := d.NewDecoder()
	whole := f.Shape("1f", 1700000000, "m").Whole("two \"words\"", Said{Input: 5, Output: 2, Cached: -1, Last: true, Reason: reason})
	tokens := 2
	if countless[f.Name] {
		tokens = 0
	}
	if got := decoder.Whole(whole); got.Kind != record.Text || got.Tokens != tokens || got.ErrorKind != "" {
		t.Errorf("%s: %s = %+v, want text of 2 tokens", f.Name, whole, got)
	}
	if got := decoder.Reply().FinishReason; got != streamed {
		t.Errorf("%s: the whole reply ends by %q, the stream by %q", f.Name, got, streamed)
	}
}

func TestEveryFaceRefusesInItsOwnForm(t *testing.T) {
	for _, f := range Table() {
		if f.Refusal == nil {
			continue // OpenAI's form, by the server
		}
		body := f.Refusal(400, "invalid_request_error", "no \"such\" thing")
		if !json.Valid(body) || !strings.HasSuffix(dialect.ErrorWords(body), `no "such" thing`) {
			t.Errorf("%s: %s says %q", f.Name, body, dialect.ErrorWords(body))
		}
	}
}
