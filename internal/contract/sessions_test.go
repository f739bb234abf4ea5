package contract

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/workload"
)

const aboutSessions = `
version: 1
target: {simulate: "null"}
traffic: {rate: 5/s}
workload:
`

const agent = `
  output_tokens: 20
  agent:
    - {name: plan, input_tokens: 100}
    - {name: try, after: plan, copies: 3, wait: 500ms, output_tokens: "uniform(10, 30)"}
    - {name: pick, after: [try], history: none, role: verifier}
`

func TestSessionsAndAgentsTakeFromTheStreamWhatTheyLeaveOut(t *testing.T) {
	for text, want := range map[string]string{
		"  sessions: {turns: \"uniform(2, 6)\"}\n": `  sessions:
    turns: uniform(2, 6)
    input_tokens: normal(550, 150)
    history: live
`,
		"  input_tokens: 40\n  sessions: {turns: 3, think: exponential(2s), input_tokens: 7, history: recorded}\n": `  sessions:
    turns: 3
    think: exponential(2s)
    input_tokens: 7
    history: recorded
`,
		agent: `  agent:
    - name: plan
      input_tokens: 100
      output_tokens: 20
    - name: try
      after:
        - plan
      copies: 3
      wait: 500ms
      input_tokens: normal(550, 150)
      output_tokens: uniform(10, 30)
    - name: pick
      after:
        - try
      history: none
      role: verifier
      input_tokens: normal(550, 150)
      output_tokens: 20
`,
	} {
		c := load(t, aboutSessions+text)
		if err := c.Resolve(); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		canonical, err := c.Canonical()
		if err != nil || !strings.Contains(string(canonical), want) {
			t.Errorf("%v; the canonical form lacks\n%s\nit is\n%s", err, want, canonical)
		}
		again := load(t, string(canonical))
		if err := again.Resolve(); err != nil {
			t.Errorf("the canonical form: %v", err)
			continue
		}
		if second, err := again.Canonical(); err != nil || !bytes.Equal(canonical, second) {
			t.Errorf("%v: %s", err, cmp.Diff(string(canonical), string(second)))
		}
	}
}

func TestSessionsThatCannotBeCarriedOutAreRefusedWhereTheyStand(t *testing.T) {
	for _, c := range []struct{ text, path, says string }{
		{"  sessions: {think: 2s}\n", "workload.sessions.turns", "missing"},
		{"  sessions: {turns: 0}\n", "workload.sessions.turns", "turns"},
		{"  sessions: {turns: 1001}\n", "workload.sessions.turns", "at most 1000"},
		{"  sessions: {turns: 3, history: all}\n", "workload.sessions.history", `"all"`},
		{"  sessions: {turns: 3}\n  prompts: p.jsonl\n", "workload.prompts", "excludes"},
		{"  file: f.jsonl\n  sessions: {turns: 3}\n", "workload.sessions.turns", "file"},
		{"  lengths: [{input: 3, output: 4}]\n  sessions: {turns: 3}\n", "workload.sessions.input_tokens", "missing"},
		{"  lengths: [{input: 3, output: 4}]\n  agent: [{name: a, output_tokens: 3}]\n", "workload.agent[0].input_tokens", "missing"},
		{"  agent: []\n", "workload.agent", "empty"},
		{"  agent: [{name: a}, {name: b, after: c}]\n", "workload.agent[1]", `"c"`},
		{"  agent: [{name: a, role: \"a b\"}]\n", "workload.agent[0].role", "role"},
		{"  agent: [{name: a}]\n  sessions: {turns: 3}\n", "workload.sessions", "excludes"},
	} {
		k, err := Load("c.yaml", []byte(aboutSessions+c.text))
		if err == nil {
			err = k.Resolve()
		}
		var e *Error
		if !errors.As(err, &e) || e.Path != c.path || !strings.Contains(e.Error(), c.says) || e.Line == 0 && c.says != "missing" {
			t.Errorf("%s: %v, want %s at %s", c.text, err, c.says, c.path)
		}
	}
}

func TestSessionsWantAnEndpointOfConversationsAndNoCeiling(t *testing.T) {
	for setting, says := range map[[2]string]string{
		{"target.endpoint", "completions"}: "conversation",
		{"traffic.max_in_flight", "8"}:     "first turns",
		{"traffic.max_prefill", "8"}:       "first turns",
	} {
		for _, text := range []string{agent, "  sessions: {turns: 3}\n"} {
			c := load(t, aboutSessions+text)
			if err := c.Set(setting[0], setting[1]); err != nil {
				t.Fatal(err)
			}
			if err := c.Resolve(); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%v: %v, want %s", setting, err, says)
			}
		}
	}
}

func TestARequestThatIsDueBringsOthers(t *testing.T) {
	for text, want := range map[string]float64{
		"  input_tokens: 3\n": 1, "  sessions: {turns: 3}\n": 3, "  sessions: {turns: \"uniform(2, 6)\"}\n": 4, agent: 5,
	} {
		c := load(t, aboutSessions+text)
		if err := c.Resolve(); err != nil {
			t.Fatal(err)
		}
		if got := c.Streams[0].MeanTurns(); got != want {
			t.Errorf("%s: %v requests, want %v", text, got, want)
		}
	}
	if got := (&Stream{Workload: workload.Spec{File: "f"}}).MeanTurns(); got != 1 {
		t.Errorf("a file: %v", got)
	}
}

func TestALawThatACommaCutsIsSaidToBe(t *testing.T) {
	_, err := Load("c.yaml", []byte(aboutSessions+"  sessions: {turns: uniform(2, 6)}\n"))
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint, "quotes") {
		t.Errorf("%v", err)
	}
}
