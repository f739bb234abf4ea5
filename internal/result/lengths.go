package result

// The lengths that were asked for, and those that the server told of.

import "assay/internal/measure"

// Lengths is what was asked for against what the server's usage told, over the
// requests of the window that succeeded.
type Lengths struct {
	Input       Length         `json:"input"`                // of prompts of words alone
	WithMedia   *Length        `json:"with_media,omitempty"` // of those with pictures or recordings: requested are their words
	Output      Length         `json:"output"`
	OSLMismatch *float64       `json:"osl_mismatch"`              // share of replies whose length is off by more than 5 % of what was asked, or 50 tokens
	Template    map[string]int `json:"template_tokens,omitempty"` // by stream: what the server adds to each prompt and the text was made shorter by
}

// A Length is one side of it. Requests of which nothing was asked or told are
// not in it.
type Length struct {
	Requests  int64    `json:"requests"`
	Requested *Spread  `json:"requested"`
	Seen      *Spread  `json:"seen"`
	Exact     *float64 `json:"exact"` // share of requests with the very length that was asked
	Shorter   *float64 `json:"shorter"`
	Longer    *float64 `json:"longer"` // likewise, by more than 5 % or 50 tokens
}

// A Spread describes numbers of tokens.
type Spread struct {
	Mean *float64 `json:"mean"`
	P50  *float64 `json:"p50"`
	P99  *float64 `json:"p99"`
}

func (b *builder) lengths() Lengths {
	l := Lengths{Input: lengthOf(&b.s.Lengths.Input), Output: lengthOf(&b.s.Lengths.Output)}
	if with := lengthOf(&b.s.Lengths.WithMedia); with.Requests > 0 {
		with.Exact, with.Shorter, with.Longer = nil, nil, nil
		l.WithMedia = &with
	}
	if l.Output.Requests > 0 {
		t := &b.s.Lengths.Output
		l.OSLMismatch = number(float64(t.Less+t.More) / float64(l.Output.Requests))
	}
	template := map[string]int{}
	for i := range b.c.Streams {
		s := &b.c.Streams[i]
		if n := s.Workload.TemplateTokens; n != nil && *n > 0 {
			template[s.Name] = *n
		}
	}
	for _, p := range b.log.preflights {
		if p.Template != nil {
			template[p.Stream] = *p.Template
		}
	}
	if len(template) > 0 {
		l.Template = template
	}
	return l
}

func lengthOf(t *measure.Told) Length {
	n := t.Seen.Count()
	if n == 0 {
		return Length{}
	}
	share := func(of int64) *float64 { return number(float64(of) / float64(n)) }
	return Length{
		Requests: n, Requested: tokens(&t.Asked), Seen: tokens(&t.Seen),
		Exact: share(t.Exact), Shorter: share(t.Less), Longer: share(t.More),
	}
}

func tokens(c *measure.TokenCounts) *Spread {
	return &Spread{
		Mean: number(c.Mean()),
		P50:  number(float64(c.Percentile(0.5))),
		P99:  number(float64(c.Percentile(0.99))),
	}
}
