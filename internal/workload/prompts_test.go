// A prompts file is somebody's data: it is sent as it is or refused by line.
package workload

import (
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

var ten = Length{Law: "constant", A: 10}

func fields(s string) int { return len(strings.Fields(s)) }

func fromFile(content string, spec Spec) (*Source, error) {
	spec.Prompts = "p.jsonl"
	return New(spec, 1, "main", fstest.MapFS{"p.jsonl": {Data: []byte(content)}}, fields)
}

func TestPromptsAreSentAsTheyAreInOrderAndAgainFromTheTop(t *testing.T) {
	s, err := fromFile("\ufeff"+`{"text": "  two words\n", "output_tokens": 3}`+"\r\n\n"+
		`{"messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": "hi"}]}`,
		Spec{Order: Sequential, OutputTokens: ten, Salt: "ignored"})
	if err != nil {
		t.Fatal(err)
	}
	want := []Request{
		{Prompt: "  two words\n", InputTokens: 2, OutputTokens: 3},
		{Messages: []Message{{Role: "system", Content: "be brief"}, {Role: "user", Content: "hi"}}, InputTokens: 3, OutputTokens: 10},
		{Prompt: "  two words\n", InputTokens: 2, OutputTokens: 3},
	}
	for n, w := range want {
		if diff := cmp.Diff(w, s.Request(uint64(n))); diff != "" {
			t.Errorf("request %d (-want +got):\n%s", n, diff)
		}
		if in, out := s.Lengths(uint64(n)); in != w.InputTokens || out != w.OutputTokens {
			t.Errorf("Lengths(%d) = %d, %d, want %d, %d", n, in, out, w.InputTokens, w.OutputTokens)
		}
	}
}

func TestAFileThatNamesEveryOutputNeedsNoLawOfIt(t *testing.T) {
	if _, err := fromFile(`{"text": "a", "output_tokens": 1}`, Spec{}); err != nil {
		t.Errorf("New: %v", err)
	}
	if _, err := fromFile(`{"text": "a"}`, Spec{}); err == nil || !strings.Contains(err.Error(), "output_tokens") {
		t.Errorf("New error = %v, want one that asks for output_tokens", err)
	}
}

// Four lines, 40,000 draws: chi-square with 3 degrees of freedom exceeds 31
// with p < 1e-6. Sampled is the default.
func TestSampledTakesEveryLineEquallyOften(t *testing.T) {
	const n = 40_000
	s, err := fromFile("{\"text\":\"a\"}\n{\"text\":\"b\"}\n{\"text\":\"c\"}\n{\"text\":\"d\"}\n", Spec{OutputTokens: ten})
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for i := range uint64(n) {
		count[s.Request(i).Prompt]++
	}
	chi := 0.0
	for _, line := range []string{"a", "b", "c", "d"} {
		chi += math.Pow(float64(count[line])-n/4, 2) / (n / 4)
	}
	if chi > 31 {
		t.Errorf("counts %v: chi-square %.1f, want < 31", count, chi)
	}
}

func TestALineThatCannotBeSentIsNamed(t *testing.T) {
	good := `{"text": "a"}` + "\n\n"
	for _, c := range []struct{ line, want string }{
		{`{"text": ""}`, "p.jsonl:3: the prompt is empty"},
		{`{"text": " "}`, "p.jsonl:3: the prompt is empty"},
		{`{}`, "p.jsonl:3: neither text nor messages"},
		{`{"text": null}`, "p.jsonl:3: neither text nor messages"},
		{`{"messages": []}`, "p.jsonl:3: neither text nor messages"},
		{`{"text": "a", "messages": [{"role":"user","content":"b"}]}`, "p.jsonl:3: both text and messages"},
		{`{"messages": [{"role":"user","content":"b"}, {"content":"c"}]}`, "p.jsonl:3: message 2 has no role"},
		{`{"messages": [{"role":"user"}]}`, "p.jsonl:3: message 1 has no role or no content"},
		{`{"messages": [{"role":"user","content":[{"type":"text"}]}]}`, "p.jsonl:3: json: cannot unmarshal array"},
		{`{"text": "a", "output_tokens": 0}`, "p.jsonl:3: output_tokens 0"},
		{`{"text": "a", "output_tokens": 1.5}`, "p.jsonl:3: json: cannot unmarshal number 1.5"},
		{`{"text": "a", "output_token": 5}`, `p.jsonl:3: json: unknown field "output_token"`},
		{`{"text": "a"} {"text": "b"}`, "p.jsonl:3: more than one object"},
		{`{"text": "a"`, "p.jsonl:3: unexpected EOF"},
		{`text`, "p.jsonl:3: invalid character"},
		{"{\"text\": \"\xff\"}", "p.jsonl:3: not UTF-8"},
	} {
		_, err := fromFile(good+c.line+"\n"+good, Spec{OutputTokens: ten})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error = %v, want %s…", c.line, err, c.want)
		}
	}
}

func TestAFileWithoutPromptsIsRefused(t *testing.T) {
	for _, content := range []string{"", "\n \n"} {
		if _, err := fromFile(content, Spec{OutputTokens: ten}); err == nil || !strings.Contains(err.Error(), "no prompts") {
			t.Errorf("%q: error = %v, want no prompts", content, err)
		}
	}
	spec := Spec{Prompts: "gone.jsonl", OutputTokens: ten}
	if _, err := New(spec, 1, "main", fstest.MapFS{}, fields); err == nil || !strings.Contains(err.Error(), "gone.jsonl") {
		t.Errorf("a missing file: error = %v, want one that names it", err)
	}
}

func FuzzPrompts(f *testing.F) {
	f.Add(`{"text": "a", "output_tokens": 3}`)
	f.Add(`{"messages": [{"role": "user", "content": "b"}]}` + "\n" + `{"text": "\ud800"}`)
	f.Fuzz(func(t *testing.T, content string) {
		s, err := fromFile(content, Spec{OutputTokens: ten})
		if err != nil {
			return
		}
		for n := range uint64(3) {
			r := s.Request(n)
			if (r.Prompt == "") == (r.Messages == nil) || r.InputTokens < 1 || r.OutputTokens < 1 {
				t.Errorf("%q gives %+v", content, r)
			}
		}
	})
}
