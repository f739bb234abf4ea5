package run

// What a prefix cache should find of the planned prompts, in the order in
// which they are due.

import (
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
	caches []workload.Cache
	spans  []workload.Span
	sum    cacheSum
}

// newExpecter is nil where prompts share nothing.
func newExpecter(source *workload.Source, talks *conversing, addresses int) *expecter {
	if !source.Shares() && talks == nil {
		return nil
	}
	return &expecter{source: source, talks: talks, caches: make([]workload.Cache, max(1, addresses))}
}

func (e *expecter) add(r PlannedRequest, counts bool) {
	if e == nil {
		return
	}
	if r.Turn > 1 {
		sent, generated := e.talks.begins(r)
		if counts {
			e.sum.add(generated, sent, r.InputTokens, false)
		}
		return
	}
	number, route := r.Seq, r.Seq
	if r.Turn > 0 {
		route = record.SessionOf(r.Seq) // all of a session goes to one address
	}
	if r.Turn > 0 && e.source.Filed() {
		number = route
	}
	e.spans = e.source.Spans(e.spans[:0], number)
	hit := e.caches[route%uint64(len(e.caches))].Send(e.spans, r.InputTokens)
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
