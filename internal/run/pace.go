package run

// What the contract says of users, pauses and hanging up, drawn by the seed.
// Each draw has a number of its own, so that neither the number of workers nor
// what the server does changes it.

import (
	"assay/internal/contract"
	"assay/internal/dispatch"
	"assay/internal/seed"
)

// Names of the families of draws; they are part of what a contract means.
const (
	restDraws   = "traffic/rest/"   // what is left of a user's first pause
	thinkDraws  = "traffic/think/"  // the later pauses
	cancelDraws = "traffic/cancel/" // whether a request is given up
)

// paceOf is the pace of the slots of a closed loop.
func paceOf(s *contract.Stream, master uint64) dispatch.Pace {
	t := &s.Traffic
	p := dispatch.Pace{Own: t.Users > 0}
	if !t.Think.IsZero() {
		key := seed.Named(master, thinkDraws+s.Name)
		p.Pause = func(n uint64) int64 { return int64(t.Think.Draw(key.Rand(n))) }
	}
	switch {
	case t.Users > 0:
		key := seed.Named(master, restDraws+s.Name)
		p.Opens = func(user int) int64 { return int64(t.Think.Rest(key.Rand(uint64(user)))) }
	case t.Ramp > 0:
		p.Opens = func(slot int) int64 { return rampAt(int64(t.Ramp), slot, t.Concurrency) }
	}
	return p
}

// rampAt is when a slot opens: they come at equal distances, the first at once.
func rampAt(ramp int64, slot, slots int) int64 {
	return int64(float64(ramp) * float64(slot) / float64(slots))
}

// cancelOf says which requests are given up, and where; nil: none is.
func cancelOf(s *contract.Stream, master uint64) func(seq uint64) dispatch.Cancel {
	c := s.Traffic.Cancel
	if c.Fraction == 0 {
		return nil
	}
	key := seed.Named(master, cancelDraws+s.Name)
	return func(seq uint64) dispatch.Cancel {
		if key.Rand(seq).Float64() >= float64(c.Fraction) {
			return dispatch.Cancel{}
		}
		return dispatch.Cancel{After: int64(c.After), Tokens: c.AfterTokens}
	}
}
