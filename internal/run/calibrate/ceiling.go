package calibrate

// The ceilings: one search for each number of processes and each load.

import (
	"context"
	"fmt"
	"strings"

	"assay/internal/run"
)

// ceilings looks for the load's ceiling with each number of processes, and
// returns the last one's, in requests/s.
func (w *work) ceilings(ctx context.Context, l load, note func(*run.CalibratedCeiling, found)) (top float64, err error) {
	s, err := run.StartBeside(ctx, w.exe, l.preset, l.set)
	if err != nil {
		return 0, err
	}
	defer s.Stop()
	start := l.plan.Start
	for i, n := range w.o.Processes {
		f, err := w.search(ctx, l, s, n, start)
		if err != nil {
			return 0, err
		}
		note(&w.out.Ceilings[i], f)
		if top = 0; f.held != nil {
			top, start = f.held.Rate, f.held.Rate // more processes carry as much, most often
		}
	}
	return top, nil
}

// found is where a search ended.
type found struct {
	held, broke *probe // nil: nothing held, nothing broke
}

func (w *work) search(ctx context.Context, l load, s *run.Beside, processes int, start float64) (found, error) {
	plan := l.plan
	plan.Start, plan.Precision, plan.Chances, plan.Most = start, w.o.Precision, w.o.Chances, w.o.Most
	var tried []Try
	var probes []*probe
	for {
		rate, more := Next(plan, tried)
		if !more {
			break
		}
		p, err := w.probe(ctx, l, s, processes, rate)
		if err != nil {
			return found{}, err
		}
		p.forget()
		tried, probes = append(tried, p.Try), append(probes, p)
		w.say(processes, l, p)
	}
	var f found
	held, broke := Ceiling(tried)
	for i := range tried {
		switch {
		case &tried[i] == held:
			f.held = probes[i]
		case &tried[i] == broke:
			f.broke = probes[i]
		}
	}
	return f, nil
}

func (w *work) say(processes int, l load, p *probe) {
	verdict := "held"
	if !p.Held {
		verdict = "broke: " + p.broken
	}
	w.o.Say(fmt.Sprintf("%s, %.0f %s: %s", plural(processes, "process"), p.Rate*l.each, l.unit, verdict))
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ses", n, what)
}

func noteRequests(c *run.CalibratedCeiling, f found) {
	c.RequestsLimitedBy = f.limit()
	if h := f.held; h != nil {
		c.Requests, c.RequestsBound = h.rate, f.bound()
		c.RequestsServerCPU, c.RequestsClientCPU, c.RequestsMachine = h.shares.server, h.shares.client, h.shares.machine
	}
}

func noteEvents(c *run.CalibratedCeiling, f found) {
	c.EventsLimitedBy = f.limit()
	if h := f.held; h != nil {
		c.Events, c.EventsBound = h.rate, f.bound()
		c.ServerCPU, c.ClientCPU, c.MachineCPU = h.shares.server, h.shares.client, h.shares.machine
	}
}

// limit names what broke above the ceiling; "" when the search ended before
// anything did.
func (f found) limit() string {
	if f.broke == nil {
		return ""
	}
	return f.broke.broken
}

// bound is only where the machine was the limit: the server was part of it.
func (f found) bound() *float64 {
	if f.broke == nil || !strings.Contains(f.broke.broken, "machine_cpu") {
		return nil
	}
	if b := f.held.shares.bound(f.held.rate); b > 0 {
		return &b
	}
	return nil
}
