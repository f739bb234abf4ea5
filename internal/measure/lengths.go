package measure

// What was asked for against what the server counted: a server with another
// tokenizer, or one that stops early, measures another load than the contract's.

import (
	"maps"
	"slices"

	"assay/internal/record"
	"assay/internal/stats"
)

// Lengths are the tokens of the requests of the window that succeeded, by
// prompt and reply. What is asked of a prompt is its words: those beside which
// pictures or recordings stand are apart.
type Lengths struct{ Input, WithMedia, Output Told }

// Told holds what was asked for against what the server's usage told. A
// request for which no usage came, or of which no length was asked, is not in it.
type Told struct {
	Asked, Seen TokenCounts
	Exact       int64 // told = asked
	Less, More  int64 // told is off by more than Tolerance
}

// Tolerance is by how many tokens a length of so many asked for may be missed:
// a twentieth, 50 at the most. Beyond it AIPerf counts an osl_mismatch.
func Tolerance(asked int) float64 { return min(float64(asked)/20, 50) }

func (l *Lengths) add(r *record.Record) {
	if r.Status != record.OK {
		return
	}
	if r.InputSource == record.FromUsage {
		to := &l.Input
		if r.HasMedia() {
			to = &l.WithMedia
		}
		to.add(r.WantInput, r.Input)
	}
	if r.TokenSource == record.FromUsage {
		l.Output.add(r.WantOutput, r.Output)
	}
}

func (t *Told) add(asked, seen int) {
	if asked <= 0 || seen < 0 {
		return
	}
	t.Asked.add(asked)
	t.Seen.add(seen)
	switch off := float64(seen - asked); {
	case off == 0:
		t.Exact++
	case off < -Tolerance(asked):
		t.Less++
	case off > Tolerance(asked):
		t.More++
	}
}

// TokenCounts is the exact distribution of numbers of tokens. Few of them
// differ, however many requests there are.
type TokenCounts struct {
	of  map[int]int64
	n   int64
	sum int64
}

func (c *TokenCounts) add(tokens int) {
	if c.of == nil {
		c.of = map[int]int64{}
	}
	c.of[tokens]++
	c.n++
	c.sum += int64(tokens)
}

// Count is how many there are.
func (c *TokenCounts) Count() int64 { return c.n }

// Mean is their arithmetic mean, NaN without any.
func (c *TokenCounts) Mean() float64 { return float64(c.sum) / float64(c.n) }

// Percentile is the order statistic of quantile q (nearest rank), 0 without any.
func (c *TokenCounts) Percentile(q float64) int {
	rest := stats.Rank(q, c.n)
	for _, tokens := range slices.Sorted(maps.Keys(c.of)) {
		if rest -= c.of[tokens]; rest <= 0 {
			return tokens
		}
	}
	return 0
}
