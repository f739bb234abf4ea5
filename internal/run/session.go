package run

// A session as the dispatcher takes it: where each turn stands, and its bytes
// once the replies before it are there.

import (
	"fmt"

	"assay/internal/contract"
	"assay/internal/dialect"
	"assay/internal/dispatch"
	"assay/internal/record"
	"assay/internal/workload"
)

// newTalks makes the sessions of a stream. That its endpoint takes
// conversations the contract can't check where only the file has them.
func newTalks(s *contract.Stream, seed uint64, source *workload.Source, d dialect.Dialect) (*workload.Talks, error) {
	two := workload.Request{Messages: []workload.Message{{Role: "user", Content: "a"}, {Role: "assistant", Content: "b"}}}
	if _, err := d.Encode(two, dialect.Options{}); err != nil {
		return nil, usage(fmt.Errorf("stream %s: the workload has sessions: %w", s.Name, err), "use the endpoint chat")
	}
	if s.Traffic.MaxInFlight+s.Traffic.MaxPrefill > 0 {
		return nil, usage(fmt.Errorf("stream %s: the workload has sessions, whose later turns a ceiling would let pass", s.Name),
			"bound sessions by traffic.concurrency, or drop the ceiling")
	}
	talks, err := workload.NewTalks(source, s.Workload, seed, s.Name)
	if err != nil {
		return nil, usage(fmt.Errorf("stream %s: workload: %w", s.Name, err), "")
	}
	return talks, nil
}

// session is session n of the stream.
func (l *line) session(n uint64) (*dispatch.Session, error) {
	talk, err := l.talks.Talk(n)
	if err != nil {
		return nil, fmt.Errorf("stream %s, session %d: %w", l.stream.Name, n, err)
	}
	keep := talk.Needs()
	s := &dispatch.Session{ID: talk.ID, Turns: make([]dispatch.Turn, len(talk.Turns))}
	for i := range s.Turns {
		s.Turns[i] = dispatch.Turn{
			Number: talk.Links[i].Depth, Role: talk.Turns[i].Role, Waits: talk.Links[i].Waits,
			Pause: talk.Turns[i].Think, Keep: keep[i],
		}
	}
	s.Prepare = func(i int, replies []dispatch.Reply) (dispatch.Prepared, error) {
		said := make([]workload.Reply, len(replies))
		for k, r := range replies {
			said[k] = workload.Reply(r)
		}
		return l.encode(talk.Request(i, said), record.SeqOf(n, i), l.route(n, i))
	}
	return s, nil
}
