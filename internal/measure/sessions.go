package measure

// What became of whole sessions: an agent's user waits for the last answer,
// whatever its turns took.

import (
	"cmp"
	"math"
	"slices"

	"assay/internal/record"
)

// Verifier is the role of turns that check another's answer.
const Verifier = "verifier"

// Sessions are those of one stream whose first turn belongs to the window.
// The values are of those that are complete, in the order of their numbers.
type Sessions struct {
	Begun    int64 // their first turn has a record
	Complete int64 // all of their turns succeeded
	Broken   int64 // a turn failed, or this client could not send it: those after it were not sent

	// Latency runs from the first turn's sent to the last t[m], in ms: pauses
	// are in it. Served is the part of it in which some turn was between its
	// own sent and t[m]; what runs side by side counts once.
	Latency, Served []float64
	Calls           []float64
	Input, Output   []float64 // tokens
	// VerifierShare is the part of a session's tokens, of prompts and replies,
	// that turns of the role verifier took.
	VerifierShare []float64
}

// A sessionKey is a session's stream and number.
type sessionKey struct {
	stream string
	number uint64
}

// A session is what its records say so far, in whatever order they come.
type session struct {
	turns, ok, bad int
	begun, counts  bool // its first turn is there; in the window
	sent           int64
	input, output  int64
	verifier       int64
	with           []span // the server
}

type span struct{ from, to int64 }

// addSession takes a record of a session in.
func (s *Summary) addSession(r *record.Record) {
	if r.Turns == 0 {
		return
	}
	if r.Turn > 1 {
		s.later[r.Stream]++
		if r.Phase == record.Measured {
			s.laterMeasured[r.Stream]++
		}
	}
	k := sessionKey{r.Stream, record.SessionOf(r.Seq)}
	x := s.sessions[k]
	if x == nil {
		x = &session{turns: r.Turns}
		s.sessions[k] = x
	}
	if r.Turn == 1 {
		x.begun, x.counts, x.sent = true, r.Phase == record.Measured, r.Sent
	}
	switch r.Status {
	case record.OK:
		x.ok++
		x.with = append(x.with, span{r.Sent, r.Last})
	case record.Failed, record.Local:
		x.bad++
	}
	in, out := max(0, prompt(r)), max(0, Tokens(r))
	x.input, x.output = x.input+in, x.output+out
	if r.Role == Verifier {
		x.verifier += in + out
	}
}

// Sessions returns what became of a stream's sessions.
func (s *Summary) Sessions(stream string) Sessions {
	var numbers []uint64
	for k, x := range s.sessions {
		if k.stream == stream && x.counts {
			numbers = append(numbers, k.number)
		}
	}
	slices.Sort(numbers)
	var all Sessions
	for _, n := range numbers {
		x := s.sessions[sessionKey{stream, n}]
		all.Begun++
		switch {
		case x.bad > 0:
			all.Broken++
		case x.ok == x.turns:
			all.Complete++
			all.add(x)
		}
	}
	return all
}

func (all *Sessions) add(x *session) {
	last, served := x.with[0].to, int64(0)
	slices.SortFunc(x.with, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	until := int64(math.MinInt64)
	for _, s := range x.with {
		last = max(last, s.to)
		served += max(0, s.to-max(s.from, until))
		until = max(until, s.to)
	}
	all.Latency = append(all.Latency, float64(last-x.sent)/1e6)
	all.Served = append(all.Served, float64(served)/1e6)
	all.Calls = append(all.Calls, float64(x.turns))
	all.Input = append(all.Input, float64(x.input))
	all.Output = append(all.Output, float64(x.output))
	share := 0.0
	if total := x.input + x.output; total > 0 {
		share = float64(x.verifier) / float64(total)
	}
	all.VerifierShare = append(all.VerifierShare, share)
}

// Later is how many records of a stream are later turns, which no schedule
// knows: in all, and of the population.
func (s *Summary) Later(stream string) (all, measured int64) {
	return s.later[stream], s.laterMeasured[stream]
}
