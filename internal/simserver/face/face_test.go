package face

// The client's dialects read every event of the faces: two codes that share
// nothing must agree. The makers' own SDKs read them elsewhere.

import (
	"encoding/json"
	"testing"

	"assay/internal/dialect"
	"assay/internal/record"
	"assay/internal/workload"

	"github.com/google/go-cmp/cmp"
)

func TestEveryDialectHasAFaceOfItsNameAndPath(t *testing.T) {
	for _, d := range dialect.Table() {
		found := false
		for _, f := range Table() {
			found = found || f.Name == d.Name && f.Path == d.Path
		}
		if !found {
			t.Errorf("the dialect %s has no face at %s", d.Name, d.Path)
		}
	}
}

func TestFacesUnderstandWhatDialectsSay(t *testing.T) {
	for _, f := range Table() {
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
			if !cmp.Equal(got, want) {
				t.Errorf("%s: Parse(%s) = %+v, want %+v", f.Name, body, got, want)
			}
		}
	}
}

func TestDialectsUnderstandWhatFacesSay(t *testing.T) {
	const model = "a \"model\"/1"
	for _, f := range Table() {
		d, _ := dialect.Find(f.Name)
		shape, decoder := f.Shape("1f", 1700000000, model), d.NewDecoder()
		if shape.Opening != nil {
			if got := decoder.Event(nil, shape.Opening); got.Kind != record.Role || got.ErrorKind != "" {
				t.Errorf("%s: %s = %+v, want a role", f.Name, shape.Opening, got)
			}
		}
		say := func(after []byte) []byte {
			return append(append(append([]byte{}, shape.Before...), " word"...), after...)
		}
		for _, after := range [][]byte{shape.After, shape.Length} {
			event := say(after)
			if got := decoder.Event(nil, event); got.Kind != record.Text || got.ErrorKind != "" {
				t.Errorf("%s: %s = %+v, want text", f.Name, event, got)
			}
			var told struct{ Model string }
			if err := json.Unmarshal(event, &told); err != nil || told.Model != model {
				t.Errorf("%s: %s is of the model %q (%v)", f.Name, event, told.Model, err)
			}
		}
		decoder.Event(nil, shape.Usage(5, 2, 3))
		if got := decoder.Event(nil, shape.Ending); !got.End {
			t.Errorf("%s: %s = %+v, want the end", f.Name, shape.Ending, got)
		}
		want := dialect.Reply{InputTokens: 5, OutputTokens: 2, Cached: 3, Reasoning: -1, SumTokens: 2, FinishReason: "length", Finished: true}
		if got := decoder.Reply(); got != want {
			t.Errorf("%s: reply = %+v, want %+v", f.Name, got, want)
		}
		decoder.Reset()
		decoder.Event(nil, say(shape.Stop))
		if got := decoder.Reply().FinishReason; got != "stop" {
			t.Errorf("%s: finish reason = %q, want stop", f.Name, got)
		}
		decoder.Reset()
		whole := shape.Whole("two \"words\"", "stop", 5, 2, -1)
		if got := decoder.Whole(whole); got.Kind != record.Text || got.Tokens != 2 || got.ErrorKind != "" {
			t.Errorf("%s: %s = %+v, want text of 2 tokens", f.Name, whole, got)
		}
	}
}
