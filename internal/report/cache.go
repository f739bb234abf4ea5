package report

import "assay/internal/result"

// writeCache is a line on the server's prefix cache where there is something
// to say of it, and one more where what it found is not what the prompts are.
func writeCache(p *page, c result.Cache) {
	line := ""
	switch {
	case c.Seen != nil:
		line = "prefix cache found " + amount(c.Seen, "fraction") + " of the input tokens"
		if c.Expected != nil {
			line += ", " + expectedShare(c) + " expected"
		}
	case c.Expected != nil && *c.Expected > 0:
		line = "prefix cache: " + expectedShare(c) + " of the input tokens could be found, and the server does not tell"
	}
	if line != "" {
		p.line("  " + line)
	}
	if c.Repeated > 0 {
		p.line("  " + count(c.Repeated) + " requests of the window repeat a prompt that was sent before")
	}
	switch {
	case c.Flag == result.CacheMore && c.Natural:
		p.line("  " + p.paint(doubt, "warm cache") + ": it found more than this run had sent, so it knows prompts from before; a cold server will be slower")
	case c.Flag == result.CacheMore:
		p.line("  " + p.paint(doubt, "warm cache") + ": it found more than this run had sent, though its prompts were new: what the server counts as cached is to be asked")
	case c.Flag == result.CacheFewer:
		p.line("  " + p.paint(doubt, "cold cache") + ": it found less than the prompts allow: it is off, too small, or its server restarted")
	case c.Natural:
		p.line("  natural cache: the prompts may be those of an earlier run")
	}
}

// expectedShare is one number where servers hardly differ, else both ends.
func expectedShare(c result.Cache) string {
	low, high := amount(c.ExpectedBlocks, "fraction"), amount(c.Expected, "fraction")
	if low == high {
		return high
	}
	return low + " (in blocks of 16) to " + high
}
