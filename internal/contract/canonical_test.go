package contract

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func canonicalOf(t interface {
	Helper()
	Fatalf(string, ...any)
}, c *Contract,
) []byte {
	t.Helper()
	text, err := c.Canonical()
	if err != nil {
		t.Fatalf("Canonical: %v", err)
	}
	return text
}

// least is the shortest contract; leastCanonical is what it means, by hand.
const (
	least          = "target: {simulate: fixed}\ntraffic: {rate: 40/s}\n"
	leastCanonical = `version: 1
name: simulate-fixed
target:
  simulate: fixed
  endpoint: chat
  stream: true
  body_limit: max_completion_tokens
  idle_limit: 30s
  request_limit: 10m
  connections: pooled
  proxy: environment
  http: "1.1"
slo:
  - ttft p50 < 500ms
  - itl p99 < 100ms
default_slo: true
traffic:
  rate: 40/s
  arrivals: poisson
  duration: 10m
  warmup: 30s
  drain: 1m
workload:
  input_tokens: normal(550, 150)
  output_tokens: normal(256, 64)
client:
  processes: 8
  max_processes: 64
  max_cpu: 70%
  max_cpu_second: 90%
  max_machine_cpu: 85%
  max_send_lag: 5ms
  max_coalesced: 1%
  min_delivered: 99.9%
seed: 1
`
)

func TestTheCanonicalFormHasEveryDefault(t *testing.T) {
	c := resolved(t, least)
	if got := string(canonicalOf(t, c)); got != leastCanonical {
		t.Errorf("got\n%s\nwant\n%s", got, leastCanonical)
	}
	sum := sha256.Sum256([]byte(leastCanonical))
	if want := "sha256:" + hex.EncodeToString(sum[:]); c.Digest() != want {
		t.Errorf("Digest() = %s, want %s", c.Digest(), want)
	}
}

const mixed = `target: {url: ["http://a:1", "http://b:2"], model: m, headers: {X-A: b}}
traffic: {duration: 20s, drain: 0s}
streams:
  - name: chat
    traffic: {rate: 30/min}
    slo: [ttft p99 < 60ms]
    good: ttft < 1s
  - name: long
    target: {simulate: fixed, simulate_set: {itl_ms: 5}, stream: false, extra: {a: [{b: 1}, [c, {}], "2"]}}
    traffic: {concurrency: 3}
    workload: {prompts: p.jsonl, order: sequential, salt: "007"}
    slo: [latency p90 < 3s]
`

func TestTheCanonicalFormReadsBackAsItself(t *testing.T) {
	for name, text := range map[string]string{
		"the least": least, "the full": full, "mixed": mixed,
		"a list of one":                                 "streams: [{name: x, target: {simulate: fixed}, traffic: {concurrency: 1}, workload: {output_tokens: 1}}]\n",
		"zeros that mean something":                     least + "seed: 0\nclient: {max_coalesced: 0%, min_delivered: 0}\n",
		"texts that YAML would take for something else": "name: \"1e3\"\ntarget: {simulate: fixed, model: \"true\", extra: {a: \"1\", b: \"~\", \"on\": \" x\", c: \"a: b\", d: \"-\", e: \"#x\", f: \"\", g: \"x #y\", h: \"é\\n\\tz\", i: \"0x1\", j: \"1_0\"}}\ntraffic: {rate: 1/s}\n",
	} {
		c := resolved(t, text)
		first := canonicalOf(t, c)
		again := resolved(t, string(first))
		if second := canonicalOf(t, again); string(second) != string(first) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, second, first)
		}
		if c.Digest() != again.Digest() {
			t.Errorf("%s: digest %s, then %s", name, c.Digest(), again.Digest())
		}
		if c.DefaultObjectives() != again.DefaultObjectives() {
			t.Errorf("%s: default objectives %v, then %v", name, c.DefaultObjectives(), again.DefaultObjectives())
		}
	}
}

func TestEveryTextSurvivesTheCanonicalForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := New()
		c.Target.Simulate, c.Traffic.Rate = "fixed", 1
		c.Target.Model = rapid.String().Draw(t, "model")
		key := rapid.StringMatching(`[a-z :#\-"'~]{1,8}`).Draw(t, "key")
		c.Server = map[string]any{
			key:    rapid.String().Draw(t, "text"),
			"list": []any{rapid.Int64().Draw(t, "int"), rapid.Float64Range(-1e18, 1e18).Draw(t, "float"), rapid.Bool().Draw(t, "bool"), map[string]any{"x": rapid.StringMatching(`[0-9eE.+_xo-]{1,6}`).Draw(t, "number-like")}},
		}
		if err := c.Resolve(); err != nil {
			return // a text that looks like a secret
		}
		first := canonicalOf(t, c)
		again, err := Load("c.yaml", first)
		if err != nil {
			t.Fatalf("Load(Canonical): %v\n%s", err, first)
		}
		if again.Target.Model != c.Target.Model || again.Server[key] != c.Server[key] {
			t.Fatalf("got %q, %q, want %q, %q\n%s", again.Target.Model, again.Server[key], c.Target.Model, c.Server[key], first)
		}
		if second := canonicalOf(t, again); string(second) != string(first) {
			t.Fatalf("got\n%s\nwant\n%s", second, first)
		}
	})
}

func TestAListOfOneMainStreamIsTheShorthand(t *testing.T) {
	short := resolved(t, "target: {simulate: fixed}\nslo: [ttft p50 < 1s]\ntraffic: {rate: 2/s}\n")
	long := resolved(t, "streams:\n  - name: main\n    target: {simulate: fixed}\n    slo: [ttft p50 < 1s]\n    traffic: {rate: 2/s}\n")
	if a, b := string(canonicalOf(t, short)), string(canonicalOf(t, long)); a != b {
		t.Errorf("got\n%s\nwant\n%s", b, a)
	}
}

func TestTheDigestKnowsEverythingButTheSalt(t *testing.T) {
	base := resolved(t, full).Digest()
	salted := resolved(t, full)
	salted.Streams[0].Workload.Salt = "drawn"
	if salted.Digest() != base {
		t.Error("the salt changed the digest")
	}
	if text := string(canonicalOf(t, salted)); !strings.Contains(text, "salt: drawn\n") {
		t.Errorf("the salt that a run has drawn is not in the canonical form:\n%s", text)
	}
	for _, change := range [][2]string{{"seed: 7", "seed: 8"}, {"40/s", "41/s"}, {"256", "257"}, {"fp8", "fp4"}, {"max_cpu: 70%", "max_cpu: 71%"}, {"ttft p50", "ttft p51"}} {
		if changed := strings.Replace(full, change[0], change[1], 1); changed == full || resolved(t, changed).Digest() == base {
			t.Errorf("%v did not change the digest", change)
		}
	}
	commented := "# a comment\n" + strings.Replace(full, "warmup: 30s", "warmup: 0.5m", 1)
	if resolved(t, commented).Digest() != base {
		t.Error("a comment and another way to write 30s changed the digest")
	}
}
