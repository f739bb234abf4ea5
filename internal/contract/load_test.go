package contract

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/internal/unit"
)

// full is the example of the design: every block, comments, flow and block style.
const full = `version: 1
name: chat-40rps
target:
  url: http://127.0.0.1:8000          # base or full path; a list
  endpoint: chat
  model: llama-3.1-8b-instruct
  api_key_env: OPENAI_API_KEY
  headers: {X-Team: a b, Authorization: "Token ${TEAM_KEY}"}
  extra: {ignore_eos: true, stop: [a, "5"], temperature: 0.5, logit_bias: {y: 1e3}, n: 2}
slo:
  - ttft p50 < 500ms
  - itl p99 < 100ms
  - error_rate < 0.1%
good: [ttft < 500ms, tpot < 50ms]
traffic:
  rate: 40/s
  arrivals: poisson
  duration: 10m
  warmup: 30s
  drain: 60s
workload:
  input_tokens: normal(550, 150)
  output_tokens: 256
client:
  processes: 8
  max_cpu: 70%
server: {gpu: 1x H100 SXM, quantization: fp8}
cost: {per_hour: 2.49, currency: USD}
seed: 7
`

func load(t *testing.T, text string) *Contract {
	t.Helper()
	c, err := Load("c.yaml", []byte(text))
	if err != nil {
		t.Fatalf("Load: %v", err)
	}
	return c
}

func resolved(t *testing.T, text string) *Contract {
	t.Helper()
	c := load(t, text)
	if err := c.Resolve(); err != nil {
		t.Fatalf("Resolve: %v", err)
	}
	return c
}

func TestEverySettingOfTheExampleArrives(t *testing.T) {
	c := load(t, full)
	if got := []any{
		c.Version, c.Name, c.Target.URL, c.Target.Endpoint, c.Target.Model, c.Target.APIKeyEnv, c.Target.Headers,
		c.Traffic.Rate, c.Traffic.Arrivals, c.Traffic.Duration.Std(), c.Traffic.Warmup.Std(), c.Traffic.Drain.Std(),
		c.Workload.InputTokens.String(), c.Workload.OutputTokens.String(), c.Client.Processes, c.Client.MaxCPU,
		c.Cost.PerHour, c.Cost.Currency, c.Seed, len(c.SLO), c.SLO[2].Text, len(c.Good), c.Good[1].Text,
	}; !cmp.Equal(got, []any{
		1, "chat-40rps", []string{"http://127.0.0.1:8000"}, "chat", "llama-3.1-8b-instruct", "OPENAI_API_KEY",
		map[string]string{"X-Team": "a b", "Authorization": "Token ${TEAM_KEY}"},
		unit.Rate(40), "poisson", 10 * time.Minute, 30 * time.Second, time.Minute,
		"normal(550, 150)", "256", 8, unit.Fraction(0.7),
		2.49, "USD", uint64(7), 3, "error_rate < 0.1%", 2, "tpot < 50ms",
	}) {
		t.Errorf("Load: got %v", got)
	}
	if diff := cmp.Diff(c.Target.Extra, map[string]any{
		"ignore_eos": true, "stop": []any{"a", "5"}, "temperature": 0.5, "logit_bias": map[string]any{"y": 1000.0}, "n": int64(2),
	}); diff != "" {
		t.Errorf("extra: %s", diff)
	}
	if diff := cmp.Diff(c.Server, map[string]any{"gpu": "1x H100 SXM", "quantization": "fp8"}); diff != "" {
		t.Errorf("server: %s", diff)
	}
}

// A fault is a contract, where its error must point, what it must say and
// what it must advise.
type fault struct{ text, at, says, advises string }

var faults = map[string]fault{
	"a misspelt block":           {"version: 1\ntrafic:\n  rate: 40/s\n", "2:1", `unknown key "trafic" at the top level`, "did you mean traffic?"},
	"a misspelt key":             {"traffic:\n  raet: 40/s\n", "2:3", `unknown key "raet" under traffic`, "did you mean rate?"},
	"a key in the wrong block":   {"rate: 40/s\n", "1:1", `unknown key "rate"`, "rate belongs under traffic:"},
	"a top-level key below":      {"traffic:\n  seed: 3\n", "2:3", `unknown key "seed"`, "seed stands at the top level"},
	"another tool's word":        {"target:\n  base_url: http://x\n", "2:3", `unknown key "base_url"`, "target.url"},
	"a key like nothing":         {"zzzzzz: 1\n", "1:1", `unknown key "zzzzzz"`, "known here: version, name"},
	"a misspelt key in a stream": {"streams:\n  - name: a\n    trafic: {rate: 1/s}\n", "3:5", `unknown key "trafic" under streams[0]`, "did you mean traffic?"},
	"a key of a stream's block":  {"streams:\n  - name: a\n    rate: 1/s\n", "3:5", `unknown key "rate"`, "under the stream's traffic:"},
	"a rate without a unit":      {"traffic:\n  rate: 40\n", "2:9", `traffic.rate: rate "40" has no unit`, "write 40/s"},
	"a duration without a unit":  {"traffic: {duration: 60, rate: 1/s}\n", "1:21", `duration "60" has no unit`, "write 60s"},
	"a wrong fraction":           {"client:\n  max_cpu: 70\n", "2:12", "more than the whole", "write 70%"},
	"a wrong law":                {"workload:\n  input_tokens: gaussian(5, 1)\n", "2:17", "gaussian", "did you mean normal(5, 1)?"},
	"half a law":                 {"workload:\n  input_tokens: normal(5\n", "2:17", "two numbers", ""},
	"a metric that is not":       {"slo:\n  - tfft p50 < 500ms\n", "2:5", `no metric "tfft"`, "did you mean ttft p50 < 500ms?"},
	"another tool's metric":      {"slo: [time_to_first_token p90 < 1s]\n", "1:7", "time_to_first_token", "did you mean ttft p90 < 1s?"},
	"a statistic that is not":    {"slo:\n  - ttft P50 < 500ms\n", "2:5", "no statistic", "did you mean ttft p50 < 500ms?"},
	"no statistic":               {"slo:\n  - ttft < 500ms\n", "2:5", "needs a statistic", "did you mean ttft p99 < 500ms?"},
	"a bound without a unit":     {"slo:\n  - ttft p50 < 500\n", "2:5", "write its unit", "did you mean ttft p50 < 500ms?"},
	"the wrong operator":         {"slo:\n  - request_rate < 38/s\n", "2:5", "better when it is higher", "did you mean request_rate > 38/s?"},
	"a statistic under good":     {"good:\n  - ttft p50 < 500ms\n", "2:5", "under good", ""},
	"an objective as a mapping":  {"slo:\n  - ttft: 500ms\n", "2:5", "want one value, not keys and values", "one objective a line"},
	"two settings that exclude":  {"traffic:\n  rate: 40/s\n  concurrency: 64\n", "3:16", "traffic.concurrency: excludes traffic.rate", "drop rate or concurrency"},
	"excluding, the other way":   {"traffic:\n  concurrency: 64\n  rate: 40/s\n", "3:9", "traffic.rate: excludes traffic.concurrency", "drop rate or concurrency"},
	"duration and requests":      {"traffic: {requests: 5, duration: 1m}\n", "1:34", "traffic.duration: excludes traffic.requests", "drop duration or requests"},
	"url and simulate":           {"target:\n  url: http://h\n  simulate: fixed\n", "3:13", "excludes target.url", "drop url or simulate"},
	"prompts and lengths":        {"workload: {prompts: p.jsonl, input_tokens: 5}\n", "1:44", "excludes workload.prompts", "drop input_tokens or prompts"},
	"excluding in a stream":      {"streams:\n  - name: a\n    traffic: {rate: 1/s, concurrency: 2}\n", "3:39", "excludes streams[0].traffic.rate", "drop rate or concurrency"},
	"a rate of zero":             {"traffic:\n  rate: 0/s\n", "2:9", "traffic.rate: is zero", "more than zero"},
	"no value":                   {"traffic:\n  rate:\n  duration: 1m\n", "2:8", "traffic.rate: has no value", "leave the key out"},
	"a list for a value":         {"traffic:\n  rate: [40/s]\n", "2:9", "want one value, not a list", ""},
	"a value for a block":        {"traffic: 40/s\n", "1:10", "want keys and values, not a text", "write rate:"},
	"a list for the file":        {"- a\n- b\n", "1:1", "want keys and values, not a list", "version"},
	"a word for a number":        {"client:\n  processes: eight\n", "2:14", `"eight" is not a whole number`, "digits"},
	"part of a process":          {"client:\n  processes: 1.5\n", "2:14", `"1.5" is not a whole number`, "digits"},
	"too many processes":         {"client:\n  processes: 100000\n", "2:14", "can't be started", "1024"},
	"fewer than no threads":      {"client:\n  threads: -1\n", "2:12", "can't run at once", "leave it out"},
	"too many threads":           {"client:\n  threads: 1025\n", "2:12", "can't run at once", "1024"},
	"yes for true":               {"target:\n  stream: yes\n", "2:11", `"yes" is neither true nor false`, "write true or false"},
	"a negative seed":            {"seed: -1\n", "1:7", "not a whole number of 0 or more", "digits"},
	"a key twice":                {"seed: 1\nseed: 2\n", "2:1", "already defined", "drop one"},
	"an alias":                   {"a: &x 1\n", "1:1", `unknown key "a"`, ""},
	"an anchor":                  {"seed: &x 1\n", "1:7", "anchors", "write the value out"},
	"a merge key":                {"traffic:\n  <<: {rate: 1/s}\n", "2:3", "merge keys", "write the value out"},
	"a tag":                      {"seed: !!int 1\n", "1:7", "tags", "!!int"},
	"a second document":          {"seed: 1\n---\nseed: 2\n", "3:1", "a second document", "remove the ---"},
	"a tab":                      {"traffic:\n\trate: 1/s\n", "2:1", "a tab", "spaces"},
	"a bracket left open":        {"slo: [ttft p50 < 500ms\n", "1:6", "not found", "close the bracket"},
	"a colon in a value":         {"name: a: b\n", "1:7", "mapping value", "quotes"},
	"another version":            {"version: 2\n", "1:10", "version 2 is not known", "write version: 1"},
	"a name with a slash":        {"name: a/b\n", "1:7", "can't name a folder", "letters"},
	"streams and traffic":        {"traffic: {rate: 1/s}\nstreams:\n  - name: a\n", "1:17", "stands beside streams", "move it into the streams"},
	"streams and slo":            {"slo: [error_rate < 1%]\nstreams:\n  - name: a\n", "1:6", "stands beside streams", "move it"},
	"a stream without a name":    {"streams:\n  - traffic: {rate: 1/s}\n", "2:5", "streams[0].name: is missing", "name: chat"},
	"two streams with one name":  {"streams:\n  - name: a\n  - name: a\n", "3:11", `"a" names two streams`, "its own name"},
	"no streams at all":          {"streams: []\n", "1:10", "empty list", "name a stream"},
	"streams as a mapping":       {"streams:\n  chat: {rate: 1/s}\n", "2:3", "want a list", "dash"},
	"a header assay sets itself": {"target:\n  headers: {Content-Length: 5}\n", "2:29", "set by assay itself", "leave it out"},
	"a header that is no header": {"target:\n  headers: {\"a b\": c}\n", "2:20", "not the name of a header", ""},
	"an infinite number":         {"server:\n  x: .inf\n", "2:6", "not a finite number", ""},
	"a cost below nothing":       {"cost: {per_hour: -1}\n", "1:18", "negative", ""},
}

func TestEachFaultPointsAtItsPlaceAndAdvises(t *testing.T) {
	for name, f := range faults {
		_, err := Load("c.yaml", []byte(f.text))
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: Load gave %v, want a *contract.Error", name, err)
			continue
		}
		first, _, _ := strings.Cut(e.Error(), "\n")
		if !strings.HasPrefix(first, "c.yaml:"+f.at+": ") || !strings.Contains(first, f.says) {
			t.Errorf("%s: got %q, want it at c.yaml:%s saying %q", name, first, f.at, f.says)
		}
		if !strings.Contains(e.Hint, f.advises) || (f.advises == "") != (e.Hint == "") && f.advises != "" {
			t.Errorf("%s: hint %q, want %q", name, e.Hint, f.advises)
		}
	}
}

func TestTheExcerptHasACaretBelowTheColumn(t *testing.T) {
	_, err := Load("c.yaml", []byte("version: 1\ntraffic:\n  rate: 40\n"))
	want := "c.yaml:3:9: traffic.rate: rate \"40\" has no unit\n" +
		"  2 | traffic:\n" +
		"> 3 |   rate: 40\n" +
		"    |         ^"
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestAnEmptyFileIsAContractWithNothingWritten(t *testing.T) {
	for _, text := range []string{"", "\n\n", "# nothing\n", "---\n"} {
		c := load(t, text)
		err := c.Resolve()
		var e *Error
		if !errors.As(err, &e) || e.Path != "target.url" || e.Hint == "" {
			t.Errorf("%q: Resolve gave %v, want target.url is missing, with a hint", text, err)
		}
	}
}

func TestWhatIsNotAContractIsRefusedAndNothingMore(t *testing.T) {
	deep := strings.Repeat("[", 100_000)
	for name, text := range map[string]string{
		"brackets without end": "slo: " + deep,
		"too long":             strings.Repeat("# comment\n", MaxSize/10+1),
		"binary":               "\x00\x01\x02\xff\xfe",
		"not UTF-8":            "name: \xff\xfe: x\n",
	} {
		if _, err := Load("c.yaml", []byte(text)); err == nil {
			t.Errorf("%s: Load gave no error", name)
		} else if len(err.Error()) > 800 {
			t.Errorf("%s: an error of %d bytes", name, len(err.Error()))
		}
	}
}

func TestWindowsLineEndsAreLineEnds(t *testing.T) {
	if c := load(t, strings.ReplaceAll(full, "\n", "\r\n")); c.Name != "chat-40rps" || len(c.SLO) != 3 {
		t.Errorf("got name %q, %d objectives", c.Name, len(c.SLO))
	}
}

func TestACanonicalFormIsReadWhereTheContractWas(t *testing.T) {
	var b strings.Builder
	b.WriteString("version: 1\nname: many\ntarget: {url: http://10.0.0.1:8000, model: m}\nstreams:\n")
	for i := 0; b.Len() < MaxSize-200; i++ {
		fmt.Fprintf(&b, "  - {name: s%d, traffic: {rate: 3/s}, slo: [error_rate < 99%%]}\n", i)
	}
	c, err := Load("many.yaml", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Resolve(); err != nil {
		t.Fatal(err)
	}
	text, err := c.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	if len(text) <= MaxSize {
		t.Fatalf("the canonical form has %d bytes: no more than what anybody may write", len(text))
	}
	if _, err := Load("contract.yaml", text); err == nil {
		t.Error("as somebody's own it is not too long")
	}
	back, err := Reload("contract.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	if len(back.Streams) != len(c.Streams) {
		t.Errorf("%d streams of %d", len(back.Streams), len(c.Streams))
	}
}
