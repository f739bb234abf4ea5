package result

// Whole conversations and agents, stream by stream: what became of them, and
// what a complete one took.

import (
	"slices"

	"assay/internal/measure"
	"assay/internal/stats"
)

// Sessions are those of one stream whose first turn belongs to the window.
// Started = complete + broken + cancelled + censored.
type Sessions struct {
	Stream    string `json:"stream"`
	Started   int64  `json:"started"`   // their first turn has a record
	Complete  int64  `json:"complete"`  // every turn succeeded
	Broken    int64  `json:"broken"`    // a turn failed, and those that waited for it were not sent
	Cancelled int64  `json:"cancelled"` // none failed, and the contract's user hung up
	Censored  int64  `json:"censored"`  // cut by the end of the window or of the drain

	Turns SessionTurns `json:"turns"`

	// Metrics are of whole sessions, of those that are complete. latency_ms
	// runs from the first request to the last answer, pauses included;
	// served_ms is the part of it in which a request of the session was with
	// the server; the others count requests and tokens.
	Metrics map[string]Metric `json:"metrics"`
	// ByTurn are the latencies of the window's requests of this stream, first
	// turns and later ones apart.
	ByTurn map[string]map[string]Metric `json:"by_turn"`
}

// SessionTurns counts the requests of the sessions that started. Those that
// were not sent were never due, so that they are not among Requests.
type SessionTurns struct {
	Planned      int64 `json:"planned"`
	Sent         int64 `json:"sent"` // they have a record
	AfterFailure int64 `json:"unsent_after_failure"`
	AfterCancel  int64 `json:"unsent_after_cancel"`
	AfterEnd     int64 `json:"unsent_after_end"`
}

// byTurn are the metrics that are told of first and of later turns.
var byTurn = []string{"ttft", measure.ITL, "tpot", "latency"}

// sessions is nil where no stream has any.
func (b *builder) sessions() []Sessions {
	var list []Sessions
	for i := range b.c.Streams {
		name := b.c.Streams[i].Name
		s := b.s.Sessions(name)
		if s.Begun == 0 {
			continue
		}
		unsent := s.AfterFailure + s.AfterCancel + s.AfterEnd
		list = append(list, Sessions{
			Stream: name, Started: s.Begun, Complete: s.Complete, Broken: s.Broken, Cancelled: s.Cancelled, Censored: s.Censored,
			Turns: SessionTurns{
				Planned: s.Turns, Sent: s.Turns - unsent,
				AfterFailure: s.AfterFailure, AfterCancel: s.AfterCancel, AfterEnd: s.AfterEnd,
			},
			Metrics: ofSessions(&s), ByTurn: b.byTurn(name),
		})
	}
	return list
}

func ofSessions(s *measure.Sessions) map[string]Metric {
	out := map[string]Metric{}
	add := func(key, unit string, values []float64) {
		if len(values) > 0 {
			out[key] = settled(stats.OfValues(stats.Cut(values, stats.Batches(len(values)))), unit)
		}
	}
	add("latency_ms", "ms", s.Latency)
	add("served_ms", "ms", s.Served)
	add("calls", "requests", s.Calls)
	add("input_tokens", "tokens", s.Input)
	add("output_tokens", "tokens", s.Output)
	if s.Verified {
		add("verifier_tokens", "tokens", s.Verifier)
		add("verifier_share", "fraction", s.VerifierShare)
	}
	return out
}

func (b *builder) byTurn(stream string) map[string]map[string]Metric {
	out := map[string]map[string]Metric{}
	for _, turn := range []string{"first", "later"} {
		f := measure.Filter{Conditions: []measure.Condition{{Field: "stream", Op: "=", Text: stream}, {Field: "turn", Op: "=", Text: turn}}}
		out[turn] = map[string]Metric{}
		for _, m := range append(measure.PerRequest(), itl) {
			if !slices.Contains(byTurn, m.ID) {
				continue
			}
			if sample := b.s.Whole(m.ID, f); sample.Count() > 0 {
				out[turn][name(m)] = settled(sample, m.Unit)
			}
		}
	}
	return out
}
