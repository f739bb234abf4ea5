package result

import (
	"testing"

	"assay/internal/contract"
	"assay/internal/observation"
	"assay/internal/record"
	"assay/internal/workload"
)

func cached(input, cached int, phase record.Phase, status record.Status, source record.TokenSource) *record.Record {
	r := record.New("main", 0)
	r.Input, r.Cached, r.Phase, r.Status, r.InputSource = input, cached, phase, status, source
	return &r
}

// cacheOf is a result's cache of 1,000 input tokens of which the server found
// some, and of which so many could be known, in blocks and token by token.
func cacheOf(found, blocks, known int64, told bool, spec workload.Spec) Cache {
	b := &builder{c: &contract.Contract{Streams: []contract.Stream{{Name: "main", Workload: spec}}}}
	b.found = cacheTally{input: 1000, cached: found, told: told}
	b.log.caches = []observation.Cache{{Stream: "main", Requests: 10, InputTokens: 1000, Known: known, InBlocks: blocks, Whole: 3}}
	return b.cache()
}

func TestACacheThatIsFarFromWhatPromptsAllowIsFlagged(t *testing.T) {
	for _, c := range []struct {
		name                 string
		found, blocks, known int64
		told                 bool
		flag                 string
	}{
		{"as expected in blocks", 400, 400, 440, true, ""},
		{"as expected token by token", 440, 400, 440, true, ""},
		{"nearly 5 points more", 489, 400, 440, true, ""},
		{"beyond 5 points more", 491, 400, 440, true, CacheMore},
		{"nearly 5 points less", 351, 400, 440, true, ""},
		{"beyond 5 points less", 349, 400, 440, true, CacheFewer},
		{"new prompts that it knows", 300, 0, 0, true, CacheMore},
		{"nothing told", 0, 400, 440, false, ""},
	} {
		if got := cacheOf(c.found, c.blocks, c.known, c.told, workload.Spec{}); got.Flag != c.flag {
			t.Errorf("%s: flag %q, want %q", c.name, got.Flag, c.flag)
		}
	}
	got := cacheOf(400, 390, 440, true, workload.Spec{})
	if *got.Expected != 0.44 || *got.ExpectedBlocks != 0.39 || *got.Seen != 0.4 || *got.CachedTokens != 400 || got.InputTokens != 1000 || got.Repeated != 3 || got.Natural {
		t.Errorf("cache = %+v, want 0.44, 0.39, 0.4, 400 of 1000, 3 repeated", got)
	}
	if got := cacheOf(0, 390, 440, false, workload.Spec{}); got.Seen != nil || got.CachedTokens != nil {
		t.Errorf("a server that tells nothing is said to have found %v", got)
	}
}

func TestOnlyPromptsOfOursAreNewInEveryRun(t *testing.T) {
	for name, c := range map[string]struct {
		spec workload.Spec
		want bool
	}{
		"synthetic": {workload.Spec{}, false}, "asked for": {workload.Spec{Cache: workload.Natural}, true},
		"prompts": {workload.Spec{Prompts: "p.jsonl"}, true}, "file": {workload.Spec{File: "f.jsonl"}, true},
	} {
		if got := cacheOf(0, 0, 0, true, c.spec).Natural; got != c.want {
			t.Errorf("%s: natural = %v, want %v", name, got, c.want)
		}
	}
}

func TestExpectationsOfSomeStreamsAloneAreNone(t *testing.T) {
	b := &builder{c: &contract.Contract{Streams: []contract.Stream{{Name: "a"}, {Name: "b"}}}}
	b.found = cacheTally{input: 2000, cached: 900, told: true}
	b.log.caches = []observation.Cache{{Stream: "a", InputTokens: 1000}}
	if got := b.cache(); got.Expected != nil || got.ExpectedBlocks != nil || got.Flag != "" || *got.Seen != 0.45 {
		t.Errorf("cache = %+v, want 0.45 seen and nothing expected", got)
	}
}

func TestWhatTheServerFoundIsOfAnsweredRequestsOfTheWindowThatItCounted(t *testing.T) {
	var c cacheTally
	for _, r := range []*record.Record{
		cached(100, 60, record.Measured, record.OK, record.FromUsage),
		cached(100, record.NoCount, record.Measured, record.OK, record.FromUsage), // left out where it is 0
		cached(100, 90, record.Warmup, record.OK, record.FromUsage),
		cached(100, 90, record.Measured, record.Failed, record.FromUsage),
		cached(100, 90, record.Measured, record.OK, record.FromWords),
	} {
		c.add(r)
	}
	if want := (cacheTally{input: 200, cached: 60, told: true}); c != want {
		t.Errorf("tally = %+v, want %+v", c, want)
	}
}
