// Conversations and agents: their defaults and checks.

package contract

import (
	"fmt"
	"time"

	"assay/internal/dialect"
	"assay/internal/record"
	"assay/internal/workload"
)

// resolveSessions fills in what sessions and agents leave to the stream, and
// refuses what can't be carried out.
func (c *Contract) resolveSessions(prefix string, s *Stream) error {
	at, w := prefix+"workload.", &s.Workload
	switch {
	case w.Sessions == nil && len(w.Agent) == 0:
		if _, ok := c.written[at+"agent"]; ok {
			return c.fail(at+"agent", "is an empty list", "write its calls, each with a name, or drop it")
		}
		return nil
	case len(w.Agent) > 0:
		if err := c.resolveAgent(at, w); err != nil {
			return err
		}
	default:
		if err := c.resolveTalk(at+"sessions.", w); err != nil {
			return err
		}
	}
	return c.checkTalks(prefix, s)
}

func (c *Contract) resolveTalk(at string, w *workload.Spec) error {
	x := w.Sessions
	switch {
	case x.History != "" && x.History != workload.Live && x.History != workload.Recorded:
		return c.fail(at+"history", fmt.Sprintf("unknown history %q", x.History), "write live or recorded")
	case w.File != "":
		for key, set := range map[string]bool{"turns": !x.Turns.IsZero(), "think": !x.Think.IsZero(), "input_tokens": !x.InputTokens.IsZero()} {
			if set {
				return c.fail(at+key, "is of synthetic sessions, and those of a file are as it has them", "drop "+key+", or file")
			}
		}
		return nil
	case x.Turns.IsZero():
		return c.fail(at+"turns", "is missing", "write turns: 3, or turns: uniform(2, 6)")
	}
	if x.History == "" {
		x.History = workload.Live
	}
	if x.InputTokens.IsZero() {
		if x.InputTokens = w.InputTokens; x.InputTokens.IsZero() {
			return c.fail(at+"input_tokens", "is missing", "lengths is of first turns: write what each later one adds")
		}
	}
	return nil
}

func (c *Contract) resolveAgent(at string, w *workload.Spec) error {
	for i := range w.Agent {
		call, where := &w.Agent[i], fmt.Sprintf("%sagent[%d].", at, i)
		for _, length := range []struct {
			key   string
			of    *workload.Length
			usual workload.Length
		}{{"input_tokens", &call.InputTokens, w.InputTokens}, {"output_tokens", &call.OutputTokens, w.OutputTokens}} {
			if length.of.IsZero() {
				*length.of = length.usual
			}
			if length.of.IsZero() {
				return c.fail(where+length.key, "is missing", "an agent's calls have lengths of their own, or those of workload."+length.key)
			}
		}
		if call.Role != "" && !safeName.MatchString(call.Role) {
			return c.fail(where+"role", fmt.Sprintf("%q is no role", call.Role), "use letters, digits, dots, dashes and underscores; verifier is a role of its own")
		}
	}
	if i, err := workload.CheckAgent(w.Agent); err != nil {
		return c.fail(fmt.Sprintf("%sagent[%d]", at, i), err.Error(), "write - {name: …, after: …}, each call behind those that it comes after")
	}
	return nil
}

// checkTalks refuses what goes with single requests only.
func (c *Contract) checkTalks(prefix string, s *Stream) error {
	at := prefix + "workload.sessions"
	if len(s.Workload.Agent) > 0 {
		at = prefix + "workload.agent"
	}
	if d, ok := dialect.Find(s.Target.Endpoint); ok {
		two := workload.Request{Messages: []workload.Message{{Role: "user", Content: "a"}, {Role: "assistant", Content: "b"}}}
		if _, err := d.Encode(two, dialect.Options{}); err != nil {
			return c.fail(at, "is of an endpoint that takes conversations: "+err.Error(), "use the endpoint chat")
		}
	}
	for key, set := range map[string]bool{"max_in_flight": s.Traffic.MaxInFlight > 0, "max_prefill": s.Traffic.MaxPrefill > 0} {
		if set {
			return c.fail(prefix+"traffic."+key, "would hold back first turns and let later ones pass", "bound sessions by concurrency, or drop "+key)
		}
	}
	return nil
}

// MeanTurns is how many requests follow from one that is due, as far as the
// contract tells: those of a file are not counted.
func (s *Stream) MeanTurns() float64 {
	w := &s.Workload
	if len(w.Agent) > 0 {
		n := 0
		for _, call := range w.Agent {
			n += max(1, call.Copies)
		}
		return float64(n)
	}
	if w.Sessions != nil && !w.Sessions.Turns.IsZero() {
		return min(max(1, w.Sessions.Turns.Mean()), record.MaxTurns)
	}
	return 1
}

// Abreast is how many requests of one session may be under way at a time.
func (s *Stream) Abreast() int {
	if agent := s.Workload.Agent; len(agent) > 0 {
		return workload.Abreast(agent)
	}
	return 1
}

// Lasts is how long a session takes, or a request where there are none, if each
// reply takes so long.
func (s *Stream) Lasts(reply time.Duration) time.Duration {
	if agent := s.Workload.Agent; len(agent) > 0 {
		return workload.Lasts(agent, reply)
	}
	turns := s.MeanTurns()
	lasts := turns * float64(reply)
	if x := s.Workload.Sessions; x != nil {
		lasts += (turns - 1) * float64(x.Think.Mean())
	}
	return time.Duration(lasts)
}
