package dialect_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"assay/internal/dialect"
	"assay/internal/record"
)

func TestAnErrorInsideAStreamIsTheServersFault(t *testing.T) {
	for _, c := range []struct{ name, data, words string }{
		{"", `{"error":{"message":"out of memory","type":"server_error","code":500}}`, "out of memory"},
		{"", `{"error":"out of memory","error_type":"overloaded"}`, "out of memory"},
		{"", `{"error":{"code":7}}`, `{"code":7}`},
		{"", `{"object":"error","message":"out of memory","code":400}`, "out of memory"},
		{"", `{"detail":"out of memory"}`, "out of memory"},
		{"", `{"id":"c","choices":[{"delta":{"content":""},"finish_reason":"error"}],"error":{"message":"out of memory"}}`, "out of memory"},
		{"error", `{"message":"overloaded"}`, "overloaded"},
		{"error", `overloaded`, "overloaded"},
		{"error", ``, ""},
		{"", `{"choices":[{"delta":{"content":""},"finish_reason":"error"}]}`, `the server ended the reply with finish_reason "error"`},
	} {
		got := find(t, "chat").NewDecoder().Event([]byte(c.name), []byte(c.data))
		if got.ErrorKind != record.ErrStream || got.ErrorText != c.words || got.Kind != record.Error {
			t.Errorf("%s %s = %+v, want a stream error with %q", c.name, c.data, got, c.words)
		}
	}
}

func TestAnErrorThatSaysNothingIsNone(t *testing.T) {
	for _, says := range []string{`null`, `false`, `""`, `{}`} {
		data := strings.Replace(delta(`"content":"a"`), `"id":"c"`, `"error":`+says+`,"detail":"x"`, 1)
		if got := find(t, "chat").NewDecoder().Event(nil, []byte(data)); got.Kind != record.Text || got.ErrorKind != "" {
			t.Errorf("%s = %+v, want text", data, got)
		}
	}
}

func TestAnErrorBodyOfStatus200IsAnError(t *testing.T) {
	for data, words := range map[string]string{
		`{"error":{"message":"model 'nope' not found"}}`:             "model 'nope' not found",
		`{"detail":[{"loc":["body"],"msg":"field required"}]}`:       `[{"loc":["body"],"msg":"field required"}]`,
		`{"object":"error","message":"bad","type":"x","code":40303}`: "bad",
	} {
		if got := find(t, "completions").NewDecoder().Whole([]byte(data)); got.ErrorKind != record.ErrBody || got.ErrorText != words {
			t.Errorf("Whole(%s) = %+v, want an error body with %q", data, got, words)
		}
	}
}

func TestWhatIsNotAsTheAPISaysIsADecodeError(t *testing.T) {
	for _, data := range []string{
		`{"choices":{}}`, `{"choices":[7]}`, `{"choices":"x"}`,
		`{"choices":[{"delta":"x"}]}`, `{"choices":[{"delta":{"content":5}}]}`, `{"choices":[{"delta":{"content":{"a":1}}}]}`,
		`{"choices":[{"delta":{"content":["x"]}}]}`, `{"choices":[{"delta":{"tool_calls":{}}}]}`, `{"choices":[{"delta":{"tool_calls":[1]}}]}`,
		`{"choices":[{"delta":{},"finish_reason":3}]}`, `{"choices":[{"delta":{"role":1}}]}`,
		`{"choices":[{"delta":{"content":"a"}}]}{}`, `{"choices":[{"delta":{"content":"a}}]}`, `{"choices":[{"delta":{"content":"a"}},]}`,
		"{\"choices\":[{\"delta\":{\"content\":\"\x01\"}}]}", "{\"choices\":[{\"delta\":{\"content\":\"\xc3\"}}]}",
		`{"choices":[{"delta":{"content":"\x"}}]}`, `{"a":01}`, `{"a":1.}`, `{"a":tru}`, `{"a" 1}`, `{1:2}`,
	} {
		if got := find(t, "chat").NewDecoder().Event(nil, []byte(data)); got.ErrorKind != record.ErrDecode || !strings.Contains(got.ErrorText, ": ") {
			t.Errorf("%q = %+v, want a decode error that shows it", data, got)
		}
	}
}

func TestNestingIsBounded(t *testing.T) {
	for depth, want := range map[int]string{9000: "", 20000: record.ErrDecode} {
		data := `{"a":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + `}`
		if got := find(t, "chat").NewDecoder().Event(nil, []byte(data)); got.ErrorKind != want {
			t.Errorf("an event %d deep has the error %q, want %q", depth, got.ErrorKind, want)
		}
	}
}

func TestErrorWordsAreTheServersAndBounded(t *testing.T) {
	for body, want := range map[string]string{
		`{"error":{"message":"no such model"}}`: "no such model",
		` {"message":"no"} `:                    "no",
		`{"detail":"Not Found"}`:                "Not Found",
		"<html>404</html>\n":                    "<html>404</html>",
		"caf\xe9":                               "caf\uFFFD",
		"":                                      "",
	} {
		if got := dialect.ErrorWords([]byte(body)); got != want {
			t.Errorf("ErrorWords(%q) = %q, want %q", body, got, want)
		}
	}
	for _, long := range []string{strings.Repeat("é", 5000), "x" + strings.Repeat("é", 5000), `{"error":"` + strings.Repeat("é", 5000) + `"}`} {
		got := dialect.ErrorWords([]byte(long))
		if len(got) > 600 || !utf8.ValidString(got) || !strings.HasSuffix(got, "é…") {
			t.Errorf("ErrorWords of %d bytes is %d bytes and ends in %q", len(long), len(got), got[len(got)-6:])
		}
	}
}
