package result

// Build: contract, records and observations in, a Result out. Nothing else
// enters it, so that a verdict can be remade from files.

import (
	"fmt"
	"iter"

	"assay/internal/arrival"
	"assay/internal/contract"
	"assay/internal/measure"
	"assay/internal/observation"
	"assay/internal/receipt"
	"assay/internal/record"
	"assay/internal/slo"
)

// Records is a run's records, to be walked as often as needed.
type Records = func() iter.Seq2[*record.Record, error]

// Build makes the result of a run. The contract must be resolved. An error is
// a record that could not be read; whatever is wrong with the run itself is
// part of the verdict.
func Build(c *contract.Contract, records Records, obs []observation.Observation) (*Result, error) {
	b := &builder{c: c, obs: obs, log: readLog(obs), due: schedule(c)}
	if err := b.window(records); err != nil {
		return nil, err
	}
	b.evidence = receipt.NewEvidence(obs, b.w.Start, b.w.End, b.due.measured)
	b.evidence.ProofAsked = c.Client.Proof == contract.ProofDoubling
	tee := func() iter.Seq2[*record.Record, error] {
		return func(yield func(*record.Record, error) bool) {
			for r, err := range records() {
				if err == nil {
					b.evidence.Add(r)
					b.found.add(r)
				}
				if !yield(r, err) {
					return
				}
			}
		}
	}
	var err error
	if b.s, err = measure.Summarize(tee, b.query()); err != nil {
		return nil, fmt.Errorf("build result: %w", err)
	}
	b.receipts = receipt.All(b.evidence, b.limits())
	return b.build(), nil
}

// A builder holds what the parts of a result are made of.
type builder struct {
	c        *contract.Contract
	obs      []observation.Observation
	log      log
	due      due
	w        measure.Window
	s        *measure.Summary
	evidence *receipt.Evidence
	found    cacheTally
	receipts []receipt.Receipt
}

func (b *builder) build() *Result {
	r := &Result{
		Schema: Schema, Name: b.c.Name, Started: b.log.epoch.Wall, DurationS: b.w.Seconds(),
		Contract: ContractInfo{
			Digest: b.c.Digest(), DefaultObjectives: b.c.DefaultObjectives(), Seed: b.c.Seed,
			Salt: b.c.Streams[0].Workload.Salt,
		},
		Requests: b.requests(), Sessions: b.sessions(), Errors: b.errors(), Throttled: b.throttled(), Rates: b.rates(),
		Metrics: b.metrics(),
		Tokens:  b.tokens(), Lengths: b.lengths(), Media: b.media(), Items: b.items(), Connections: b.connections(), Client: b.client(), Arrivals: b.arrivals(), Cache: b.cache(), Files: b.files(),
		Environment: b.environment(),
	}
	r.By = b.by(r.Metrics)
	r.Verdict = b.verdict()
	if b.log.noted(observation.NoteRehearsal) {
		r.Verdict = b.rehearsed(r.Verdict)
	}
	if _, why := Growth(r, MostProcesses(b.c), !b.log.noted(observation.NoteNoGrow)); why != "" {
		r.Verdict.Reasons = append(r.Verdict.Reasons, Reason{ReasonGrowth, why})
	}
	r.Claim, r.ClaimWhy = b.claim(r.Verdict, r.Arrivals)
	r.Attempts = b.attempts(r)
	return r
}

// A log is what the observations say of the run as a whole.
type log struct {
	epoch      observation.Epoch
	phases     *observation.Phases
	preflights []observation.Preflight
	deaths     []observation.Observation
	notes      []observation.Note
	attempts   []observation.Attempt // before this one
	caches     []observation.Cache
	files      []observation.File
}

func readLog(obs []observation.Observation) log {
	var l log
	for _, o := range obs {
		switch o.Kind {
		case observation.KindEpoch:
			l.epoch = *o.Epoch
		case observation.KindPhases:
			l.phases = o.Phases
		case observation.KindPreflight:
			l.preflights = append(l.preflights, *o.Preflight)
		case observation.KindDeath:
			l.deaths = append(l.deaths, o)
		case observation.KindNote:
			l.notes = append(l.notes, *o.Note)
		case observation.KindCache:
			l.caches = append(l.caches, *o.Cache)
		case observation.KindFile:
			l.files = append(l.files, *o.File)
		case observation.KindAttempt:
			l.attempts = append(l.attempts, *o.Attempt)
		}
	}
	return l
}

// due is what the contract's own schedule says. A closed loop has none: what
// is due there is known by the records, and so are the later turns of sessions.
type due struct {
	byStream map[string]int64 // measured
	measured int64
	records  int64 // warm-up included; of open-loop streams
	open     map[string]bool
}

func schedule(c *contract.Contract) due {
	d := due{byStream: map[string]int64{}, open: map[string]bool{}}
	for i := range c.Streams {
		s := &c.Streams[i]
		if !s.OpenLoop() {
			continue
		}
		d.open[s.Name] = true
		for r := range arrival.Schedule(s.Arrival(), c.Seed, s.Name, warmup(s), int64(s.Traffic.Duration), s.Traffic.Requests) {
			d.records++
			if r.Measured {
				d.measured++
				d.byStream[s.Name]++
			}
		}
	}
	return d
}

func warmup(s *contract.Stream) int64 {
	if s.Traffic.Warmup == nil {
		return 0
	}
	return int64(*s.Traffic.Warmup)
}

// window is the one asked for; where a number of requests was asked for, the
// records tell.
func (b *builder) window(records Records) error {
	s := &b.c.Streams[0]
	if s.Traffic.Requests == 0 {
		b.w = measure.Window{Start: warmup(s), End: warmup(s) + int64(s.Traffic.Duration)}
		return nil
	}
	var err error
	b.w, err = measure.WindowOf(records, s.OpenLoop())
	if err != nil {
		return fmt.Errorf("build result: %w", err)
	}
	return nil
}

// query is what the contract asks of the records.
func (b *builder) query() measure.Query {
	q := measure.Query{Window: b.w}
	for i := range b.c.Streams {
		s := &b.c.Streams[i]
		st := measure.Stream{Name: s.Name, Deadlines: deadlines(s)}
		for _, o := range s.Good {
			st.Good = append(st.Good, measure.Bound{Metric: o.Metric, Holds: o.Holds})
		}
		q.Streams = append(q.Streams, st)
		for _, o := range s.SLO {
			q.Asks = append(q.Asks, o.Ask(b.streamOf(s)))
		}
	}
	return q
}

// deadlines are the tightest TTFT and ITL that the stream's objectives name.
func deadlines(s *contract.Stream) measure.Deadlines {
	var d measure.Deadlines
	tighten := func(to *float64, v float64) {
		if *to == 0 || v < *to {
			*to = v
		}
	}
	for _, o := range s.SLO {
		switch o.Metric {
		case "ttft":
			tighten(&d.First, o.Value)
		case measure.ITL:
			tighten(&d.Next, o.Value)
		}
	}
	return d
}

// streamOf is the name of a stream as objectives carry it: "" where there is
// only one.
func (b *builder) streamOf(s *contract.Stream) string {
	if len(b.c.Streams) == 1 {
		return ""
	}
	return s.Name
}

// judge holds every objective against the summary, stream by stream.
func (b *builder) judge() []slo.Judgement {
	var list []slo.Judgement
	for i := range b.c.Streams {
		s := &b.c.Streams[i]
		facts := slo.Facts{Due: b.dueOf(s.Name), Good: s.Good}
		for _, o := range s.SLO {
			facts.ErrorObjective = facts.ErrorObjective || o.Metric == "error_rate"
		}
		for _, o := range s.SLO {
			list = append(list, slo.Judge(o, b.streamOf(s), b.s, facts))
		}
	}
	return list
}
