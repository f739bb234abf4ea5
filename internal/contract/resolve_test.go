package contract

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/internal/arrival"
	"assay/internal/slo"
	"assay/internal/unit"
)

func TestTheWarmupIsATenthOfTheWindowAtMostThirtySeconds(t *testing.T) {
	for traffic, want := range map[string]time.Duration{
		"{rate: 1/s, duration: 60s}":              6 * time.Second,
		"{rate: 1/s, duration: 1h}":               30 * time.Second,
		"{rate: 1/s}":                             30 * time.Second,
		"{rate: 1/s, requests: 50}":               0,
		"{concurrency: 4, duration: 10s}":         time.Second,
		"{rate: 1/s, duration: 60s, warmup: 0s}":  0,
		"{rate: 1/s, requests: 5, warmup: 2s}":    2 * time.Second,
		"{rate: 1/s, duration: 60s, warmup: 45s}": 45 * time.Second,
	} {
		c := resolved(t, "target: {simulate: fixed}\ntraffic: "+traffic+"\n")
		if got := c.Streams[0].Traffic.Warmup.Std(); got != want {
			t.Errorf("%s: warmup %v, want %v", traffic, got, want)
		}
	}
}

func TestTheSendLagLimitFollowsTheTightestTTFTObjective(t *testing.T) {
	for objectives, want := range map[string]time.Duration{
		"[ttft p50 < 500ms]":                   5 * time.Millisecond, // 2 % are 10 ms
		"[ttft p50 < 500ms, ttft p99 < 150ms]": 3 * time.Millisecond,
		"[ttft_due p50 < 200ms]":               4 * time.Millisecond,
		"[ttft p50 < 10ms]":                    time.Millisecond, // 2 % are 0.2 ms
		"[latency p50 < 10ms]":                 5 * time.Millisecond,
	} {
		c := resolved(t, least+"slo: "+objectives+"\n")
		if got := c.Client.MaxSendLag.Std(); got != want {
			t.Errorf("%s: max_send_lag %v, want %v", objectives, got, want)
		}
	}
	c := resolved(t, least+"client: {max_send_lag: 9ms, max_cpu: 50%}\n")
	usual := c.UsualClient()
	if *c.Client.MaxSendLag == *usual.MaxSendLag || c.Client.MaxCPU == usual.MaxCPU || c.Client.MaxCPUSecond != usual.MaxCPUSecond {
		t.Errorf("got %v, usual %v: want the two limits that were changed to differ, and no other", c.Client, usual)
	}
}

func TestDefaultObjectivesLeaveOutWhatCantBeHad(t *testing.T) {
	for text, want := range map[string][]string{
		least:                                    {"ttft p50 < 500ms", "itl p99 < 100ms"},
		least + "workload: {output_tokens: 1}\n": {"ttft p50 < 500ms"},
		least + "slo: []\n":                      {"ttft p50 < 500ms", "itl p99 < 100ms"},
		least + "slo: error_rate < 1%\n":         {"error_rate < 1%"},
		least + "good: ttft < 1s\n":              {"ttft p50 < 500ms", "itl p99 < 100ms"},
		least + "default_slo: true\nslo: latency p50 < 1s\n": {"latency p50 < 1s"}, // another version's defaults
	} {
		c := resolved(t, text)
		var got []string
		for _, o := range c.Streams[0].SLO {
			got = append(got, o.Text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
		if asked := strings.Contains(text, "error_rate"); c.DefaultObjectives() == asked {
			t.Errorf("%q: DefaultObjectives() = %v", text, c.DefaultObjectives())
		}
	}
}

// impossible are contracts that read well and can't be carried out.
var impossible = map[string]fault{
	"itl without a stream":        {"target: {simulate: fixed, stream: false}\ntraffic: {rate: 1/s}\nslo:\n  - itl p99 < 1s\n", "4:5", "not streamed", "bound latency"},
	"ttft without a stream":       {"target: {simulate: fixed, stream: false}\ntraffic: {rate: 1/s}\nslo: [ttft p50 < 1s]\n", "3:7", "not streamed", "bound latency"},
	"tpot of one token":           {least + "workload: {output_tokens: 1}\nslo:\n  - tpot mean < 1s\n", "5:5", "one token", "ttft or latency"},
	"itl of one token, uniform":   {least + "workload: {output_tokens: \"uniform(1, 1)\"}\nslo: [itl p50 < 1s]\n", "4:7", "one token", "more output_tokens"},
	"due in closed loop":          {"target: {simulate: fixed}\ntraffic: {concurrency: 2}\nslo: [ttft_due p50 < 1s]\n", "3:7", "closed loop", "bound ttft, or use rate"},
	"good_fraction without good":  {least + "slo: [good_fraction > 99%]\n", "3:7", "which requests are good", "add good:"},
	"good that can't be had":      {least + "workload: {output_tokens: 1}\ngood: [tpot < 1s]\n", "4:8", "one token", ""},
	"fluidity without deadlines":  {least + "slo:\n  - ttft p50 < 1s\n  - fluidity p10 > 90%\n", "5:5", "no objective on itl", "itl p99 < 100ms"},
	"a position beyond all":       {least + "workload: {output_tokens: 256}\nslo:\n  - itl[pos>1024] p99 < 1s\n", "5:5", "no reply is longer than 256", "filter"},
	"another stream's objective":  {least + "slo:\n  - ttft[stream=x] p99 < 1s\n", "4:5", `the stream "main"`, "filter"},
	"no default objective left":   {"target: {simulate: fixed, stream: false}\ntraffic: {rate: 1/s}\n", "0:0", "no default objective", "latency p99"},
	"no target":                   {"traffic: {rate: 1/s}\n", "0:0", "target.url: is missing", "--simulate"},
	"no traffic":                  {"target: {url: http://h}\n", "0:0", "traffic.rate: is missing", "concurrency: 64"},
	"half a traffic":              {"target: {url: http://h}\ntraffic: {duration: 1m}\n", "2:10", "traffic.rate: is missing", "concurrency: 64"},
	"an unknown endpoint":         {"target: {simulate: fixed, endpoint: chta}\ntraffic: {rate: 1/s}\n", "1:37", `unknown endpoint "chta"`, "did you mean chat?"},
	"unknown arrivals":            {"target: {simulate: fixed}\ntraffic: {rate: 1/s, arrivals: poison}\n", "2:32", `unknown arrivals "poison"`, "did you mean poisson?"},
	"an unknown limit":            {"target: {simulate: fixed, body_limit: n}\ntraffic: {rate: 1/s}\n", "1:39", "no output limit of chat", "max_tokens"},
	"an unknown order":            {least + "workload: {prompts: x, order: sequental}\n", "3:31", "unknown order", "did you mean sequential?"},
	"an order of nothing":         {least + "workload: {order: sampled}\n", "3:19", "there is none", "write prompts"},
	"parameters of no server":     {"target: {simulate_set: {a: b}}\ntraffic: {rate: 1/s}\n", "1:9", "target.url: is missing", "simulate"},
	"no scheme":                   {"target: {url: 127.0.0.1:8000}\ntraffic: {rate: 1/s}\n", "1:15", "has no scheme", "http://127.0.0.1:8000"},
	"a scheme that is not spoken": {"target: {url: ftp://x}\ntraffic: {rate: 1/s}\n", "1:15", `unknown scheme "ftp"`, "http and https"},
	"no host":                     {"target: {url: \"http://\"}\ntraffic: {rate: 1/s}\n", "1:15", "has no host", "http://127.0.0.1:8000"},
	"a fragment":                  {"target: {url: \"http://h/#a\"}\ntraffic: {rate: 1/s}\n", "1:15", "fragment", "drop #a"},
	"another endpoint's path":     {"target: {url: http://h/v1/chat/completions, endpoint: completions}\ntraffic: {rate: 1/s}\n", "1:15", "full path of chat", "endpoint: chat"},
	"a field that is ours":        {"target: {simulate: fixed, extra: {max_tokens: 5}}\ntraffic: {rate: 1/s}\n", "1:47", "written by assay itself", "workload.output_tokens"},
	"money without a unit":        {least + "cost: {per_hour: 2}\n", "3:7", "cost.currency: is missing", "USD"},
	"streams that end apart":      {"target: {simulate: fixed}\nstreams:\n  - {name: a, traffic: {rate: 1/s, duration: 1m}}\n  - {name: b, traffic: {rate: 1/s, duration: 2m}}\n", "4:24", "another window", "at the top level"},
	"streams that count":          {"target: {simulate: fixed}\nstreams:\n  - {name: a, traffic: {rate: 1/s}}\n  - {name: b, traffic: {rate: 1/s, requests: 9}}\n", "4:46", "end the streams at different times", "use duration"},
}

func TestWhatCantBeCarriedOutIsRefusedWithItsPlace(t *testing.T) {
	for name, f := range impossible {
		err := load(t, f.text).Resolve()
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: Resolve gave %v, want a *contract.Error", name, err)
			continue
		}
		first, _, _ := strings.Cut(e.Error(), "\n")
		at := "c.yaml:" + f.at + ": "
		if f.at == "0:0" {
			at = "c.yaml: "
		}
		if !strings.HasPrefix(first, at) || !strings.Contains(first, f.says) || !strings.Contains(e.Hint, f.advises) {
			t.Errorf("%s: got %q, hint %q; want it at %s saying %q, hint %q", name, first, e.Hint, at, f.says, f.advises)
		}
	}
}

func TestStreamsTakeFromTheTopWhatTheyLeaveOut(t *testing.T) {
	c := resolved(t, mixed)
	chat, long := c.Streams[0], c.Streams[1]
	if diff := cmp.Diff([]any{
		chat.Target.URL, chat.Target.Model, chat.Target.Headers["X-A"], chat.Traffic.Duration.Std(), chat.Traffic.Drain.Std(), *chat.Target.Stream,
		long.Target.URL, long.Target.Simulate, long.Target.Model, *long.Target.Stream, long.Traffic.Duration.Std(), long.Traffic.Drain.Std(), long.OpenLoop(),
	}, []any{
		[]string{"http://a:1", "http://b:2"}, "m", "b", 20 * time.Second, time.Duration(0), true,
		[]string(nil), "fixed", "m", false, 20 * time.Second, time.Duration(0), false,
	}); diff != "" {
		t.Error(diff)
	}
	if got, want := chat.Arrival(), (arrival.Spec{Shape: "poisson", Rate: 0.5}); !cmp.Equal(want, got) {
		t.Errorf("Arrival() = %v, want %v", got, want)
	}
	if c.Client.MaxSendLag.Std() != 1200*time.Microsecond { // 2 % of 60 ms
		t.Errorf("max_send_lag %v, want 1.2ms", c.Client.MaxSendLag.Std())
	}
}

func TestAStreamWithItsOwnServerDoesNotTakeTheOtherKind(t *testing.T) {
	const tail = "traffic: {duration: 1m}\nstreams:\n  - {name: a, target: {url: http://h}, traffic: {rate: 1/s}}\n  - {name: b, target: {simulate: fixed}, traffic: {rate: 1/s}}\n"
	for _, top := range []string{"target: {simulate: other, simulate_set: {itl: 5ms}}\n", "target: {url: http://top}\n"} {
		c := resolved(t, top+tail)
		a, b := c.Streams[0].Target, c.Streams[1].Target
		if a.URL[0] != "http://h" || a.Simulate != "" || a.SimulateSet != nil || b.URL != nil || b.Simulate != "fixed" || b.SimulateSet != nil {
			t.Errorf("below %q: got %v and %v", top, a, b)
		}
	}
}

func TestAContractBuiltInMemoryResolvesLikeAFile(t *testing.T) {
	o, err := slo.Parse("ttft p50 < 500ms")
	if err != nil {
		t.Fatal(err)
	}
	c := &Contract{
		Target: Target{URL: []string{"http://h"}}, SLO: []slo.Objective{o},
		Traffic: Traffic{Rate: 40, Duration: unit.Duration(time.Minute)},
	}
	if err := c.Resolve(); err != nil {
		t.Fatal(err)
	}
	file := resolved(t, "target: {url: http://h}\nslo: [ttft p50 < 500ms]\ntraffic: {rate: 40/s, duration: 1m}\n")
	if diff := cmp.Diff(string(canonicalOf(t, file)), string(canonicalOf(t, c))); diff != "" {
		t.Error(diff)
	}
	c.Traffic.Concurrency = 3
	if err := (&Contract{Target: c.Target, Traffic: c.Traffic}).Resolve(); err == nil || !strings.Contains(err.Error(), "excludes") {
		t.Errorf("rate and concurrency: got %v", err)
	}
}

func TestTheNameComesFromTheTarget(t *testing.T) {
	for target, want := range map[string]string{
		"{url: http://127.0.0.1:8000}":     "127.0.0.1-8000",
		"{url: \"https://[::1]:8000/v1\"}": "1--8000",
		"{url: https://api.example.com}":   "api.example.com",
		"{simulate: fixed}":                "simulate-fixed",
	} {
		c := resolved(t, "target: "+target+"\ntraffic: {rate: 1/s}\n")
		if c.Name != want {
			t.Errorf("%s: name %q, want %q", target, c.Name, want)
		}
		if !safeName.MatchString(c.Name) {
			t.Errorf("%s: name %q is not safe", target, c.Name)
		}
	}
}

func TestASecondResolveChangesNothingAndKeepsWhatARunFilledIn(t *testing.T) {
	for _, text := range []string{least, full, mixed} {
		c := resolved(t, text)
		c.Streams[0].Target.Model = "found" // as a run does that asks the server
		first := string(canonicalOf(t, c))
		if !strings.Contains(first, "model: found\n") {
			t.Errorf("the model that was filled in is lost:\n%s", first)
		}
		if err := c.Resolve(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first, string(canonicalOf(t, c))); diff != "" {
			t.Error(diff)
		}
	}
}
