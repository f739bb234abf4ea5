package dialect

import (
	"math/bits"

	"assay/internal/record"
)

// A tally is what the chunks of one reply add up to.
type tally struct {
	usage  usage
	finish string
	marked bool // by an end marker, or because the reply was whole

	seen, finished uint64 // choices, a bit each
	items          int

	events  int  // content-bearing ones
	tokens  int  // Σ k[i]
	untold  bool // a k[i] was not told
	pending int  // tokens of chunks without content, which the next content shows

	stale   bool // content came after the last usage
	running bool // so far every content-bearing chunk carried a usage that grew
	counted int  // the output count of the last such usage
}

func newTally() tally { return tally{usage: noUsage, running: true} }

// see notes that a chunk was about a choice. Choices beyond the 64th share a bit.
func (t *tally) see(index int, finished bool) {
	bit := uint64(1) << min(uint(index), 63)
	t.seen |= bit
	if finished {
		t.finished |= bit
	}
}

// add counts a chunk in and returns k: how many tokens it brought as it tells
// itself, 0 when it does not tell or has no content.
func (t *tally) add(c *chunk) int {
	if c.hasUsage && !c.usage.empty() {
		t.usage = c.usage.over(t.usage)
		t.stale = false
	}
	if len(c.finish) > 0 {
		t.finish = reason(c.finish)
	}
	t.pending += c.tokens
	t.items += c.items
	if !c.kind().Content() {
		return 0
	}
	k := t.grown(c)
	if k == 0 {
		k = t.pending
	}
	t.pending = 0
	t.events++
	t.stale = t.stale || !c.hasUsage
	if k == 0 {
		t.untold = true
		t.tokens++
		return 0
	}
	t.tokens += k
	return k
}

// grown is how much the usage that a content-bearing chunk carries is above the
// one before. It tells k only if every content-bearing chunk so far had one: a
// usage that stands on the last chunk alone is the whole reply's. With several
// choices servers count each for itself, so it tells nothing.
func (t *tally) grown(c *chunk) int {
	if c.whole {
		return max(0, c.usage.output)
	}
	if !t.running || c.usage.output <= t.counted || bits.OnesCount64(t.seen) > 1 {
		t.running = false
		return 0
	}
	k := c.usage.output - t.counted
	t.counted = c.usage.output
	return k
}

// reply is the reply so far. Where apart, the tokens of the prompt that a cache
// had or keeps were counted beside the others.
func (t *tally) reply(apart bool) Reply {
	r := Reply{
		InputTokens: t.usage.input, OutputTokens: t.usage.output,
		Cached: t.usage.cached, Reasoning: t.usage.reasoning,
		SumTokens:    t.tokens,
		TokensTold:   t.events > 0 && !t.untold,
		FinishReason: t.finish,
		Items:        t.items,
		Finished:     t.marked || t.seen != 0 && t.seen&^t.finished == 0,
	}
	if apart && r.InputTokens != record.NoCount {
		r.InputTokens += max(0, t.usage.cached) + max(0, t.usage.written)
	}
	if r.OutputTokens == 0 && t.tokens > 0 || t.stale && r.OutputTokens < t.events {
		r.OutputTokens = record.NoCount // counted before the last token and never again
	}
	return r
}

// reason is the finish reason as a string, without an allocation for those
// that every server uses.
func reason(raw []byte) string {
	switch string(raw) {
	case "stop":
		return "stop"
	case "length":
		return "length"
	case "tool_calls":
		return "tool_calls"
	case "content_filter":
		return "content_filter"
	}
	return string(raw[:min(len(raw), maxReason)])
}

// maxReason bounds what a hostile server can make a record hold.
const maxReason = 64
