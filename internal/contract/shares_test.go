package contract

import (
	"math"
	"strings"
	"testing"

	"assay/internal/slo"
	"assay/internal/stats"
)

const sharing = "version: 1\ntarget:\n  url: http://127.0.0.1:8000\ntraffic:\n  rate: 5/s\n  duration: 1m\n"

func TestOneWordAndAListOfOneFileAreTheSameLengths(t *testing.T) {
	word := string(canonicalOf(t, resolved(t, sharing+"workload:\n  lengths: chat.csv\n")))
	list := string(canonicalOf(t, resolved(t, sharing+"workload:\n  lengths:\n    - file: chat.csv\n")))
	if word != list || !strings.Contains(word, "  lengths:\n    - file: chat.csv\n") || strings.Contains(word, "input_tokens") {
		t.Errorf("one word gives\n%s\na list gives\n%s", word, list)
	}
	again := string(canonicalOf(t, resolved(t, word)))
	if again != word {
		t.Errorf("the canonical form gives another:\n%s", again)
	}
	c := load(t, sharing+"workload: {input_tokens: 7, output_tokens: 8}\n")
	if err := c.Set("workload.lengths", "other.csv"); err != nil {
		t.Fatal(err)
	}
	if err := c.Resolve(); err != nil {
		t.Fatal(err)
	}
	if got := string(canonicalOf(t, c)); !strings.Contains(got, "- file: other.csv\n") || strings.Contains(got, "put_tokens:") {
		t.Errorf("a flag gives\n%s", got)
	}
}

func TestAPrefixSurvivesItsCanonicalForm(t *testing.T) {
	text := sharing + "workload:\n  input_tokens: 2000\n  prefix: {shared: 200, pool: {count: 10, tokens: 1000, law: zipf(1.2)}, user: {count: 100, tokens: 300, law: uniform}}\n  cache: natural\n"
	got := string(canonicalOf(t, resolved(t, text)))
	want := "  prefix:\n    shared: 200\n    pool:\n      count: 10\n      tokens: 1000\n      law: zipf(1.2)\n    user:\n      count: 100\n      tokens: 300\n  cache: natural\n"
	if !strings.Contains(got, want) {
		t.Errorf("the canonical form is\n%s\nwant in it\n%s", got, want)
	}
	if err := validator(t)(got); err != nil {
		t.Errorf("the schema refuses it: %v", err)
	}
	if again := string(canonicalOf(t, resolved(t, got))); again != got {
		t.Errorf("the canonical form gives another:\n%s", again)
	}
}

func TestWhatPromptsCannotShareIsRefusedWhereItIsWritten(t *testing.T) {
	for _, c := range []struct{ workload, at, says string }{
		{"{lengths: [{input: 1, output: 1}], input_tokens: 5}", "input_tokens", "lengths has both"},
		{"{lengths: [{input: 1, output: 1}], output_tokens: 5}", "output_tokens", "lengths has both"},
		{"{lengths: [{input: 1, output: 1}], prompts: p.jsonl}", "prompts", "their own lengths"},
		{"{lengths: []}", "lengths", "empty"},
		{"{lengths: [{input: 1, output: 1}, {input: 1}]}", "lengths[1]", "output 0"},
		{"{lengths: [{input: 1, output: 1, weight: 0}]}", "lengths[0].weight", "zero"},
		{"{lengths: [{input: 1, output: 1, wieght: 2}]}", "", "did you mean weight"},
		{"{prefix: {shared: 5}, prompts: p.jsonl}", "prompts", "begin as they do"},
		{"{prefix: {}}", "prefix", "empty"},
		{"{prefix: {shared: -5}}", "prefix.shared", "-5 tokens"},
		{"{prefix: {pool: {count: 5}}}", "prefix.pool.tokens", "0 is not between"},
		{"{prefix: {user: {tokens: 5}}}", "prefix.user.count", "0 is not between"},
		{"{prefix: {user: {tokens: 5, count: 5, law: pareto}}}", "prefix.user.law", "want uniform"},
		{"{cache: cold}", "cache", "neither salted nor natural"},
		{"{cache: natural, salt: abc}", "cache", "there is a salt"},
		{"{cache: salted, prompts: p.jsonl}", "cache", "sent as they are"},
	} {
		k, err := Load("c.yaml", []byte(sharing+"workload: "+c.workload+"\n"))
		if err == nil {
			err = k.Resolve()
		}
		if err == nil {
			t.Errorf("%s: no error", c.workload)
			continue
		}
		whole := err.Error()
		if e, ok := err.(*Error); ok {
			whole += " " + e.Hint
		}
		if !strings.Contains(whole, c.says) || c.at != "" && !strings.Contains(whole, "workload."+c.at) {
			t.Errorf("%s: %q, want workload.%s and %q in it", c.workload, whole, c.at, c.says)
		}
	}
}

// A reply of pairs has 3·99/4 + 1·199/4 = 124 gaps in the mean: so many of the
// values that p99 needs come with each request.
func TestObjectivesLookAtTheLengthsOfPairs(t *testing.T) {
	c := resolved(t, sharing+"slo: [itl p99 < 100ms]\nworkload: {lengths: [{input: 1, output: 100, weight: 3}, {input: 2, output: 200}]}\n")
	if got := meanOutput(c.Streams[0].Workload); got != 125 {
		t.Errorf("mean output = %v, want 125", got)
	}
	if got := c.Streams[0].mostOutput(); got != 200 {
		t.Errorf("longest reply = %d, want 200", got)
	}
	o, err := slo.Parse("itl p99 < 100ms")
	if err != nil {
		t.Fatal(err)
	}
	want := max(leastForMean, int(math.Ceil(float64(stats.LeastSamples(0.99))/124)))
	if got := c.Streams[0].LeastRequests(o); got != want {
		t.Errorf("least requests = %d, want %d", got, want)
	}
	file := resolved(t, sharing+"workload: {lengths: l.csv}\n")
	if got := file.Streams[0].LeastRequests(o); got != leastForMean {
		t.Errorf("least requests where only a file knows the lengths = %d, want %d", got, leastForMean)
	}
}
