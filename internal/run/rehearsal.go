package run

// Some seconds at the planned rate, before a load that lasts minutes: a fleet
// that can't carry it is found out in seconds. Its requests are no records of
// the run; their tokens are in the ledger as preflight.

import (
	"fmt"
	"slices"
	"time"

	"assay/internal/arrival"
	"assay/internal/contract"
	"assay/internal/observation"
	"assay/internal/result"
	"assay/internal/rundir"
	"assay/internal/unit"
)

const (
	// rehearsed is the length of a load from which a rehearsal is worth its
	// time: a shorter one is over before it would tell much.
	rehearsed       = 60 * time.Second
	rehearsalWindow = 3 * time.Second
	shortestRise    = time.Second
	longestRise     = 10 * time.Second
)

// rehearses tells whether the load is long enough.
func (s *series) rehearses() bool {
	if s.o.NoPreflight {
		return false
	}
	var most time.Duration
	for i := range s.c.Streams {
		most = max(most, lasts(&s.c.Streams[i], ofMS(s.longestReply())))
	}
	return most >= rehearsed
}

// longestReply is that of the preflight, in ms.
func (s *series) longestReply() float64 {
	var longest float64
	for _, f := range s.flights {
		longest = max(longest, f.DurationMS)
	}
	return longest
}

// rehearsal is the contract cut short: a warm-up in which the requests in
// flight rise to what the rate sustains, by the time that the preflight's
// reply took, then the seconds that are looked at. Nobody waits for the rest.
// A rate that changes is rehearsed at its highest.
func (s *series) rehearsal() *contract.Contract {
	rise := min(max(ofMS(1.5*s.longestReply()), shortestRise), longestRise)
	c := *s.c
	c.Streams = slices.Clone(s.c.Streams)
	for i := range c.Streams {
		t := &c.Streams[i].Traffic
		warmup := unit.Duration(rise)
		t.Warmup, t.Duration, t.Requests, t.Drain = &warmup, unit.Duration(rehearsalWindow), 0, 0
		t.Ramp = 0 // at its full height
		if t.Slots() > 0 {
			continue
		}
		if peak := s.c.Streams[i].Arrival().PeakRate(); peak > float64(t.Rate) {
			t.Arrivals, t.Rate, t.CV, t.Shape = arrival.Poisson, unit.Rate(peak), 0, arrival.Parameters{}
		}
	}
	return &c
}

// passed takes the rehearsal's folder away and keeps its account.
func (s *series) passed(r *result.Result, n int) error {
	this := r.Attempts[len(r.Attempts)-1]
	requests := int(r.Requests.Due + r.Requests.Warmup)
	s.rehearse = &observation.Preflight{
		OK: true, Requests: requests, Processes: n,
		// The single requests before it stand for themselves.
		InputTokens:  int(this.InputTokens - r.Tokens.Input.Preflight),
		OutputTokens: int(this.OutputTokens - r.Tokens.Output.Preflight),
	}
	s.o.OnEvent(Event{Message: fmt.Sprintf("rehearsal: %s sent %d requests at the planned rate and were not the limit", processes(n), requests)})
	if err := rundir.Clear(s.o.Dir); err != nil {
		return cannot(err, "")
	}
	return nil
}
