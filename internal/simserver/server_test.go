package simserver

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"assay/internal/tokenizer"
)

// start serves on a loopback port until the test ends, and fails it if the
// server leaves anything running.
func start(t *testing.T, c Config) (s *Server, address string) {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
		if len(s.conns) != 0 || len(s.driver.streams) != 0 {
			t.Errorf("the server left %d connections and %d replies", len(s.conns), len(s.driver.streams))
		}
	})
	return s, l.Addr().String()
}

func post(t *testing.T, address, path, body string, headers ...string) (status int, answer string, header http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return send(t, req, headers...)
}

func send(t *testing.T, req *http.Request, headers ...string) (status int, answer string, header http.Header) {
	t.Helper()
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b), resp.Header
}

func get(t *testing.T, address, path string, headers ...string) (status int, answer string, header http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return send(t, req, headers...)
}

// A spoken is what a stream said.
type spoken struct {
	Choices []struct {
		Text  string
		Delta struct{ Role, Content string }
		// FinishReason is null before the end.
		FinishReason *string `json:"finish_reason"`
	}
	Usage *struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
		Total      int `json:"total_tokens"`
	}
}

// listen takes a stream apart.
func listen(t *testing.T, body string) (events []spoken) {
	t.Helper()
	blocks := strings.Split(strings.TrimSuffix(body, "\n\n"), "\n\n")
	if last := blocks[len(blocks)-1]; last != "data: [DONE]" {
		t.Fatalf("the stream ends in %q, want the end marker", last)
	}
	for _, block := range blocks[:len(blocks)-1] {
		var e spoken
		if err := json.Unmarshal([]byte(strings.TrimPrefix(block, "data: ")), &e); err != nil {
			t.Fatalf("%s: %v", block, err)
		}
		events = append(events, e)
	}
	return events
}

const (
	chatAsk       = `{"model":"m","messages":[{"role":"system","content":"be brief"},{"role":"user","content":[{"type":"text","text":"weigh this gold"}]}],"stream":true,"stream_options":{"include_usage":true},"max_completion_tokens":7}`
	completionAsk = `{"model":"m","prompt":"weigh this gold now please","stream":true,"stream_options":{"include_usage":true},"max_tokens":7}`
)

func TestAStreamHasOneEventATokenAndTellsItsUsage(t *testing.T) {
	_, address := start(t, Config{Preset: "null"})
	for path, ask := range map[string]string{"/v1/chat/completions": chatAsk, "/v1/completions": completionAsk} {
		status, body, header := post(t, address, path, ask, "X-Request-ID", "r1")
		if status != 200 || !strings.HasPrefix(header.Get("Content-Type"), "text/event-stream") || header.Get("X-Request-ID") != "r1" {
			t.Fatalf("%s answers %d with %v", path, status, header)
		}
		events := listen(t, body)
		text, tokens := "", 0
		for i, e := range events {
			if len(e.Choices) == 0 {
				continue
			}
			said := e.Choices[0].Text + e.Choices[0].Delta.Content
			text += said
			if said == "" {
				if i != 0 || e.Choices[0].Delta.Role != "assistant" {
					t.Errorf("%s: event %d says nothing", path, i)
				}
				continue
			}
			tokens++
			finish := e.Choices[0].FinishReason
			if (finish != nil) != (tokens == 7) || finish != nil && *finish != "length" {
				t.Errorf("%s: token %d has the finish reason %v", path, tokens, finish)
			}
		}
		if tokens != 7 || tokenizer.Words(text) != 7 {
			t.Errorf("%s says %q in %d events, want 7 words in 7", path, text, tokens)
		}
		usage := events[len(events)-1].Usage
		if usage == nil || usage.Prompt != 5 || usage.Completion != 7 || usage.Total != 12 {
			t.Errorf("%s: usage = %+v, want 5 + 7 = 12", path, usage)
		}
	}
}

func TestUsageIsTheAskersChoiceAndLengthThePresets(t *testing.T) {
	_, address := start(t, Config{Preset: "null", Set: map[string]string{"output_tokens": "3"}})
	_, body, _ := post(t, address, "/v1/completions", `{"model":"m","prompt":"a","stream":true}`)
	events := listen(t, body)
	if len(events) != 3 || events[2].Usage != nil {
		t.Fatalf("%d events, want 3 and no usage: %s", len(events), body)
	}
	if finish := events[2].Choices[0].FinishReason; finish == nil || *finish != "stop" {
		t.Errorf("finish reason = %v, want stop: the request set no limit", finish)
	}
}

func TestAWholeReplyHasTextAndUsage(t *testing.T) {
	_, address := start(t, Config{Preset: "null"})
	for path, ask := range map[string]string{"/v1/chat/completions": chatAsk, "/v1/completions": completionAsk} {
		ask = strings.Replace(ask, `"stream":true,"stream_options":{"include_usage":true},`, "", 1)
		status, body, _ := post(t, address, path, ask)
		var got struct {
			Choices []struct {
				Text         string
				Message      struct{ Role, Content string }
				FinishReason string `json:"finish_reason"`
			}
			Usage struct {
				Prompt     int `json:"prompt_tokens"`
				Completion int `json:"completion_tokens"`
			}
		}
		if err := json.Unmarshal([]byte(body), &got); err != nil || status != 200 {
			t.Fatalf("%s answers %d %s: %v", path, status, body, err)
		}
		c := got.Choices[0]
		if tokenizer.Words(c.Text+c.Message.Content) != 7 || c.FinishReason != "length" || got.Usage.Prompt != 5 || got.Usage.Completion != 7 {
			t.Errorf("%s = %s, want 7 words, finished by length", path, body)
		}
	}
}

func TestWhatIsNotServedIsRefusedInWords(t *testing.T) {
	_, address := start(t, Config{Preset: "null", Models: []string{"one", "two"}, APIKey: "sesame"})
	const chat = "/v1/chat/completions"
	for _, c := range []struct {
		method, path, body, key string
		status                  int
		words                   string
	}{
		{"POST", chat, `{"model":"three","messages":[{"content":"a"}]}`, "sesame", 404, "the model `three` does not exist"},
		{"POST", "/v1/chat", chatAsk, "sesame", 404, "there is nothing at /v1/chat"},
		{"GET", chat, "", "sesame", 405, "is asked with POST"},
		{"POST", "/health", "{}", "sesame", 405, "is read with GET"},
		{"POST", chat, chatAsk, "", 401, "bearer token"},
		{"POST", chat, chatAsk, "sesam", 401, "bearer token"},
		{"GET", "/v1/models", "", "", 401, "bearer token"},
		{"POST", chat, `{"model":`, "sesame", 400, "not the JSON of this endpoint"},
		{"POST", chat, `{"model":"one","messages":[]}`, "sesame", 400, "messages is empty"},
		{"POST", chat, `{"model":"one","messages":[{"content":"a"}],"n":2}`, "sesame", 400, "n is 2"},
		{"POST", chat, `{"model":"one","messages":[{"content":"a"}],"max_tokens":0}`, "sesame", 400, "at least 1"},
		{"POST", chat, `{"model":"one","messages":[{"content":"a"}],"stream_options":{"include_usage":true}}`, "sesame", 400, "needs stream"},
		{"POST", "/v1/completions", `{"model":"one","prompt":["a","b"]}`, "sesame", 400, "prompt must be one string"},
	} {
		req, err := http.NewRequestWithContext(t.Context(), c.method, "http://"+address+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		if c.key != "" {
			req.Header.Set("Authorization", "Bearer "+c.key)
		}
		status, body, _ := send(t, req)
		var got struct{ Error struct{ Message string } }
		if err := json.Unmarshal([]byte(body), &got); err != nil || status != c.status || !strings.Contains(got.Error.Message, c.words) {
			t.Errorf("%s %s %s = %d %s, want %d with %q", c.method, c.path, c.body, status, body, c.status, c.words)
		}
	}
}

func TestModelsAreListedAndHealthIsOpen(t *testing.T) {
	_, address := start(t, Config{Preset: "null", Models: []string{"one", "two"}, APIKey: "sesame"})
	if status, body, _ := get(t, address, "/health"); status != 200 || body != "ok\n" {
		t.Errorf("/health = %d %q", status, body)
	}
	_, body, _ := get(t, address, "/v1/models", "Authorization", "Bearer sesame")
	if want := `{"object":"list","data":[{"id":"one","object":"model","owned_by":"assay"},{"id":"two","object":"model","owned_by":"assay"}]}`; body != want {
		t.Errorf("/v1/models = %s, want %s", body, want)
	}
	_, anyName := start(t, Config{Preset: "null"})
	if _, body, _ := get(t, anyName, "/v1/models"); !strings.Contains(body, `"id":"sim"`) {
		t.Errorf("/v1/models = %s, want sim", body)
	}
}

func TestAnUnknownPresetIsRefused(t *testing.T) {
	if _, err := New(Config{Preset: "fixd"}); err == nil || !strings.Contains(err.Error(), "fixed, h100-8b") {
		t.Errorf("New = %v, want the names there are", err)
	}
}
