package contract

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// loops are traffic blocks with users, pauses, ceilings and cancelled
// requests, and what their canonical form must show.
var loops = map[string]struct {
	traffic, shows string
	slots, places  int
	open           bool
}{
	"users":          {"{users: 200, think: 'normal(5s, 2s)'}", "  users: 200\n  think: normal(5s, 2s)\n", 200, 200, false},
	"slots":          {"{concurrency: 64, ramp: 30s, think: 500ms}", "  ramp: 30s\n  think: 500ms\n", 64, 64, false},
	"slots, counted": {"{concurrency: 64, requests: 500, think: exponential(2s)}", "  think: exponential(2s)\n", 64, 64, false},
	"one ceiling":    {"{rate: 40/s, max_in_flight: 100}", "  max_in_flight: 100\n", 0, 100, true},
	"two ceilings":   {"{rate: 40/s, max_in_flight: 100, max_prefill: 8}", "  max_in_flight: 100\n  max_prefill: 8\n", 0, 8, true},
	"cancel":         {"{rate: 40/s, cancel: {fraction: 5%, after: 2s}}", "  cancel:\n    fraction: 5%\n    after: 2s\n", 0, 0, true},
	"cancel, tokens": {"{users: 9, think: 1s, cancel: {fraction: 100%, after_tokens: 20}}", "    fraction: 100%\n    after_tokens: 20\n", 9, 9, false},
}

func TestLoopsResolveAndTheirCanonicalFormReadsBack(t *testing.T) {
	validate := validator(t)
	for name, l := range loops {
		text := "target: {simulate: fixed}\ntraffic: " + l.traffic + "\n"
		c := resolved(t, text)
		first := string(canonicalOf(t, c))
		if !strings.Contains(first, l.shows) {
			t.Errorf("%s: the canonical form has not %q:\n%s", name, l.shows, first)
		}
		if diff := cmp.Diff(first, string(canonicalOf(t, resolved(t, first)))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		for _, form := range []string{text, first} {
			if err := validate(form); err != nil {
				t.Errorf("%s: the schema refuses it: %v", name, err)
			}
		}
		s := &c.Streams[0]
		if s.Traffic.Slots() != l.slots || s.Traffic.Places() != l.places || s.OpenLoop() != l.open {
			t.Errorf("%s: %d slots, %d places, open loop %v, want %d, %d, %v", name, s.Traffic.Slots(), s.Traffic.Places(), s.OpenLoop(), l.slots, l.places, l.open)
		}
	}
	if c := resolved(t, "target: {simulate: fixed}\ntraffic: {rate: 1/s}\n"); strings.Contains(string(canonicalOf(t, c)), "cancel") {
		t.Error("a contract without cancel shows one")
	}
}

func TestLoopsThatCannotBeKeptPointAtTheirSetting(t *testing.T) {
	for name, f := range map[string]fault{
		"rate and users":            {"{rate: 1/s, users: 5, think: 1s}", "2:29", "traffic.users: excludes traffic.rate", "drop"},
		"concurrency and users":     {"{concurrency: 1, users: 5, think: 1s}", "2:34", "excludes traffic.concurrency", "drop"},
		"users of a shape":          {"{arrivals: gamma, users: 5, think: 1s}", "2:35", "excludes traffic.arrivals", "drop"},
		"a number of requests":      {"{users: 5, think: 1s, requests: 50}", "2:42", "traffic.requests: excludes traffic.users", "drop"},
		"users who never think":     {"{users: 5}", "2:10", "traffic.think: is missing", "think: normal(5s, 2s)"},
		"no users":                  {"{users: 0, think: 1s}", "2:18", "traffic.users: is zero", "more than zero"},
		"too many users":            {"{users: 2000000, think: 1s}", "2:18", "2000000 users can't be kept", "1000000"},
		"a pause of nothing":        {"{users: 5, think: 0s}", "2:28", `pause "0s" is no pause`, "exponential(5s)"},
		"an unknown law":            {"{users: 5, think: gauss(1s, 1s)}", "2:28", "has an unknown law", "lognormal"},
		"thinking in open loop":     {"{rate: 1/s, think: 1s}", "2:29", "traffic.think: is of a closed loop", "users or concurrency"},
		"thinking of a ramp":        {"{arrivals: ramp, shape: {to: 3/s}, think: 1s}", "2:52", "traffic.think: is of a closed loop", "users or concurrency"},
		"slots of a rate":           {"{rate: 1/s, ramp: 3s}", "2:28", "traffic.ramp: is of the slots", "arrivals: ramp"},
		"users of a ramp":           {"{users: 5, think: 1s, ramp: 3s}", "2:38", "traffic.ramp: excludes traffic.users", "drop"},
		"a ceiling in closed loop":  {"{concurrency: 5, max_in_flight: 3}", "2:42", "traffic.max_in_flight: excludes traffic.concurrency", "drop"},
		"prefill of users":          {"{users: 5, think: 1s, max_prefill: 3}", "2:45", "traffic.max_prefill: excludes traffic.users", "drop"},
		"a ceiling of nothing":      {"{rate: 1/s, max_in_flight: 0}", "2:37", "traffic.max_in_flight: is zero", "more than zero"},
		"less than nothing":         {"{rate: 1/s, max_prefill: -1}", "2:35", "can't be kept", "1000000"},
		"a ceiling above another":   {"{rate: 1/s, max_in_flight: 4, max_prefill: 5}", "2:53", "is never reached", "less than max_in_flight"},
		"cancel without a fraction": {"{rate: 1/s, cancel: {after: 2s}}", "2:30", "traffic.cancel.fraction: is missing", "fraction: 5%"},
		"cancel without an instant": {"{rate: 1/s, cancel: {fraction: 5%}}", "2:30", "traffic.cancel.after: is missing", "after_tokens: 20"},
		"cancel with both":          {"{rate: 1/s, cancel: {fraction: 5%, after: 2s, after_tokens: 3}}", "2:70", "excludes traffic.cancel.after", "drop"},
		"cancel of nothing":         {"{rate: 1/s, cancel: {fraction: 0%, after: 2s}}", "2:41", "traffic.cancel.fraction: is zero", "more than zero"},
		"cancel too late":           {"{rate: 1/s, cancel: {fraction: 5%, after: 10m}}", "2:52", "after the request limit of 10m", "request_limit"},
	} {
		refusesTraffic(t, name, f)
	}
}

func TestRepliesThatAreNotStreamedHaveNoTokensToWaitFor(t *testing.T) {
	for traffic, says := range map[string]string{
		"{rate: 1/s, max_prefill: 2}":                           "ends with the first token",
		"{rate: 1/s, cancel: {fraction: 5%, after_tokens: 20}}": "counts tokens as they come",
	} {
		c := load(t, "slo: [latency p50 < 9s]\ntarget: {simulate: fixed, stream: false}\ntraffic: "+traffic+"\n")
		if err := c.Resolve(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", traffic, err, says)
		}
	}
	resolved(t, "slo: [latency p50 < 9s]\ntarget: {simulate: fixed, stream: false}\ntraffic: {rate: 1/s, max_in_flight: 2, cancel: {fraction: 5%, after: 2s}}\n")
}

func TestAFlagForOneLoopDropsWhatTheFileSaysOfAnother(t *testing.T) {
	const users = "{users: 200, think: 5s, cancel: {fraction: 5%, after: 2s}}"
	for name, c := range map[string]struct {
		file     string
		settings []setting
		want     string
	}{
		"rate over users":        {users, []setting{{"traffic.rate", "9/s"}}, "{rate: 9/s, cancel: {fraction: 5%, after: 2s}}"},
		"concurrency over users": {users, []setting{{"traffic.concurrency", "4"}}, "{concurrency: 4, think: 5s, cancel: {fraction: 5%, after: 2s}}"},
		"users over a rate":      {"{rate: 4/s, arrivals: gamma, cv: 3, max_in_flight: 3}", []setting{{"traffic.users", "7"}, {"traffic.think", "2s"}}, "{users: 7, think: 2s}"},
		"slots over a ceiling":   {"{rate: 4/s, max_in_flight: 3, max_prefill: 1}", []setting{{"traffic.concurrency", "7"}}, "{concurrency: 7}"},
		"another end":            {users, []setting{{"traffic.cancel.after_tokens", "7"}}, "{users: 200, think: 5s, cancel: {fraction: 5%, after_tokens: 7}}"},
	} {
		got := load(t, "target: {simulate: fixed}\ntraffic: "+c.file+"\n")
		set(t, got, c.settings...)
		if err := got.Resolve(); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := resolved(t, "target: {simulate: fixed}\ntraffic: "+c.want+"\n")
		if diff := cmp.Diff(string(canonicalOf(t, want)), string(canonicalOf(t, got))); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

func TestThinkIsReadAsAPause(t *testing.T) {
	c := resolved(t, "target: {simulate: fixed}\ntraffic: {users: 5, think: 'lognormal(1m, 90s)'}\n")
	if got := c.Streams[0].Traffic.Think.Mean(); got != time.Minute {
		t.Errorf("mean %v, want 1m", got)
	}
}
