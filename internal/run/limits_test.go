package run

import (
	"math"
	"strings"
	"testing"
	"time"

	"assay/internal/contract"
	"assay/internal/observation"
)

func TestMemoryIsSharedOutWithinBounds(t *testing.T) {
	const gib = int64(1) << 30
	for _, c := range []struct {
		workers       int
		machine, want int64
	}{
		{8, 16 * gib, gib},
		{8, 64 * gib, 4 * gib},
		{1, 512 * gib, 4 * gib},
		{8, 2 * gib, 256 << 20},
		{8, 0, 256 << 20}, // unknown
	} {
		if got := memoryOf(c.workers, c.machine); got != c.want {
			t.Errorf("memoryOf(%d, %d) = %d, want %d", c.workers, c.machine, got, c.want)
		}
	}
}

func TestThreadsAreThoseOfTheContractOrAShareOfTheCores(t *testing.T) {
	for _, c := range []struct{ asked, workers, cores, want int }{
		{0, 1, 2, 2},
		{0, 8, 2, 1}, // one at least
		{0, 3, 16, 5},
		{1, 1, 64, 1},
		{4, 8, 2, 4}, // more than there are, as it was written
	} {
		if got := threadsOf(c.asked, c.workers, c.cores); got != c.want {
			t.Errorf("threadsOf(%d, %d, %d) = %d, want %d", c.asked, c.workers, c.cores, got, c.want)
		}
	}
}

// loadOf is what the only address of a contract will see.
func loadOf(t *testing.T, text, url string, p ...observation.Preflight) (string, load) {
	t.Helper()
	c := resolved(t, text)
	for address, l := range loadsOf(c, map[string][]string{"main": {url}}, p) {
		return address, l
	}
	t.Fatal("no address")
	return "", load{}
}

const (
	openLoop   = "version: 1\ntarget: {url: http://10.0.0.1:8000, model: m}\ntraffic: {rate: 100/s, duration: 60s, warmup: 5s}\n"
	closedLoop = "version: 1\ntarget: {url: http://10.0.0.1:8000, model: m}\ntraffic: {concurrency: 40, duration: 10s, warmup: 5s}\n"
)

func TestConnectionsAreCountedAhead(t *testing.T) {
	for _, c := range []struct {
		name, text, url string
		preflight       []observation.Preflight
		address         string
		want            load
	}{
		{"open loop, quick", openLoop, "http://10.0.0.1:8000/v1/x", []observation.Preflight{{DurationMS: 20}},
			"10.0.0.1:8000", load{open: 100, lasts: 65 * time.Second}},
		{"open loop, slow", openLoop, "http://10.0.0.1:8000/v1/x", []observation.Preflight{{DurationMS: 4000}},
			"10.0.0.1:8000", load{open: 800, lasts: 65 * time.Second}},
		{"open loop, closing", openLoop, "https://10.0.0.1/v1/x", []observation.Preflight{{DurationMS: 20, Closes: true}},
			"10.0.0.1:443", load{open: 100, fresh: 100, lasts: 65 * time.Second}},
		{"without a preflight", openLoop, "http://localhost/v1/x", nil,
			"localhost:80", load{open: 100, lasts: 65 * time.Second, nearby: true}},
		{"closed loop, closing", closedLoop, "http://127.0.0.1:1/", []observation.Preflight{{DurationMS: 500, Closes: true}},
			"127.0.0.1:1", load{open: 40, fresh: 80, lasts: 15 * time.Second, nearby: true}},
	} {
		address, l := loadOf(t, c.text, c.url, c.preflight...)
		if address != c.address || l != c.want {
			t.Errorf("%s: %s sees %+v, want %s, %+v", c.name, address, l, c.address, c.want)
		}
	}
}

// Replies took 500 ms, so that 1 s is reckoned with for what is open.
func TestSessionsNeedConnectionsForTheirLaterTurns(t *testing.T) {
	const (
		talk  = "workload: {input_tokens: 9, output_tokens: 9, sessions: {turns: 4, think: 2s}}\n"
		agent = "workload: {input_tokens: 9, output_tokens: 9, agent: [{name: a}, {name: b, after: a, copies: 3, wait: 1s}, {name: c, after: b}]}\n"
		users = "version: 1\ntarget: {url: http://10.0.0.1:8000, model: m}\ntraffic: {users: 100, think: 30s, duration: 10s, warmup: 5s}\n"
	)
	for _, c := range []struct {
		name, text string
		want       load
	}{
		// 100 sessions/s of 4 requests, each for a second.
		{"conversations in open loop", openLoop + talk, load{open: 400, fresh: 400}},
		// 100/s of 5 requests.
		{"agents in open loop", openLoop + agent, load{open: 500, fresh: 500}},
		// 40 slots with one request at a time: 4 in 4 · 0.5 + 3 · 2 s.
		{"conversations in slots", closedLoop + talk, load{open: 40, fresh: 20}},
		// 40 slots with 3 side by side: 5 requests in 0.5 + 1.5 + 0.5 s.
		{"agents in slots", closedLoop + agent, load{open: 120, fresh: 80}},
		// Of 100 users those talk who don't think: 4 · 1 + 3 · 2 = 10 s of 40 s. All 4 requests are in 8 + 30 s.
		{"users", users + talk, load{open: 25, fresh: 400.0 / 38}},
	} {
		_, l := loadOf(t, c.text, "http://10.0.0.1:8000/v1/x", observation.Preflight{DurationMS: 500, Closes: true})
		if l.open != c.want.open || math.Abs(l.fresh-c.want.fresh) > 1e-9 {
			t.Errorf("%s: %g open and %g/s fresh, want %g and %g/s", c.name, l.open, l.fresh, c.want.open, c.want.fresh)
		}
	}
}

func TestPortsThatRestAreCountedWhereTheServerCloses(t *testing.T) {
	const ports = 28000
	for _, c := range []struct {
		name    string
		load    load
		resting int
		rest    time.Duration
		says    string // "" where it fits
	}{
		{"kept", load{open: 20000, lasts: time.Hour}, 20000, time.Minute, ""},
		{"too many at a time", load{open: 28001, lasts: time.Hour}, 0, time.Minute, "28001 connections at a time"},
		{"closed, slowly", load{open: 100, fresh: 400, lasts: time.Hour}, 0, time.Minute, ""},
		{"closed, fast", load{open: 100, fresh: 500, lasts: time.Hour}, 0, time.Minute, "need 30100 local ports"},
		{"closed, fast, shortly", load{open: 100, fresh: 500, lasts: 20 * time.Second}, 0, time.Minute, ""},
		{"closed, fast, lent again", load{open: 100, fresh: 500, lasts: time.Hour}, 0, time.Second, ""},
		{"after another run", load{open: 100, fresh: 400, lasts: time.Hour}, 5000, time.Minute, "23000 are free"},
	} {
		err := c.load.fits("a:1", ports, c.resting, c.rest)
		switch {
		case c.says == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
}

func resolved(t *testing.T, text string) *contract.Contract {
	t.Helper()
	c, err := contract.Load("contract.yaml", []byte(text))
	if err == nil {
		err = c.Resolve()
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestHowLongARunTakesIsTakenFromTheFirstRepliesWhereNothingElseTells(t *testing.T) {
	const slots = "version: 1\ntarget: {url: http://10.0.0.1:8000, model: m}\ntraffic: {concurrency: 4, requests: 12}\n"
	for _, c := range []struct {
		text  string
		reply time.Duration
		want  time.Duration
	}{
		{slots, 2 * time.Second, 6 * time.Second}, // three rounds
		{slots, 0, time.Minute},                   // no reply was seen
		{strings.Replace(slots, "requests: 12", "requests: 13", 1), 2 * time.Second, 8 * time.Second},
		{openLoop, 2 * time.Second, 65 * time.Second},
		{strings.Replace(openLoop, "duration: 60s, warmup: 5s", "requests: 500", 1), 2 * time.Second, 5 * time.Second},
	} {
		s := &resolved(t, c.text).Streams[0]
		if got := lasts(s, c.reply); got != c.want {
			t.Errorf("%s with replies of %v takes %v, want %v", c.text, c.reply, got, c.want)
		}
	}
}
