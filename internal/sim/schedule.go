package sim

// A schedule decides what an iteration computes, as vLLM's does: the running
// sequences first, in the order in which they came; then waiting ones, first
// come first served, as far as sequences, tokens and blocks allow. When a
// running sequence finds no block, the one that came last loses its own and
// computes everything again later. So the oldest always gets on, and nobody
// waits for ever.
type schedule struct {
	pool      *pool
	sequences int // most at a time
	tokens    int // most in one iteration
	chunked   bool
	prefixes  bool
	drafter   drafter

	running []*sequence
	waiting []*sequence // oldest first

	preempted, asked, hit uint64
}

// next fills batch, which must be empty, with the sequences of the next
// iteration; each has its take set.
func (c *schedule) next(now int64, batch []*sequence) []*sequence {
	budget, preempted := c.tokens, c.preempted
	for i := 0; i < len(c.running) && budget > 0; i++ {
		s := c.running[i]
		s.take, s.drafts = c.want(s, budget, len(batch))
		if s.take == 0 {
			continue
		}
		for s.running && !c.grow(s) {
			c.preempt()
		}
		if !s.running {
			break
		}
		budget -= s.take
		batch = append(batch, s)
	}
	if c.preempted != preempted {
		return batch // what has just been freed is not given to newcomers
	}
	for len(c.waiting) > 0 && len(c.running) < c.sequences && budget > 0 {
		s := c.waiting[0]
		if !c.admit(s, budget, len(batch)) {
			break
		}
		if !s.started {
			s.started, s.began = true, now
		}
		c.waiting[0] = nil
		c.waiting = c.waiting[1:]
		c.running = append(c.running, s)
		budget -= s.take
		batch = append(batch, s)
	}
	return batch
}

// want is how many tokens a sequence computes, given what is left of the
// budget, and how many of them are drafts.
func (c *schedule) want(s *sequence, budget, others int) (take, drafts int) {
	missing := s.known() - s.computed
	if missing > 1 || s.made == 0 {
		if !c.chunked && missing > budget && others > 0 {
			return 0, 0 // it goes alone, though it is more than an iteration may hold
		}
		if !c.chunked {
			return missing, 0
		}
		return min(missing, budget), 0
	}
	drafts = min(c.drafter.tokens, s.output-s.made-1, budget-1)
	return 1 + drafts, drafts
}

func (c *schedule) grow(s *sequence) (ok bool) {
	s.blocks, ok = c.pool.grow(s.blocks, s.computed+s.take)
	return ok
}

// preempt takes everything from the sequence that came last and puts it back
// in front of those that wait.
func (c *schedule) preempt() {
	last := len(c.running) - 1
	s := c.running[last]
	c.running[last] = nil
	c.running = c.running[:last]
	c.pool.release(s.blocks)
	s.blocks, s.computed, s.take, s.drafts, s.running = s.blocks[:0], 0, 0, 0, false
	c.waiting = append(c.waiting, nil)
	copy(c.waiting[1:], c.waiting)
	c.waiting[0] = s
	c.preempted++
}

// admit gives a waiting sequence its blocks, the cached ones of its prompt
// first, or reports that it has to wait on.
func (c *schedule) admit(s *sequence, budget, others int) bool {
	// One token at least is computed, or there would be nothing to sample from.
	hashes := s.hashes[:min(len(s.hashes), (s.known()-1)/c.pool.size)]
	found, free := c.pool.find(hashes)
	s.computed = len(found) * c.pool.size
	take, drafts := c.want(s, budget, others)
	if take == 0 || c.pool.need(s.computed+take)-len(found) > c.pool.free-free {
		s.computed = 0
		return false
	}
	if !s.started && c.prefixes {
		s.cached = s.computed
		c.asked += uint64(s.input)
		c.hit += uint64(s.computed)
	}
	c.pool.share(found)
	s.blocks = append(s.blocks[:0], found...)
	s.take, s.drafts, s.running, s.remembered = take, drafts, true, len(found)
	return c.grow(s)
}

// remove forgets a sequence, finished or left, and frees what it holds.
func (c *schedule) remove(s *sequence) {
	from := &c.waiting
	if s.running {
		from = &c.running
	}
	for i, other := range *from {
		if other == s {
			copy((*from)[i:], (*from)[i+1:])
			(*from)[len(*from)-1] = nil
			*from = (*from)[:len(*from)-1]
			break
		}
	}
	c.pool.release(s.blocks)
	s.blocks, s.running = nil, false
}
