package contract

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A setting is a flag: a path and its words.
type setting struct{ path, value string }

func set(t *testing.T, c *Contract, settings ...setting) {
	t.Helper()
	for _, s := range settings {
		if err := c.Set(s.path, s.value); err != nil {
			t.Fatalf("Set(%q, %q): %v", s.path, s.value, err)
		}
	}
}

func TestFlagsAloneMakeAContract(t *testing.T) {
	c := New()
	set(t, c, setting{"target.url", "http://h:1"}, setting{"traffic.rate", "40/s"}, setting{"traffic.duration", "60s"},
		setting{"slo", "ttft p50 < 500ms"}, setting{"target.model", "true"}, setting{"target.headers.X-Team", "a: b"})
	if err := c.Resolve(); err != nil {
		t.Fatal(err)
	}
	file := resolved(t, "target: {url: http://h:1, model: 'true', headers: {X-Team: 'a: b'}}\nslo: [ttft p50 < 500ms]\ntraffic: {rate: 40/s, duration: 1m}\n")
	if diff := cmp.Diff(string(canonicalOf(t, c)), string(canonicalOf(t, file))); diff != "" {
		t.Errorf("the flags and the file mean different things:\n%s", diff)
	}
}

func TestAFlagReplacesWhatTheFileSaysAndWhatItExcludes(t *testing.T) {
	for name, c := range map[string]struct {
		file     string
		settings []setting
		want     string // the file that means the same
	}{
		"the same setting":     {full, []setting{{"traffic.rate", "50/s"}}, strings.Replace(full, "40/s", "50/s", 1)},
		"a list":               {full, []setting{{"slo", "[ttft p50 < 1s, error_rate < 1%]"}}, strings.Replace(full, "  - ttft p50 < 500ms\n  - itl p99 < 100ms\n  - error_rate < 0.1%\n", "  - ttft p50 < 1s\n  - error_rate < 1%\n", 1)},
		"rate by concurrency":  {full, []setting{{"traffic.concurrency", "5"}}, strings.Replace(full, "  rate: 40/s\n  arrivals: poisson\n", "  concurrency: 5\n", 1)},
		"concurrency by rate":  {least[:strings.Index(least, "traffic")] + "traffic: {concurrency: 9}\n", []setting{{"traffic.rate", "40/s"}}, least},
		"duration by requests": {full, []setting{{"traffic.requests", "100"}}, strings.Replace(full, "duration: 10m", "requests: 100", 1)},
		"simulate by url":      {"target: {simulate: fixed, simulate_set: {itl_ms: 5}}\ntraffic: {rate: 1/s}\n", []setting{{"target.url", "http://h"}}, "target: {url: http://h}\ntraffic: {rate: 1/s}\n"},
		"url by simulate":      {"target: {url: [http://h, http://i]}\ntraffic: {rate: 1/s}\n", []setting{{"target.simulate", "null"}}, "target: {simulate: 'null'}\ntraffic: {rate: 1/s}\n"},
		"lengths by prompts":   {full, []setting{{"workload.prompts", "p.jsonl"}}, strings.Replace(full, "input_tokens: normal(550, 150)", "prompts: p.jsonl", 1)},
		"prompts by lengths":   {least + "workload: {prompts: p.jsonl, order: sequential}\n", []setting{{"workload.input_tokens", "5"}}, least + "workload: {input_tokens: 5}\n"},
		"a zero":               {full, []setting{{"traffic.warmup", "0"}}, strings.Replace(full, "warmup: 30s", "warmup: 0s", 1)},
		"an entry":             {full, []setting{{"server.gpu", "2x L4"}, {"server.rack.row", "7"}, {"target.extra.n", "3"}}, strings.Replace(strings.Replace(full, "gpu: 1x H100 SXM", "gpu: 2x L4, rack: {row: 7}", 1), "n: 2", "n: 3", 1)},
		"a block":              {full, []setting{{"server", "{a: b}"}}, strings.Replace(full, "gpu: 1x H100 SXM, quantization: fp8", "a: b", 1)},
		"a part of nothing":    {least, []setting{{"cost.per_hour", "2.5"}, {"cost.currency", "EUR"}}, least + "cost: {per_hour: 2.5, currency: EUR}\n"},
		"a stream by name":     {mixed, []setting{{"streams.chat.traffic.concurrency", "4"}}, strings.Replace(mixed, "rate: 30/min", "concurrency: 4", 1)},
		"a stream by place":    {mixed, []setting{{"streams[1].slo", "latency p90 < 4s"}}, strings.Replace(mixed, "latency p90 < 3s", "latency p90 < 4s", 1)},
	} {
		got := load(t, c.file)
		set(t, got, c.settings...)
		if err := got.Resolve(); err != nil {
			t.Errorf("%s: Resolve: %v", name, err)
			continue
		}
		if diff := cmp.Diff(string(canonicalOf(t, resolved(t, c.want))), string(canonicalOf(t, got))); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

func TestARepeatedFlagIsAList(t *testing.T) {
	c := load(t, full)
	if err := c.SetList("slo", []string{"ttft p50 < 1s", "itl[pos>64] p99 < 1s"}); err != nil {
		t.Fatal(err)
	}
	if len(c.SLO) != 2 || c.SLO[1].Text != "itl[pos>64] p99 < 1s" {
		t.Errorf("got %v", c.SLO)
	}
	if err := c.SetList("traffic.rate", []string{"1/s", "2/s"}); err == nil {
		t.Error("two rates gave no error")
	}
}

func TestSettingObjectivesEndsTheDefaults(t *testing.T) {
	c := load(t, leastCanonical)
	if !c.DefaultObjectives() {
		t.Fatal("default_slo of the file was lost")
	}
	set(t, c, setting{"slo", "latency p50 < 9s"})
	if err := c.Resolve(); err != nil || c.DefaultObjectives() || len(c.SLO) != 1 {
		t.Errorf("got %v, default %v, %v", c.SLO, c.DefaultObjectives(), err)
	}
}

func TestSettingAStreamsObjectivesEndsItsDefaults(t *testing.T) {
	c := resolved(t, "target: {simulate: fixed}\nstreams: [{name: a, traffic: {rate: 1/s}}, {name: b, traffic: {rate: 1/s}}]\n")
	if !c.Streams[0].DefaultSLO || !c.Streams[1].DefaultSLO {
		t.Fatal("no default objectives")
	}
	set(t, c, setting{"streams.b.slo", "latency p50 < 9s"})
	if !c.Streams[0].DefaultSLO || c.Streams[1].DefaultSLO {
		t.Errorf("default objectives: %v, %v, want true, false", c.Streams[0].DefaultSLO, c.Streams[1].DefaultSLO)
	}
}

func TestSetAfterResolveCountsWhatWasFilledInAsSaid(t *testing.T) {
	c := resolved(t, least)
	set(t, c, setting{"traffic.rate", "80/s"})
	if err := c.Resolve(); err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(leastCanonical, "40/s", "80/s", 1); string(canonicalOf(t, c)) != want {
		t.Errorf("got\n%s\nwant\n%s", canonicalOf(t, c), want)
	}
}

func TestAWrongFlagSaysWhatTheFileWouldHaveSaid(t *testing.T) {
	for name, c := range map[string]struct {
		file     string
		settings []setting
		says     string
		advises  string
	}{
		"no unit":                {"", []setting{{"traffic.rate", "40"}}, `traffic.rate: rate "40" has no unit`, "write 40/s"},
		"an objective":           {"", []setting{{"slo", "tfft p50 < 1s"}}, "tfft", "did you mean ttft p50 < 1s?"},
		"an objective in a list": {"", []setting{{"slo", "[ttft p50 < 1]"}}, "write its unit", "ttft p50 < 1ms"},
		"an unknown path":        {"", []setting{{"traffic.raet", "40/s"}}, `unknown setting "raet"`, "did you mean rate?"},
		"an unknown block":       {"", []setting{{"trafic.rate", "40/s"}}, `unknown setting "trafic"`, "did you mean traffic?"},
		"below a value":          {"", []setting{{"traffic.rate.x", "40/s"}}, "nothing below traffic.rate", ""},
		"no path":                {"", []setting{{"", "40/s"}}, "no setting", ""},
		"an empty key":           {"", []setting{{"server..x", "1"}}, "empty key", ""},
		"no stream":              {"", []setting{{"streams.chat.traffic.rate", "1/s"}}, `no stream "chat"`, "no streams"},
		"another stream":         {mixed, []setting{{"streams.chta.traffic.rate", "1/s"}}, `no stream "chta"`, "chat, long"},
		"no such place":          {mixed, []setting{{"streams[7].name", "x"}}, "no element [7]", ""},
		"not YAML":               {"", []setting{{"server", "{a: "}}, "server: ", ""},
		"not a block":            {"", []setting{{"server", "a"}}, "want keys and values", "key: value"},
		"two that exclude":       {"", []setting{{"traffic.rate", "1/s"}, {"traffic.concurrency", "4"}}, "excludes traffic.rate, which is given too", "drop concurrency or rate"},
		"a word for a number":    {"", []setting{{"client.processes", "many"}}, `"many" is not a whole number`, "digits"},
	} {
		contract := load(t, c.file)
		var err error
		for _, s := range c.settings {
			if err = contract.Set(s.path, s.value); err != nil {
				break
			}
		}
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(e.Error(), c.says) || !strings.Contains(e.Hint, c.advises) {
			t.Errorf("%s: got %v, want %q with the hint %q", name, err, c.says, c.advises)
			continue
		}
		if e.Line != 0 || e.Excerpt != "" {
			t.Errorf("%s: a flag has no line, got %d and %q", name, e.Line, e.Excerpt)
		}
	}
}

func TestEveryKeyCanBeSet(t *testing.T) {
	for _, key := range Keys() {
		c := load(t, mixed)
		path := strings.Replace(key, "streams[]", "streams[0]", 1)
		if list, _, ok := strings.Cut(path, "[]"); ok {
			if err := c.Set(list, "[{}]"); err != nil {
				t.Errorf("an element of %s: %v", list, err)
			}
			path = strings.Replace(path, "[]", "[0]", 1)
		}
		if _, _, err := c.reach(path); err != nil {
			t.Errorf("reach(%q): %v", path, err)
		}
	}
}
