package sim

// batching is the engine of the presets that model real ones: iteration after
// iteration it computes what the schedule says, for as long as the machine
// says, and every sequence that is complete up to its newest token gets one
// more. Queue, knee and tails are not put in; they come out.
type batching struct {
	machine
	schedule
	tail   tail
	seed   uint64
	output int // of a request that sets no limit

	live  map[uint64]*sequence
	batch []*sequence // of the iteration under way
	begin int64       // of the iteration under way; when idle, the end of the last
	end   int64       // Never when idle
	last  int64       // latest admission
	count uint64      // iterations that ended
}

func newBatching(v values) Engine {
	return &batching{
		machine: newMachine(v),
		schedule: schedule{
			pool:      newPool(kvBlocks(v), v.count("block_size")),
			sequences: v.count("max_num_seqs"), tokens: v.count("max_num_batched_tokens"),
			chunked: v.on("chunked_prefill"), prefixes: v.on("prefix_cache"),
			drafter: drafter{v.count("draft_tokens"), v.number("draft_acceptance")},
		},
		tail:   tail{v.number("tail_share"), v.count("tail_position"), v.count("tail_hold")},
		seed:   uint64(v.count("seed")),
		output: v.count("output_tokens"),
		live:   map[uint64]*sequence{}, end: Never,
	}
}

func (e *batching) Admit(now int64, r Request, emit func(Emission)) (at int64) {
	e.Advance(now, emit)
	at = max(now, e.begin, e.last)
	e.last = at
	s := &sequence{id: r.ID, input: max(1, r.Input), output: wanted(r, e.output), hashes: r.Hashes}
	if e.pool.need(s.input+s.output) > len(e.pool.blocks) {
		panic("internal error: a request that the KV cache can't hold")
	}
	e.live[r.ID] = s
	e.waiting = append(e.waiting, s)
	if e.end == Never {
		e.start(at)
	}
	return at
}

func (e *batching) Cancel(_ int64, id uint64) {
	s := e.live[id]
	if s == nil {
		return
	}
	delete(e.live, id)
	e.remove(s)
	// It may be in the batch under way, whose length stays; nothing comes of it.
	s.take = 0
}

func (e *batching) Next() int64 { return e.end }

func (e *batching) Advance(now int64, emit func(Emission)) {
	for e.end <= now {
		at := e.end
		e.finish(at, emit)
		e.start(at)
	}
}

// start begins an iteration, or idles when there is nothing to compute.
func (e *batching) start(now int64) {
	e.begin, e.end = now, Never
	e.batch = e.next(now, e.batch[:0])
	if len(e.batch) == 0 {
		return
	}
	var l load
	for _, s := range e.batch {
		l.add(s.computed, s.take)
		l.drafting = l.drafting || s.drafts > 0
	}
	e.end = now + max(1, e.length(l))
}

// finish ends the iteration: what it computed is in the cache, and whoever is
// complete gets a token, or several if drafts were accepted.
func (e *batching) finish(at int64, emit func(Emission)) {
	e.count++
	for i, s := range e.batch {
		e.batch[i] = nil
		if s.take == 0 {
			continue
		}
		s.computed += s.take - s.drafts
		s.take = 0
		e.rememberPrompt(s)
		if s.computed < s.known() {
			continue
		}
		kept := e.drafter.accepted(s, e.seed)
		s.drafts = 0
		s.computed += kept
		s.made += 1 + kept
		s.held += 1 + kept
		if e.tail.keeps(s, e.seed) {
			continue
		}
		e.deliver(at, s, emit)
	}
}

func (e *batching) deliver(at int64, s *sequence, emit func(Emission)) {
	out := Emission{ID: s.id, At: at, Events: 1, Tokens: s.held, Last: s.made == s.output}
	if !s.emitted {
		s.emitted, out.Began, out.Cached = true, s.began, s.cached
	}
	s.held = 0
	if out.Last {
		delete(e.live, s.id)
		e.remove(s)
	}
	emit(out)
}

// rememberPrompt makes the whole blocks of the prompt findable that have been
// computed. Blocks of the reply are not kept for others.
func (e *batching) rememberPrompt(s *sequence) {
	for ; s.remembered < min(len(s.hashes), s.computed/e.pool.size); s.remembered++ {
		e.pool.remember(s.blocks[s.remembered], s.hashes[s.remembered])
	}
}

func (e *batching) Stats() Stats {
	return Stats{
		Running: len(e.running), Waiting: len(e.waiting),
		Blocks: len(e.pool.blocks), Used: e.pool.used(),
		Iterations: e.count, Preempted: e.preempted, Asked: e.asked, Hit: e.hit,
	}
}
