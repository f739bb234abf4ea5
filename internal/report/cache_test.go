package report

import (
	"testing"

	"assay/internal/result"
)

func TestThePrefixCacheHasALineWhereThereIsSomethingToSayOfIt(t *testing.T) {
	const found, expected = "  prefix cache found 47.4% of the input tokens", ", 45.0% (in blocks of 16) to 48.0% expected\n"
	known := result.Cache{Seen: ptr(0.474), Expected: ptr(0.48), ExpectedBlocks: ptr(0.45)}
	with := func(change func(c *result.Cache)) result.Cache {
		c := known
		change(&c)
		return c
	}
	for name, c := range map[string]struct {
		cache result.Cache
		want  string
	}{
		"nothing":     {result.Cache{Expected: ptr(0), ExpectedBlocks: ptr(0)}, ""},
		"as expected": {known, found + expected},
		"one number":  {with(func(c *result.Cache) { c.ExpectedBlocks = c.Expected }), found + ", 48.0% expected\n"},
		"not known":   {result.Cache{Seen: ptr(0.474)}, found + "\n"},
		"not told": {with(func(c *result.Cache) { c.Seen = nil }),
			"  prefix cache: 45.0% (in blocks of 16) to 48.0% of the input tokens could be found, and the server does not tell\n"},
		"repeated": {with(func(c *result.Cache) { c.Repeated, c.Natural = 1234, true }),
			found + expected + "  1,234 requests of the window repeat a prompt that was sent before\n  natural cache: the prompts may be those of an earlier run\n"},
		"warm, natural": {with(func(c *result.Cache) { c.Flag, c.Natural = result.CacheMore, true }),
			found + expected + "  warm cache: it found more than this run had sent, so it knows prompts from before; a cold server will be slower\n"},
		"warm, salted": {with(func(c *result.Cache) { c.Flag = result.CacheMore }),
			found + expected + "  warm cache: it found more than this run had sent, though its prompts were new: what the server counts as cached is to be asked\n"},
		"cold": {with(func(c *result.Cache) { c.Flag = result.CacheFewer }),
			found + expected + "  cold cache: it found less than the prompts allow: it is off, too small, or its server restarted\n"},
	} {
		p := &page{}
		writeCache(p, c.cache)
		if got := p.b.String(); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}
