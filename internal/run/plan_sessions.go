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
// number is not known, those of the requests that the plan lists. Later is
// what their later turns would send and ask for, if no session broke and every
// reply had the tokens that are asked for; part of it may fall behind the
// window.
type PlannedSessions struct {
	Sessions int64          `json:"sessions"`
	Turns    PlannedLengths `json:"turns"`
	Later    PlanSum        `json:"later"`
}

// A conversing stream has sessions; nil where there are none.
type conversing struct {
	talks *workload.Talks
	err   error // of the first session that could not be read
	turns lengthCount
	later PlanSum
	began bool // the session that was listed last counts
}

func conversations(s *contract.Stream, seed uint64, source *workload.Source) (*conversing, error) {
	if !source.HasSessions() {
		return nil, nil
	}
	talks, err := workload.NewTalks(source, s.Workload, seed, s.Name)
	if err != nil {
		return nil, err
	}
	return &conversing{talks: talks}, nil
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

// add counts a listed request. Turns come in order, so that a later one
// belongs to the session that began last.
func (c *conversing) add(r PlannedRequest, counted bool) {
	if c == nil {
		return
	}
	if r.Turn == 1 {
		if c.began = r.Measured || !counted; c.began {
			c.turns.add(r.Turns)
		}
	} else if c.began {
		c.later.add(r)
	}
}

func (c *conversing) planned() *PlannedSessions {
	if c == nil {
		return nil
	}
	return &PlannedSessions{Sessions: c.turns.n, Turns: c.turns.lengths(), Later: c.later}
}
