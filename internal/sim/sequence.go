package sim

import (
	"math/rand/v2"

	"assay/internal/seed"
)

// A sequence is one request inside the batching engine. Its tokens are those
// of the prompt and those made so far; all but the newest are in the KV cache
// once it decodes. After a preemption none are, and it computes all again.
type sequence struct {
	id            uint64
	input, output int // tokens
	hashes        []uint64

	computed   int // tokens whose KV is in blocks
	made       int
	blocks     []int32
	remembered int // blocks of the prompt that were offered to the prefix cache
	take       int // tokens it computes in the iteration under way; 0: it is not in it
	drafts     int // of those, drafted ones
	running    bool

	began   int64 // when an iteration first took it in
	started bool
	cached  int  // tokens found in the prefix cache when it began
	emitted bool // an emission has left

	held    int // tokens made and not yet emitted
	holding int // iterations for which they stay
	random  *rand.Rand
}

// known are the tokens that it has, prompt and reply.
func (s *sequence) known() int { return s.input + s.made }

// draw is the sequence's own random number: it depends on the seed, the
// sequence and how many it has drawn, not on its neighbours in the batch.
func (s *sequence) draw(master uint64) float64 {
	if s.random == nil {
		s.random = seed.Rand(master, "sim/sequence", s.id)
	}
	return s.random.Float64()
}

// A drafter is speculative decoding: so many tokens are drafted for each
// decoding sequence, and accepted up to the first that is refused.
type drafter struct {
	tokens     int
	acceptance float64 // of each token, given that those before it were accepted
}

// accepted is how many of its drafts a sequence keeps.
func (d drafter) accepted(s *sequence, master uint64) int {
	for i := range s.drafts {
		if s.draw(master) >= d.acceptance {
			return i
		}
	}
	return s.drafts
}

// A tail holds the output of long replies up. Past a position, a token is now
// and then kept back with those that follow it, and all leave together some
// iterations later. Computing goes on undisturbed: throughput, mean and time
// per output token stay what they are, and only the gaps grow a tail.
type tail struct {
	share    float64 // of tokens at which it begins
	position int
	hold     int // iterations
}

// keeps reports whether what the sequence has made stays back this time.
func (t tail) keeps(s *sequence, master uint64) bool {
	if t.share == 0 || s.made >= s.output {
		return false
	}
	if s.holding > 0 {
		s.holding--
		return s.holding > 0
	}
	if s.made > t.position && s.draw(master) < t.share {
		s.holding = t.hold
		return true
	}
	return false
}
