package report

import (
	"maps"
	"slices"
	"strings"

	"assay/internal/result"
)

// writeLengths is one line for prompts and one for replies: what was asked for
// and what the server told. That it stopped early, or counts otherwise, is
// marked: then the load was another one than the contract's.
func writeLengths(p *page, l result.Lengths) {
	template := ""
	for _, stream := range slices.Sorted(maps.Keys(l.Template)) {
		name := ""
		if len(l.Template) > 1 {
			name = oneLine(stream, 40) + " "
		}
		template += ", " + name + count(int64(l.Template[stream])) + " of the server's template taken off"
	}
	writeLength(p, "prompts", l.Input, "shorter", "longer", template)
	writeLength(p, "replies", l.Output, "stopped early", "too long", "")
}

func writeLength(p *page, what string, l result.Length, shorter, longer, more string) {
	if l.Requests == 0 || l.Requested == nil || l.Seen == nil {
		return
	}
	var off []string
	for _, o := range []struct {
		share *float64
		words string
	}{{l.Shorter, shorter}, {l.Longer, longer}} {
		if o.share != nil && *o.share > 0 {
			off = append(off, amount(o.share, "fraction")+" "+o.words)
		}
	}
	line := "  " + what + ": asked " + spread(l.Requested) + "; the server counted " + spread(l.Seen) + " (" + amount(l.Exact, "fraction") + " exactly as asked" + more + ")"
	if len(off) > 0 {
		line += ", " + p.paint(doubt, strings.Join(off, ", "))
	}
	p.line(line)
}

// spread is the mean and the tail, or the one number that all are.
func spread(s *result.Spread) string {
	if s.Mean != nil && s.P50 != nil && s.P99 != nil && *s.Mean == *s.P50 && *s.P50 == *s.P99 {
		return whole(s.P99)
	}
	return "mean " + number(s.Mean) + ", p99 " + whole(s.P99)
}

// whole is a number of tokens, of which there are no parts.
func whole(v *float64) string {
	if v == nil {
		return missing
	}
	return count(int64(*v))
}
