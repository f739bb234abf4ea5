package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"assay/internal/contract"
	"assay/internal/tokenizer"
	"assay/internal/workload"
)

// A counting is a server that answers a body with a status and a text.
type counting func(body map[string]any) (status int, answer string)

func (c counting) RoundTrip(req *http.Request) (*http.Response, error) {
	data, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	var body map[string]any
	if err := json.Unmarshal(data, &body); err != nil {
		return nil, err
	}
	status, answer := c(body)
	if status == 0 {
		return nil, errors.New(answer)
	}
	return &http.Response{StatusCode: status, Status: fmt.Sprint(status), Body: io.NopCloser(strings.NewReader(answer))}, nil
}

// served is a stream whose server counts, and who asks it.
func served(t *testing.T, server counting) (*contract.Stream, *asker) {
	t.Helper()
	s := tokenized(contract.ServerTokenizer)
	s.Target.Endpoint, s.Target.Model = "chat", "m"
	a, err := newAsker(s, "http://h:1/base/v1/chat/completions")
	if err != nil {
		t.Fatal(err)
	}
	a.client.Transport = server
	return s, a
}

func tokens(n int) string {
	return "[" + strings.TrimSuffix(strings.Repeat("7,", n), ",") + "]"
}

func TestAServerIsAskedInTheFormThatItUnderstands(t *testing.T) {
	llama, err := tokenizer.Read(vocabulary(t, "llama3"))
	if err != nil {
		t.Fatal(err)
	}
	vllm := func(body map[string]any) (int, string) {
		if body["model"] != "m" || body["add_special_tokens"] != false || body["content"] != nil {
			return 400, fmt.Sprint(body)
		}
		n := llama.Count(body["prompt"].(string))
		return 200, fmt.Sprintf(`{"count":%d,"max_model_len":8192,"tokens":%s,"token_strs":null}`, n, tokens(n))
	}
	llamaCpp := func(body map[string]any) (int, string) {
		text, _ := body["content"].(string) // without it there is nothing to count
		if body["add_special"] == true {
			return 400, fmt.Sprint(body)
		}
		return 200, `{"tokens":` + tokens(llama.Count(text)) + `}`
	}
	strict := func(body map[string]any) (int, string) {
		if body["content"] == nil {
			return 422, `{"detail":"content: field required"}`
		}
		return llamaCpp(body)
	}
	for name, server := range map[string]counting{"vLLM": vllm, "llama.cpp": llamaCpp, "one that refuses other fields": strict} {
		s, a := served(t, server)
		if want := "http://h:1/base/tokenize"; a.url != want {
			t.Errorf("the server is asked at %s, want %s", a.url, want)
		}
		counts, err := a.measure(t.Context())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if sent := int(a.sent.Load()); sent > workload.MostAsked+2 {
			t.Errorf("%s: %d requests, want %d at the most", name, sent, workload.MostAsked+2)
		}
		s.Learn(counts)
		l, err := newLine(s, 1, []string{"http://h:1/v1/chat/completions"}, "run", machine(t), hub)
		if err != nil {
			t.Fatal(err)
		}
		for n := range uint64(20) {
			if got := llama.Count(l.source.Request(n).Prompt); got != 550 {
				t.Errorf("%s: request %d has %d tokens, want 550", name, n, got)
			}
		}
	}
}

func TestAServerThatDoesNotCountIsToldOfInItsOwnWords(t *testing.T) {
	var asked atomic.Int64
	for name, c := range map[string]struct {
		server counting
		want   string
		code   int
	}{
		"no such page": {func(map[string]any) (int, string) { return 404, `{"detail":"Not Found"}` },
			`POST http://h:1/base/tokenize answered 404: {"detail":"Not Found"}`, ExitCannot},
		"nobody there": {func(map[string]any) (int, string) { return 0, "connection refused" }, "connection refused", ExitCannot},
		"a web page":   {func(map[string]any) (int, string) { return 200, "<html>" }, "answered without tokens: <html>", ExitCannot},
		"no tokens":    {func(map[string]any) (int, string) { return 200, `{"count":0,"tokens":[]}` }, "counts 0 tokens in", ExitCannot},
		"it tires": {func(map[string]any) (int, string) {
			if asked.Add(1) > 100 {
				return 503, "overloaded"
			}
			return 200, `{"count":1}`
		}, "answered 503: overloaded", ExitCannot},
		"all texts alike": {func(map[string]any) (int, string) { return 200, `{"count":1}` },
			"tokenizer server: prompts of an exact length can't be made", ExitUsage},
	} {
		_, a := served(t, c.server)
		counts, err := a.measure(t.Context())
		var h *HintError
		if !errors.As(err, &h) || h.Code != c.code || counts != nil || h.Hint == "" || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "stream main") {
			t.Errorf("%s: %v, want status %d and %q", name, err, c.code, c.want)
		}
	}
	if n := asked.Load(); n > 100+2*askingAt {
		t.Errorf("the server that had enough was asked %d times", n)
	}
	_, a := served(t, func(map[string]any) (int, string) { return 200, `{"count":1}` })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.measure(ctx); !errors.Is(err, errInterrupted) {
		t.Errorf("interrupted: %v", err)
	}
}

func TestNoSecretStandsInTheErrorOfAServerThatDoesNotCount(t *testing.T) {
	t.Setenv("ASSAY_TEST_KEY", "sesame-open")
	s := tokenized(contract.ServerTokenizer)
	s.Target.Endpoint, s.Target.APIKeyEnv = "chat", "ASSAY_TEST_KEY"
	a, err := newAsker(s, "http://h:1")
	if err != nil {
		t.Fatal(err)
	}
	keys := 0
	a.client.Transport = keyed(func(req *http.Request) (*http.Response, error) {
		if req.Header.Get("Authorization") == "Bearer sesame-open" {
			keys++
		}
		return nil, errors.New("refused: sesame-open")
	})
	_, err = a.measure(t.Context())
	if err == nil || strings.Contains(err.Error(), "sesame") || !strings.Contains(err.Error(), "refused: ***") || keys == 0 {
		t.Errorf("%v after %d requests with the key, want it masked", err, keys)
	}
}

type keyed func(*http.Request) (*http.Response, error)

func (k keyed) RoundTrip(req *http.Request) (*http.Response, error) { return k(req) }

func TestAPlanAsksNobodyAndASenderThatDidNotAskIsAnError(t *testing.T) {
	s := tokenized(contract.ServerTokenizer)
	s.Target.Endpoint = "chat"
	source, err := newSource(s, 1, machine(t), hub)
	if err != nil {
		t.Fatal(err)
	}
	if in, _ := source.Lengths(3); in != 550 {
		t.Errorf("a planned prompt has %d tokens, want 550", in)
	}
	if _, err := newLine(s, 1, nil, "run", machine(t), hub); err == nil || !strings.Contains(err.Error(), "was not asked") {
		t.Errorf("newLine without counts: %v", err)
	}
}
