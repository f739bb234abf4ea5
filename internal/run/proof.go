package run

// The doubling check: the same traffic once more with twice the processes. If
// that moves the numbers, they were the client's.

import (
	"context"
	"fmt"

	"assay/internal/contract"
	"assay/internal/observation"
	"assay/internal/result"
	"assay/internal/rundir"
)

// unmade is why the other run proves nothing, neither way: it was interrupted,
// or is not whole. One that its client limited does prove something.
func unmade(other *result.Result) string {
	if other.Verdict.Status != result.Invalid || result.ExitCode(other) == result.ExitInvalid {
		return ""
	}
	return other.Verdict.Reasons[0].Text
}

// prove carries out the doubling check where the contract asks for it and
// there is something to prove.
func (s *series) prove(ctx context.Context, r *result.Result) (*result.Result, error) {
	if s.c.Client.Proof != contract.ProofDoubling || r.Verdict.Status == result.Invalid || ctx.Err() != nil {
		return r, nil
	}
	n := len(s.earlier) + 1
	twice := 2 * r.Client.Processes
	s.o.OnEvent(Event{Message: fmt.Sprintf("doubling check: the same traffic by %d processes", twice)})
	path := rundir.Attempt(s.o.Dir, n)
	c := *s.c
	c.Client.Proof = "" // it is the proof, and asks for none
	other, err := s.attempt(ctx, twice, &c, path, proof)
	if err != nil {
		return nil, fmt.Errorf("doubling check: %w", err)
	}
	if why := unmade(other); why != "" {
		s.o.OnEvent(Event{Message: "the doubling check was not made: " + why})
		return r, nil
	}
	both := observation.Proof{
		N: n, Processes: twice, Status: other.Verdict.Status, Reasons: []observation.Reason{},
		Compared: result.Compare(r, other),
	}
	for _, x := range other.Verdict.Reasons {
		both.Reasons = append(both.Reasons, observation.Reason(x))
	}
	if err := rundir.Amend(s.o.Dir, observation.Observation{Kind: observation.KindProof, Proof: &both}); err != nil {
		return nil, cannot(err, "both runs are kept: "+s.o.Dir+" and "+path)
	}
	return conclude(s.o.Dir)
}
