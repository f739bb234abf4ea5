package main

// The engine in virtual time, driven by the plan of a contract.

import (
	"fmt"
	"os"

	"assay/internal/contract"
	"assay/internal/run"
	"assay/internal/sim"
	"assay/internal/stats"
)

// contract is what a real run of this rate would be given.
func (q question) contract(rate string) (*contract.Contract, error) {
	c := contract.New()
	for _, s := range [][2]string{
		{"target.simulate", q.preset}, {"traffic.rate", rate + "/s"},
		{"traffic.duration", q.duration}, {"traffic.warmup", q.warmup},
	} {
		if err := c.Set(s[0], s[1]); err != nil {
			return nil, err
		}
	}
	return c, c.Resolve()
}

// A reply is one request under way.
type reply struct {
	measured  bool
	due, last int64
}

func (q question) virtual(rate string) (row, error) {
	c, err := q.contract(rate)
	if err != nil {
		return row{}, err
	}
	plan, err := run.MakePlan(c, os.DirFS("."))
	if err != nil {
		return row{}, err
	}
	settings, err := sim.Configure(q.preset, q.set)
	if err != nil {
		return row{}, err
	}
	w := watch{replies: map[uint64]*reply{}, from: int64(plan.Streams[0].Warmup)}
	w.until = w.from + int64(plan.Streams[0].Window)
	engine := settings.Engine()
	for r := range plan.Requests() {
		for engine.Next() <= *r.DueNS {
			engine.Advance(engine.Next(), w.emit)
			w.look(engine.Stats())
		}
		w.replies[r.Seq] = &reply{measured: r.Measured, due: *r.DueNS}
		engine.Admit(*r.DueNS, sim.Request{ID: r.Seq, Input: r.InputTokens, Output: r.OutputTokens}, w.emit)
	}
	for engine.Next() != sim.Never {
		engine.Advance(engine.Next(), w.emit)
		w.look(engine.Stats())
	}
	return w.row(), nil
}

// A watch sees what the engine does.
type watch struct {
	replies     map[uint64]*reply
	from, until int64 // of the window
	tokens      int
	ttft, gaps  []float64
	most        sim.Stats
}

func (w *watch) look(s sim.Stats) {
	w.most.Running, w.most.Waiting = max(w.most.Running, s.Running), max(w.most.Waiting, s.Waiting)
	w.most.Used, w.most.Blocks, w.most.Preempted = max(w.most.Used, s.Used), s.Blocks, s.Preempted
}

func (w *watch) emit(e sim.Emission) {
	r := w.replies[e.ID]
	if e.At >= w.from && e.At < w.until {
		w.tokens += e.Events * e.Tokens
	}
	if r.measured && r.last == 0 {
		w.ttft = append(w.ttft, float64(e.At-r.due)/1e6)
	} else if r.measured {
		w.gaps = append(w.gaps, float64(e.At-r.last)/1e6)
	}
	if r.last = e.At; e.Last {
		delete(w.replies, e.ID)
	}
}

func (w *watch) row() row {
	return row{
		due:    len(w.ttft),
		ttft50: stats.Percentile(w.ttft, 0.5), ttft99: stats.Percentile(w.ttft, 0.99),
		itl50: stats.Percentile(w.gaps, 0.5), itl99: stats.Percentile(w.gaps, 0.99),
		tokens: float64(w.tokens) / (float64(w.until-w.from) / 1e9),
		note: fmt.Sprintf("at most %d running, %d waiting, KV cache %d %% full; %d preemptions",
			w.most.Running, w.most.Waiting, 100*w.most.Used/max(1, w.most.Blocks), w.most.Preempted),
	}
}
