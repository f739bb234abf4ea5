package run

// The attempts of one contract. Where the client limited an attempt, another
// is made with twice the processes; what was measured of those before it
// stays in attempts/N.

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"assay/internal/contract"
	"assay/internal/observation"
	"assay/internal/result"
	"assay/internal/rundir"
	"assay/internal/workload"
)

// A series is what the attempts of one contract have in common.
type series struct {
	o        Options
	c        *contract.Contract
	servers  *servers
	flights  []observation.Preflight
	files    []observation.Observation // of the streams that have one
	unpacked Files
	read     time.Duration             // what it took to read the files
	counted  []observation.Observation // of those whose server counts
	said     *diary
	salts    []bool // streams whose salt is drawn for each attempt

	begun    bool // there is a folder
	earlier  []observation.Attempt
	rehearse *observation.Preflight // of the attempt that comes next
}

// carryOut makes attempts until one is valid, or none would be better.
func (s *series) carryOut(ctx context.Context) (*result.Result, error) {
	n := s.c.Client.Processes
	for {
		r, err := s.try(ctx, n)
		switch {
		case errors.Is(err, errInterrupted) && len(s.earlier) > 0:
			return nil, &HintError{Err: errors.New("interrupted between two attempts"), Hint: "those before it are in " + s.o.Dir, Code: ExitInterrupted}
		case err != nil:
			return nil, err
		}
		next, why := result.Growth(r, result.MostProcesses(s.c), !s.o.NoGrow)
		if why != "" {
			s.o.OnEvent(Event{Message: why})
		}
		if next == 0 || ctx.Err() != nil {
			return s.prove(ctx, r)
		}
		if err := s.shelve(r, next); err != nil {
			return nil, err
		}
		n = next
	}
}

// try rehearses, where the whole would take long, and carries the attempt out
// unless that showed it to be hopeless.
func (s *series) try(ctx context.Context, n int) (*result.Result, error) {
	s.rehearse = nil
	if s.rehearses() {
		r, err := s.attempt(ctx, n, s.rehearsal(), s.o.Dir, rehearsal)
		if err != nil || r.Verdict.Status == result.Invalid {
			return r, err
		}
		if err := s.passed(r, n); err != nil {
			return nil, err
		}
	}
	return s.attempt(ctx, n, s.c, s.o.Dir, whole)
}

// A part is what an attempt is in its series.
type part uint8

const (
	whole     part = iota // what was asked for
	rehearsal             // some seconds of it
	proof                 // once more, with twice the processes
)

// attempt carries the contract out once, by n processes, into the folder, and
// makes its result.
func (s *series) attempt(ctx context.Context, n int, c *contract.Contract, path string, as part) (*result.Result, error) {
	if err := s.drawSalts(c); err != nil {
		return nil, err
	}
	if err := checkLimits(c, n, s.servers, s.flights); err != nil {
		return nil, err
	}
	if ctx.Err() != nil && !s.begun {
		return nil, errInterrupted
	}
	canonical, err := c.Canonical()
	if err != nil {
		return nil, cannot(fmt.Errorf("write the contract: %w", err), "")
	}
	dir, err := s.folder(path)
	if err != nil {
		return nil, err
	}
	s.said.keepIn(dir)
	defer s.said.leave()
	a := newAttempt(s, c, n, dir, string(canonical), s.before(as))
	if err := dir.WriteFile(rundir.ContractFile, canonical); err != nil {
		return nil, a.keep(err)
	}
	if err := c.KeepArrivals(dir.WriteFile); err != nil {
		return nil, a.keep(err)
	}
	if err := a.carryOut(ctx); err != nil {
		return nil, a.keep(err)
	}
	defer dir.Release() // its files are closed: there is no error to tell
	return conclude(path)
}

// folder makes the run's folder, or takes it again for another attempt.
func (s *series) folder(path string) (*rundir.Dir, error) {
	if s.begun && path == s.o.Dir {
		dir, err := rundir.Again(path)
		if err != nil {
			return nil, cannot(err, "")
		}
		return dir, nil
	}
	dir, err := rundir.Create(path)
	if err != nil {
		return nil, cannot(err, "choose another folder with --out")
	}
	s.begun = true
	return dir, nil
}

// shelve puts an attempt aside for the next one.
func (s *series) shelve(r *result.Result, next int) error {
	n := len(s.earlier) + 1
	this := r.Attempts[len(r.Attempts)-1]
	s.o.OnEvent(Event{Message: again(this, n, next)})
	if err := rundir.Shelve(s.o.Dir, n); err != nil {
		return cannot(err, "what was measured is in "+s.o.Dir)
	}
	s.earlier = append(s.earlier, earlier(this, n))
	return nil
}

// before is what observations.jsonl is told of the time before an attempt.
func (s *series) before(as part) []observation.Observation {
	var list []observation.Observation
	list = append(list, s.files...)
	list = append(list, s.counted...)
	for i := range s.flights {
		list = append(list, observation.Observation{Kind: observation.KindPreflight, Preflight: &s.flights[i]})
	}
	if s.rehearse != nil {
		list = append(list, observation.Observation{Kind: observation.KindPreflight, Preflight: s.rehearse})
	}
	if k := LoadCalibration(); as != rehearsal {
		list = append(list, observation.Observation{Kind: observation.KindCalibration, Calibration: &k})
	}
	for i := range s.earlier {
		list = append(list, observation.Observation{Kind: observation.KindAttempt, Attempt: &s.earlier[i]})
	}
	note := func(code, text string) {
		list = append(list, observation.Observation{Kind: observation.KindNote, Note: &observation.Note{Code: code, Text: text}})
	}
	for _, p := range proxyNotes(s.c, s.servers) {
		note(observation.NoteProxy, p)
	}
	if s.o.NoGrow {
		note(observation.NoteNoGrow, "the fleet was not to grow")
	}
	if as == rehearsal {
		note(observation.NoteRehearsal, "some seconds at the planned rate")
	}
	return list
}

// again is what a person who waits is told of an attempt that is repeated.
func again(a result.Attempt, n, next int) string {
	what := "attempt"
	if a.Preflight {
		what = "rehearsal of attempt"
	}
	why := ""
	if len(a.Reasons) > 0 {
		why = " (" + a.Reasons[0].Text + ")"
	}
	return fmt.Sprintf("%s %d by %s was limited by this client%s: once more by %d", what, n, processes(a.Processes), why, next)
}

func processes(n int) string {
	if n == 1 {
		return "1 process"
	}
	return fmt.Sprintf("%d processes", n)
}

// earlier is an attempt as the observations of the next one have it.
func earlier(a result.Attempt, n int) observation.Attempt {
	o := observation.Attempt{
		N: n, Processes: a.Processes, Preflight: a.Preflight, Status: a.Status, Reasons: []observation.Reason{},
		RequestRate: a.RequestRate, InputTokens: a.InputTokens, OutputTokens: a.OutputTokens,
	}
	for _, x := range a.Reasons {
		o.Reasons = append(o.Reasons, observation.Reason(x))
	}
	return o
}

// drawSalts gives every stream its own words for this attempt, unless the
// contract sets them: a server must not know the prompts from an attempt before.
func (s *series) drawSalts(c *contract.Contract) error {
	for i := range c.Streams {
		if !s.salts[i] {
			continue
		}
		var b [8]byte
		if _, err := rand.Read(b[:]); err != nil {
			return cannot(fmt.Errorf("draw a salt: %w", err), "")
		}
		c.Streams[i].Workload.Salt = hex.EncodeToString(b[:])
	}
	return nil
}

// saltless are the streams whose salt is for the run to draw.
func saltless(c *contract.Contract) []bool {
	list := make([]bool, len(c.Streams))
	for i := range c.Streams {
		w := &c.Streams[i].Workload
		list[i] = w.Salt == "" && w.Cache != workload.Natural
	}
	return list
}
