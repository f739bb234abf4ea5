package result

// Counts, rates, tokens and distributions, as the summary has them.

import (
	"math"

	"assay/internal/measure"
	"assay/internal/stats"
)

// requests counts the population of the window.
func (b *builder) requests() Requests {
	n := b.s.Counts(measure.Filter{})
	return Requests{
		Due: b.population(), Sent: n.Sent, OK: n.OK, Failed: n.Failed, Censored: n.Censored,
		Cancelled: n.Cancelled, Local: n.Local, Held: n.Held, Warmup: b.s.Warmup,
	}
}

// population is how many requests of the window were due: by the schedule in
// open loop, by the records in closed loop.
func (b *builder) population() int64 {
	var n int64
	for i := range b.c.Streams {
		s := &b.c.Streams[i]
		f := measure.Filter{Conditions: []measure.Condition{{Field: "stream", Op: "=", Text: s.Name}}}
		n += max(b.dueOf(s.Name), b.s.Counts(f).Population)
	}
	return n
}

// dueOf is how many requests of a stream were due in the window by its
// schedule, 0 in closed loop. The schedule has first turns of sessions only. A
// later one is due once the replies before it are there, and then it has a
// record: those that never came so far were not due.
func (b *builder) dueOf(stream string) int64 {
	if !b.due.open[stream] {
		return 0
	}
	_, later := b.s.Later(stream)
	return b.due.byStream[stream] + later
}

func (b *builder) errors() []ErrorCount {
	list := []ErrorCount{}
	for _, e := range b.s.Errors {
		list = append(list, ErrorCount{Kind: e.Kind, Count: e.Count, Example: e.Example})
	}
	return list
}

func (b *builder) rates() Rates {
	all := measure.Filter{}
	seconds := b.w.Seconds()
	if seconds <= 0 {
		return Rates{}
	}
	due := float64(b.population())
	request := b.s.Rate("request_rate", all)
	r := Rates{
		Offered:    number(due / seconds),
		Request:    number(request.Point),
		RequestCI:  interval(request),
		InputToken: number(b.s.Rate("input_token_rate", all).Point),
	}
	if !b.textless() {
		r.OutputToken = number(b.s.Rate("output_token_rate", all).Point)
	}
	if b.bounded() {
		good := float64(b.s.Counts(all).Good)
		r.Good = number(good / seconds)
		r.GoodFraction = number(good / due)
	}
	return r
}

// bounded tells whether any stream says which requests are good.
func (b *builder) bounded() bool {
	for i := range b.c.Streams {
		if len(b.c.Streams[i].Good) > 0 {
			return true
		}
	}
	return false
}

// name is a metric's key in the file: its unit is part of it when it is a time.
func name(m measure.Metric) string {
	if m.Unit == "ms" || m.Unit == "ms/token" {
		return m.ID + "_ms"
	}
	return m.ID
}

var itl = measure.Metric{ID: measure.ITL, Unit: "ms"}

func (b *builder) metrics() map[string]Metric {
	out := map[string]Metric{}
	for _, m := range append(measure.PerRequest(), itl) {
		sample := b.s.Whole(m.ID, measure.Filter{})
		if sample.Count() == 0 {
			continue
		}
		out[name(m)] = settled(sample, m.Unit)
	}
	return out
}

// by describes every metric in every dimension. Token position is one of gaps
// only. A dimension with one part is the whole, and is not computed again.
func (b *builder) by(whole map[string]Metric) map[string]map[string]map[string]Metric {
	out := map[string]map[string]map[string]Metric{}
	for _, d := range b.s.Dimensions() {
		parts := map[string]map[string]Metric{}
		for _, p := range d.Parts {
			metrics := map[string]Metric{}
			for _, m := range append(measure.PerRequest(), itl) {
				if p.Filter.Positional() && m.ID != measure.ITL {
					continue
				}
				w, ok := whole[name(m)]
				switch {
				case !ok:
				case len(d.Parts) == 1:
					w.EffectiveCount, w.CI = nil, nil
					metrics[name(m)] = w
				default:
					if sample := b.s.Whole(m.ID, p.Filter); sample.Count() > 0 {
						metrics[name(m)] = describe(sample, m.Unit)
					}
				}
			}
			parts[p.Label] = metrics
		}
		out[d.Name] = parts
	}
	return out
}

func describe(s *stats.Sample, unit string) Metric {
	return Metric{
		Unit: unit, Count: s.Count(), Mean: number(s.Mean()), Stddev: number(s.SD()),
		Min: number(s.Min()), P50: number(s.Percentile(0.5)), P90: number(s.Percentile(0.9)),
		P95: number(s.Percentile(0.95)), P99: number(s.Percentile(0.99)), P999: number(s.Percentile(0.999)),
		Max: number(s.Max()),
	}
}

// settled describes with intervals.
func settled(s *stats.Sample, unit string) Metric {
	d := describe(s, unit)
	d.EffectiveCount = number(s.Effective())
	d.CI = &CI{P50: interval(s.Quantile(0.5)), P99: interval(s.Quantile(0.99))}
	return d
}

func interval(e stats.Estimate) [2]*float64 { return [2]*float64{number(e.Low), number(e.High)} }

func (b *builder) tokens() Tokens {
	l := &b.s.Tokens
	t := Tokens{
		Input:  InputTokens{Measured: l.Input.Measured, Warmup: l.Input.Warmup, Discarded: l.Input.Discarded, Cached: l.Cached, Verifier: l.VerifierInput},
		Output: OutputTokens{Measured: l.Output.Measured, Warmup: l.Output.Warmup, Discarded: l.Output.Discarded, Reasoning: l.Reasoning, Verifier: l.VerifierOutput},
		Source: l.OutputSource.Name(), InputSource: l.InputSource.Name(), UsageMismatch: l.UsageMismatch,
	}
	for _, p := range b.log.preflights {
		t.Input.Preflight += int64(max(0, p.InputTokens))
		t.Output.Preflight += int64(max(0, p.OutputTokens))
	}
	return t
}

func (b *builder) environment() Environment {
	e := b.log.epoch
	return Environment{Version: e.Version, OS: e.OS, Arch: e.Arch, Kernel: e.Kernel, CPU: e.CPU, Cores: e.Cores}
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
