package calibrate

// One probe: an ordinary run, whose receipts say whether this client carried
// the load.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"assay/internal/observation"
	"assay/internal/result"
	"assay/internal/run"
	"assay/internal/rundir"
)

// A probe is what one run said.
type probe struct {
	Try
	rate   float64 // of requests or events that were carried, per second
	broken string  // what broke, separated by commas
	shares shares
	dir    string // its folder, until forget
}

// A bench is what every probe needs.
type bench struct {
	exe  string
	tmp  string
	span time.Duration
	n    int // probes so far
}

// probe carries out one run against the server.
func (b *bench) probe(ctx context.Context, l load, s *run.Beside, processes int, rate float64) (*probe, error) {
	c, err := l.contract(s.URL(), processes, rate, b.span)
	if err != nil {
		return nil, err
	}
	b.n++
	p := &probe{dir: filepath.Join(b.tmp, strconv.Itoa(b.n))}
	cost := newServerCost(s.PID())
	r, err := run.Execute(ctx, run.Options{
		Dir: p.dir, Contract: c, Exe: b.exe, NoPreflight: true, NoGrow: true, Anyway: true,
		OnEvent: func(e run.Event) {
			if e.Progress != nil {
				cost.look(e.Progress.Phase == "window")
			}
		},
	})
	if ctx.Err() != nil {
		return nil, errInterrupted
	}
	if errors.Is(err, run.ErrLimit) { // so would every run of this load be
		p.Rate, p.broken = rate, "descriptors or ports"
		return p, nil
	}
	if err != nil {
		return nil, fmt.Errorf("a probe of %s at %.4g %s: %w", plural(processes, "process"), rate*l.each, l.unit, err)
	}
	observations, _, err := observed(p.dir)
	if err != nil {
		return nil, err
	}
	p.Rate, p.broken = rate, broken(r)
	p.Held = p.broken == ""
	p.rate = carried(l, r)
	p.shares = account(observations, cost)
	p.shares.worst = use(r, "cpu")
	p.Use = max(p.shares.worst, use(r, "machine_cpu"))
	return p, nil
}

func (p *probe) forget() { _ = os.RemoveAll(p.dir) } // the whole folder goes at the end in any case

// carried is what arrived in the window, per second.
func carried(l load, r *result.Result) float64 {
	rate := r.Rates.Request
	if l.each > 1 {
		rate = r.Rates.OutputToken
	}
	if rate == nil {
		return 0
	}
	return *rate
}

// broken names what says that this client did not carry the load: receipts,
// and replies that did not come although the server does nothing but answer.
func broken(r *result.Result) string {
	var names []string
	for _, one := range r.Client.Receipts {
		if one.Status == result.Broken {
			names = append(names, one.Name)
		}
	}
	if n := r.Requests.Due - r.Requests.OK; n > 0 && len(names) == 0 {
		names = append(names, fmt.Sprintf("%d requests did not succeed", n))
	}
	return strings.Join(names, ", ")
}

// use is a receipt's value as a part of its limit; 0 where it is not known.
func use(r *result.Result, receipt string) float64 {
	for _, one := range r.Client.Receipts {
		if one.Name == receipt && one.Value != nil && one.Limit != nil && *one.Limit > 0 {
			return *one.Value / *one.Limit
		}
	}
	return 0
}

// observed reads what a run's folder says of the machine, and its epoch.
func observed(dir string) (all []observation.Observation, epoch int64, err error) {
	r, err := rundir.Open(dir)
	if err != nil {
		return nil, 0, err
	}
	defer r.Close()
	if all, err = r.Observations(); err != nil {
		return nil, 0, err
	}
	for _, o := range all {
		if o.Kind == observation.KindEpoch {
			return all, o.Epoch.Monotonic, nil
		}
	}
	return nil, 0, fmt.Errorf("%s has no epoch", dir)
}
