package run

// Sessions in a plan: first turns are due by the schedule or a slot; when
// later ones are, the replies decide.

import (
	"iter"

	"assay/internal/contract"
	"assay/internal/record"
	"assay/internal/workload"
)

// PlannedSessions are the sessions that begin in the window; where their
// number is not known, those of the requests that the plan lists. Later is what
// is expected and not settled: later turns and what they send and ask for, if
// no session broke, every reply had the tokens that are asked for, and none
// took any time. Of a window that ends by the clock those count that fall into
// it then, whenever their session began; Beyond are those of sessions of the
// window that fall behind it.
type PlannedSessions struct {
	Sessions int64          `json:"sessions"`
	Turns    PlannedLengths `json:"turns"`
	Later    PlanSum        `json:"later"`
	Beyond   int64          `json:"beyond"`
}

// A conversing stream has sessions; nil where there are none.
type conversing struct {
	talks      *workload.Talks
	err        error // of the first session that could not be read
	turns      lengthCount
	later      PlanSum
	beyond     int64
	start, end int64 // of the window, counted as DueNS is; 0, 0 where no clock ends it
	now        underWay
}

// underWay is the session that was listed last.
type underWay struct {
	began   bool   // it counts
	due     *int64 // its first turn
	least   []int64
	in, out []int
	links   []workload.Link
	needs   []bool
}

func conversations(s *contract.Stream, seed uint64, source *workload.Source) (*conversing, error) {
	if !source.HasSessions() {
		return nil, nil
	}
	talks, err := workload.NewTalks(source, s.Workload, seed, s.Name)
	if err != nil {
		return nil, err
	}
	c := &conversing{talks: talks}
	if s.OpenLoop() && s.Traffic.Requests == 0 {
		c.start = int64(*s.Traffic.Warmup)
		c.end = c.start + int64(s.Traffic.Duration)
	}
	return c, nil
}

// in puts the later turns of each session behind its first.
func (c *conversing) in(first iter.Seq[PlannedRequest]) iter.Seq[PlannedRequest] {
	if c == nil {
		return first
	}
	return func(yield func(PlannedRequest) bool) {
		for r := range first {
			talk, err := c.talks.Talk(r.Seq)
			if err != nil {
				c.err = err
				return
			}
			in, out := talk.Sizes()
			c.now = underWay{due: r.DueNS, least: leastTimes(talk), in: in, out: out, links: talk.Links, needs: talk.Needs()}
			var loads []workload.Load
			if r.PlannedMedia != (PlannedMedia{}) {
				loads = talk.Loads()
			}
			for i := range in {
				turn := r
				turn.Seq, turn.InputTokens, turn.OutputTokens = record.SeqOf(r.Seq, i), in[i], out[i]
				turn.Turn, turn.Turns = i+1, len(in)
				if loads != nil {
					turn.PlannedMedia = plannedMedia(loads[i])
				}
				if i > 0 && r.DueNS != nil {
					turn.DueNS, turn.Measured = nil, false // not known ahead
				}
				if !yield(turn) {
					return
				}
			}
		}
	}
}

// leastTimes are how long after its first turn each is due if replies take no
// time.
func leastTimes(talk *workload.Talk) []int64 {
	at := make([]int64, len(talk.Turns))
	for i := 1; i < len(at); i++ {
		for _, w := range talk.Links[i].Waits {
			at[i] = max(at[i], at[w])
		}
		at[i] += talk.Turns[i].Think
	}
	return at
}

// add counts a listed request and tells whether it belongs to the window. Turns
// come in order, so that a later one is of the session that was listed last.
func (c *conversing) add(r PlannedRequest, counted bool) bool {
	if c == nil || r.Turn == 1 {
		counts := r.Measured || !counted
		if c != nil {
			if c.now.began = counts; counts {
				c.turns.add(r.Turns)
			}
		}
		return counts
	}
	counts := c.now.began
	if c.end > 0 {
		at := *c.now.due + c.now.least[r.Turn-1]
		if counts && at >= c.end {
			c.beyond++
		}
		counts = at >= c.start && at < c.end
	}
	if counts {
		c.later.add(r)
	}
	return counts
}

// begins is what a later turn begins with and its address knows: the prompt of
// the turn whose history it goes on with, and that with its reply, where it is
// the server's.
func (c *conversing) begins(r PlannedRequest, address func(turn int) int) (sent, generated int) {
	i := r.Turn - 1
	for from := c.now.links[i].History; from >= 0; from = c.now.links[from].History {
		if address(from) != address(i) {
			continue
		}
		sent, generated = c.now.in[from], c.now.in[from]
		if c.now.needs[from] {
			generated += c.now.out[from]
		}
		return sent, generated
	}
	return 0, 0
}

func (c *conversing) planned() *PlannedSessions {
	if c == nil {
		return nil
	}
	return &PlannedSessions{Sessions: c.turns.n, Turns: c.turns.lengths(), Later: c.later, Beyond: c.beyond}
}
