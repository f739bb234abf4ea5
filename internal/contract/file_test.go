package contract

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestAFileOfRequestsIsCheckedBeforeItIsRead(t *testing.T) {
	for text, want := range map[string]string{
		"file: f, input_tokens: 5":  "excludes",
		"file: f, prompts: p":       "excludes",
		"file: f, format: mooncake": `unknown format "mooncake"`,
		"file: f, block: -1":        "-1 tokens are no block",
		"format: sharegpt":          "is of a file of requests, and there is none",
		"strict: true":              "is of a file of requests, and there is none",
		"prompts: p, block: 16":     "is of a file of requests, and there is none",
	} {
		c, err := Load("c.yaml", []byte("target: {simulate: fixed}\ntraffic: {rate: 1/s}\nworkload: {"+text+"}\n"))
		if err == nil {
			err = c.Resolve()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestATraceTakesTheTimesOfTheWorkloadsFile(t *testing.T) {
	c, err := Load("c.yaml", []byte("target: {simulate: fixed}\ntraffic: {arrivals: trace, warmup: 0s, duration: 10s, shape: {speedup: 2, start: 1s}}\nworkload: {file: f}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Resolve(); err != nil {
		t.Fatal(err)
	}
	fsys := fstest.MapFS{"f": &fstest.MapFile{Data: []byte(`{"timestamp": 5000, "input_length": 1}
{"timestamp": 6000, "input_length": 1}
{"timestamp": 9000, "input_length": 1}
{"timestamp": 7000, "input_length": 1}
`)}}
	if err := c.ReadArrivals(fsys); err != nil {
		t.Fatal(err)
	}
	times := c.Streams[0].Arrival().Recorded.Times
	if len(times) != 3 || times[0] != 0 || times[1] != 5e8 || times[2] != 15e8 { // 1 s, 2 s and 4 s after the first, from 1 s on, twice as fast
		t.Errorf("times %v, want 0, 0.5 and 1.5 s", times)
	}
	again, err := Load("c.yaml", canonicalOf(t, c))
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Resolve(); err != nil {
		t.Errorf("the canonical form is refused: %v", err)
	}
	if !again.Streams[0].HandedTimes() {
		t.Error("the canonical form has lost where the times come from")
	}
}
