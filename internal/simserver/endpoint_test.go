package simserver_test

// Every endpoint over real sockets: what the client records of a reply is what
// the server knows of it, streamed and whole.

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/internal/dialect"
	"assay/internal/dispatch"
	"assay/internal/host"
	"assay/internal/record"
	"assay/internal/simserver"
	"assay/internal/wire"
	"assay/internal/wire/http1"
	"assay/internal/workload"
)

// endpointURL is the address of a dialect below base.
func endpointURL(t *testing.T, base string, d dialect.Dialect, streamed bool) *url.URL {
	t.Helper()
	u, err := url.Parse(base + dialect.WithModel(d.Below("", streamed), "some-model"))
	if err != nil {
		t.Fatal(err)
	}
	if streamed {
		u.RawQuery = d.Query
	}
	return u
}

// speak is a stream of requests in this dialect.
func speak(t *testing.T, base string, d dialect.Dialect, streamed bool, clock *host.Clock, tokens int) dispatch.Stream {
	t.Helper()
	u := endpointURL(t, base, d, streamed)
	dialer := &wire.Dialer{Now: clock.Now, FromWall: clock.FromWall, Kernel: true}
	pool := http1.NewPool(http1.Config{URL: u, Dial: dialer.DialContext, Now: clock.Now, ConnectLimit: 10 * time.Second})
	t.Cleanup(pool.Close)
	return dispatch.Stream{
		Name: d.Name, Dialect: d, Streamed: streamed,
		Targets: []dispatch.Target{{URL: u.String(), Pool: pool}},
		Limits:  dispatch.Limits{Idle: int64(10 * time.Second), Request: int64(20 * time.Second)},
		Prepare: func(seq uint64) (dispatch.Prepared, error) {
			body, err := d.Encode(workload.Request{Prompt: "weigh it before noon", OutputTokens: tokens}, dialect.Options{Model: "some-model", Stream: streamed})
			if err != nil {
				return dispatch.Prepared{}, err
			}
			id := d.Name + "-" + strconv.FormatBool(streamed) + "-" + strconv.FormatUint(seq, 10)
			b, err := http1.Encode(u, "POST", append([][2]string{{"X-Request-ID", id}}, d.Headers...), body)
			return dispatch.Prepared{Bytes: b, RequestID: id, WantInput: record.NoCount}, err
		},
	}
}

func TestEveryEndpointRecordsWhatTheServerKnows(t *testing.T) {
	const tokens = 12
	stamps(t)
	epoch := host.Monotonic()
	clock := host.NewClock(epoch)
	base := serve(t, simserver.Config{Preset: "fixed", Set: map[string]string{"ttft": "4ms", "itl": "2ms"}})
	records := map[string]record.Record{}
	for _, d := range dialect.Table() {
		if d.Measures != "" && d.Measures != dialect.Tokens {
			continue
		}
		for _, streamed := range []bool{true, false} {
			if streamed && !d.Streams {
				continue
			}
			stream := speak(t, base, d, streamed, clock, tokens)
			r, err := (&dispatch.Dispatcher{Workers: 1, Now: clock.Now}).Once(t.Context(), &stream, 0)
			if err != nil {
				t.Fatal(err)
			}
			records[r.RequestID] = r
		}
	}
	alone := 0
	for _, truth := range truths(t, base) {
		r, ok := records[truth.RequestID]
		if !ok {
			t.Fatalf("the server knows a request %q that nobody sent", truth.RequestID)
		}
		delete(records, truth.RequestID)
		if truth.Endpoint != r.Endpoint {
			t.Errorf("%s: the server takes it for %s", truth.RequestID, truth.Endpoint)
		}
		want := tokens
		if d, _ := dialect.Find(r.Endpoint); d.LimitField == "" {
			want = truth.OutputTokens // an API that sets no limit
		}
		counted(t, &r, truth, want)
		alone += between(t, &r, truth, epoch)
	}
	if len(records) > 0 || alone == 0 {
		t.Errorf("of %d requests the server knows nothing; %d events were alone in their read", len(records), alone)
	}
}

// counted holds the record's counts against the truth.
func counted(t *testing.T, r *record.Record, truth simserver.Truth, tokens int) {
	t.Helper()
	if r.Status != record.OK || truth.OutputTokens != tokens {
		t.Errorf("%s: %v %s %s, %d tokens by the server, want %d", truth.RequestID, r.Status, r.ErrorKind, r.ErrorMessage, truth.OutputTokens, tokens)
		return
	}
	events := 0
	for _, w := range truth.Events {
		if w.Kind == "text" || w.Kind == "body" {
			events++
		}
	}
	if len(r.Events) != events || r.Output != tokens {
		t.Errorf("%s: %d events and %d tokens, the server wrote %d and %d", truth.RequestID, len(r.Events), r.Output, events, tokens)
	}
	input := truth.InputTokens
	if countless[r.Endpoint] || r.Endpoint == "tgi_generate" && !r.Streamed {
		input = record.NoCount
	}
	if r.Input != input {
		t.Errorf("%s: %d tokens in, want %d", truth.RequestID, r.Input, input)
	}
}

// countless are APIs that tell no counts: replies are counted by their events
// or, whole, by their words.
var countless = map[string]bool{"triton_generate": true, "kserve_http": true, "solido_rag": true}

// post sends a body and returns the status and the answer.
func post(t *testing.T, address, body string) (int, string) {
	t.Helper()
	resp, err := http.Post(address, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(said)
}

func TestAModelInThePathIsTheModel(t *testing.T) {
	base := serve(t, simserver.Config{Preset: "null", Models: []string{"mine"}})
	const body = `{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"generationConfig":{"maxOutputTokens":2}}`
	if status, said := post(t, base+"/v1beta/models/mine:generateContent", body); status != 200 || !strings.Contains(said, `"modelVersion":"mine"`) {
		t.Errorf("the model that there is: %d %s", status, said)
	}
	if status, said := post(t, base+"/v1beta/models/yours:generateContent", body); status != 404 || !strings.Contains(said, `"status":"NOT_FOUND"`) {
		t.Errorf("one that there is not: %d %s", status, said)
	}
}

func TestAnAPIThatNamesNoModelIsNotAskedForOne(t *testing.T) {
	base := serve(t, simserver.Config{Preset: "null", Models: []string{"mine"}})
	if status, said := post(t, base+"/generate", `{"inputs":"hi","parameters":{"max_new_tokens":2}}`); status != 200 {
		t.Errorf("TGI's API is answered with %d %s", status, said)
	}
	if status, said := post(t, base+"/v1/chat/completions", `{"model":"yours","messages":[{"role":"user","content":"hi"}]}`); status != 404 {
		t.Errorf("a model that there is not: %d %s", status, said)
	}
}

func TestTwoAPIsOfOnePathAreToldApartByTheBody(t *testing.T) {
	base := serve(t, simserver.Config{Preset: "null"})
	if _, said := post(t, base+"/generate", `{"inputs":"hi","parameters":{"max_new_tokens":2}}`); !strings.Contains(said, `"generated_text"`) {
		t.Errorf("a body of TGI is answered with %s", said)
	}
	if _, said := post(t, base+"/generate", `{"text":"hi","sampling_params":{"max_new_tokens":2}}`); !strings.Contains(said, `"meta_info"`) {
		t.Errorf("a body of SGLang is answered with %s", said)
	}
	if status, said := post(t, base+"/generate", `{}`); status != 400 {
		t.Errorf("a body of neither is answered with %d %s", status, said)
	}
}

func TestSGLangRepeatsAllThatWasSaid(t *testing.T) {
	base := serve(t, simserver.Config{Preset: "null"})
	_, said := post(t, base+"/generate", `{"text":"hi","sampling_params":{"max_new_tokens":3},"stream":true}`)
	var texts []string
	for line := range strings.Lines(said) {
		var event struct{ Text string }
		if data, ok := strings.CutPrefix(line, "data: {"); ok {
			if err := json.Unmarshal([]byte("{"+data), &event); err != nil {
				t.Fatal(err)
			}
			texts = append(texts, event.Text)
		}
	}
	if len(texts) != 3 || len(texts[1]) <= len(texts[0]) || !strings.HasPrefix(texts[1], texts[0]) || !strings.HasPrefix(texts[2], texts[1]) {
		t.Errorf("the events say %q", texts)
	}
}
