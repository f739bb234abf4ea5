package run

// What a prefix cache should find of the planned prompts, in the order in
// which they are due.

import (
	"assay/internal/contract"
	"assay/internal/record"
	"assay/internal/workload"
)

// PlannedCache is what a cache without limit knows of the requests of the
// window (where their number is not known, of the first thousand), from all
// that are due before them. A later turn of a session begins with the turn
// before it; those that are expected count.
type PlannedCache struct {
	Share    float64 `json:"share"`     // of the input tokens, token by token
	InBlocks float64 `json:"in_blocks"` // likewise, where 16 tokens are kept together, and of replies none
	Whole    int64   `json:"whole"`     // requests whose whole prompt was sent before
}

// An expecter sends planned requests to caches, one of each address.
type expecter struct {
	source *workload.Source
	talks  *conversing
	line   line // of which only the ways are known
	caches []workload.Cache
	spans  []workload.Span
	sum    cacheSum
}

// newExpecter is nil where prompts share nothing.
func newExpecter(s *contract.Stream, source *workload.Source, talks *conversing) *expecter {
	if !source.Shares() && talks == nil {
		return nil
	}
	addresses := max(1, len(s.Target.URL))
	return &expecter{
		source: source, talks: talks, line: line{stream: s, round: newRound(s.Target, addresses)},
		caches: make([]workload.Cache, addresses),
	}
}

func (e *expecter) add(r PlannedRequest, counts bool) {
	if e == nil {
		return
	}
	number, turn := r.Seq, 0
	if r.Turn > 0 {
		number = record.SessionOf(r.Seq)
		turn = r.Turn - 1
	}
	if turn > 0 {
		sent, generated := e.talks.begins(r, func(turn int) int { return e.line.route(number, turn) })
		if counts {
			e.sum.add(generated, sent, r.InputTokens, false)
		}
		return
	}
	cache := &e.caches[e.line.route(number, 0)]
	if r.Turn > 0 && !e.source.Filed() {
		number = r.Seq // of which synthetic prompts are made
	}
	e.spans = e.source.Spans(e.spans[:0], number)
	hit := cache.Send(e.spans, r.InputTokens)
	if counts {
		e.sum.add(hit.Tokens, hit.Tokens, r.InputTokens, hit.Whole)
	}
}

// planned is nil where prompts share nothing.
func (e *expecter) planned() *PlannedCache {
	if e == nil {
		return nil
	}
	p := &PlannedCache{Whole: e.sum.whole}
	if e.sum.input > 0 {
		p.Share = float64(e.sum.known) / float64(e.sum.input)
		p.InBlocks = float64(e.sum.blocks) / float64(e.sum.input)
	}
	return p
}
