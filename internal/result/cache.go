package result

// The prefix cache: what the prompts should let a server find again, against
// what it says that it found.

import (
	"math"

	"assay/internal/record"
	"assay/internal/workload"
)

// Cache compares the two over the requests of the window that succeeded and
// whose tokens the server counted. The expected share is that of a cache
// without limit that knows what this run sent and nothing else.
type Cache struct {
	Expected       *float64 `json:"expected"`        // share of the input tokens, token by token; null where it is not known
	ExpectedBlocks *float64 `json:"expected_blocks"` // likewise, where 16 tokens are kept together, and of replies none
	Seen           *float64 `json:"seen"`            // null where the server tells of no cached token
	CachedTokens   *int64   `json:"cached_tokens"`
	InputTokens    int64    `json:"input_tokens"`
	Repeated       int64    `json:"repeated"` // requests whose whole prompt had been sent before
	Natural        bool     `json:"natural"`  // prompts may be those of an earlier run
	Flag           string   `json:"flag"`     // "", or one of those below
}

// Flags of a cache.
const (
	CacheMore  = "more"  // it found more than the run's own prompts explain
	CacheFewer = "fewer" // it found less than the prompts allow
)

// farOff is the difference from which a cache is flagged: what a template adds
// and what is computed at the same moment stay below it.
const farOff = 0.05

// A cacheTally is what the server said.
type cacheTally struct {
	input, cached int64
	told          bool
}

func (t *cacheTally) add(r *record.Record) {
	if r.Phase != record.Measured || r.Status != record.OK || r.InputSource != record.FromUsage {
		return
	}
	t.input += int64(max(0, r.Input))
	if r.Cached != record.NoCount { // servers that tell leave it out where it is 0
		t.told = true
		t.cached += int64(r.Cached)
	}
}

func (b *builder) cache() Cache {
	c := Cache{InputTokens: b.found.input}
	var input, known, blocks int64
	streams := map[string]bool{}
	for _, o := range b.log.caches {
		streams[o.Stream] = true
		input += o.InputTokens
		known += o.Known
		blocks += o.InBlocks
		c.Repeated += o.Whole
	}
	for i := range b.c.Streams {
		w := &b.c.Streams[i].Workload
		c.Natural = c.Natural || w.Cache == workload.Natural || w.Prompts != "" || w.File != ""
	}
	if input > 0 && len(streams) == len(b.c.Streams) {
		c.Expected, c.ExpectedBlocks = number(float64(known)/float64(input)), number(float64(blocks)/float64(input))
	}
	if b.found.told && b.found.input > 0 {
		c.Seen, c.CachedTokens = number(float64(b.found.cached)/float64(b.found.input)), &b.found.cached
	}
	c.Flag = c.flag()
	return c
}

// flag compares what was seen with the whole range of what servers can find:
// from blocks to single tokens.
func (c *Cache) flag() string {
	switch {
	case c.Seen == nil || c.Expected == nil || math.IsNaN(*c.Seen):
		return ""
	case *c.Seen > *c.Expected+farOff:
		return CacheMore
	case *c.Seen < *c.ExpectedBlocks-farOff:
		return CacheFewer
	}
	return ""
}
