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

// Sessions are those of one stream whose first turn belongs to the window:
// Begun = Complete + Broken + Cancelled + Censored. The values are of those
// that are complete, in the order of their numbers.
type Sessions struct {
	Begun     int64 // their first turn has a record
	Complete  int64 // all of their turns succeeded
	Broken    int64 // a turn failed, or this client could not send it: those after it were not sent
	Cancelled int64 // no turn failed, and their user hung up
	Censored  int64 // the end of the run cut them

	// Turns is how many requests those that began have in all. Those that have
	// no record were never due: the ones that they wait for did not end well,
	// or the run was over.
	Turns                     int64
	AfterFailure, AfterCancel int64 // unsent, of broken and of cancelled ones
	AfterEnd                  int64 // unsent, of censored ones

	// Latency runs from the first turn's sent to the last t[m], in ms: pauses
	// are in it. Served is the part of it in which some turn was between its
	// own sent and t[m]; what runs side by side counts once.
	Latency, Served []float64
	Calls           []float64
	Input, Output   []float64 // tokens
	// Verifier is the tokens, of prompts and replies, that turns of the role
	// verifier took, and VerifierShare their part of all that the session took.
	Verifier, VerifierShare []float64
	Verified                bool // some turn has that role
}

// A sessionKey is a session's stream and number.
type sessionKey struct {
	stream string
	number uint64
}

// A session is what its records say so far, in whatever order they come.
type session struct {
	turns, ok, bad int
	records        int
	hungUp         bool
	verified       bool
	counts         bool // its first turn is there, and in the window
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
	x.records++
	if r.Turn == 1 {
		x.counts, x.sent = r.Phase == record.Measured, r.Sent
	}
	switch r.Status {
	case record.OK:
		x.ok++
		x.with = append(x.with, span{r.Sent, r.Last})
	case record.Failed, record.Local:
		x.bad++
	case record.Cancelled:
		x.hungUp = true
	}
	in, out := max(0, prompt(r)), max(0, Tokens(r))
	x.input, x.output = x.input+in, x.output+out
	if r.Role == Verifier {
		x.verified = true
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
		all.Turns += int64(x.turns)
		all.Verified = all.Verified || x.verified
		unsent := int64(x.turns - x.records)
		switch {
		case x.bad > 0:
			all.Broken++
			all.AfterFailure += unsent
		case x.ok == x.turns:
			all.Complete++
			all.add(x)
		case x.hungUp:
			all.Cancelled++
			all.AfterCancel += unsent
		default:
			all.Censored++
			all.AfterEnd += unsent
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
	all.Verifier = append(all.Verifier, float64(x.verifier))
	all.VerifierShare = append(all.VerifierShare, share)
}

// Later is how many records of a stream are later turns, which no schedule
// knows: in all, and of the population.
func (s *Summary) Later(stream string) (all, measured int64) {
	return s.later[stream], s.laterMeasured[stream]
}

// HasLater tells whether any record is a later turn.
func (s *Summary) HasLater() bool { return len(s.later) > 0 }
