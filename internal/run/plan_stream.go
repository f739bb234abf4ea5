package run

// How one stream is planned: its schedule and lengths gone through once.

import (
	"fmt"
	"iter"
	"time"

	"assay/internal/arrival"
	"assay/internal/contract"
	"assay/internal/measure"
	"assay/internal/record"
	"assay/internal/workload"
)

// sampleSize is how many requests are listed where their number is not known.
const sampleSize = 1000

// notable is the share of lengths that differ from their law beyond which a
// reader is told.
const notable = 0.01

func planStream(s *contract.Stream, seed uint64, source *workload.Source) (StreamPlan, error) {
	talks, err := conversations(s, seed, source)
	if err != nil {
		return StreamPlan{}, usage(fmt.Errorf("stream %s: %w", s.Name, err), "")
	}
	p := StreamPlan{
		Name: s.Name, Concurrency: s.Traffic.Slots(), Loop: loopText(&s.Traffic), Habits: habits(s),
		Window: time.Duration(s.Traffic.Duration), Drain: time.Duration(s.Traffic.Drain),
	}
	if s.Traffic.Warmup != nil {
		p.Warmup = time.Duration(*s.Traffic.Warmup)
	}
	var schedule iter.Seq[arrival.Due]
	if p.Concurrency > 0 {
		p.Counted = s.Traffic.Requests > 0 && p.Warmup == 0
		p.requests = closedRequests(s, source, p.Warmup == 0)
	} else {
		p.Arrival = s.Arrival()
		p.Counted = true
		schedule = arrival.Schedule(s.Arrival(), seed, s.Name, int64(p.Warmup), int64(s.Traffic.Duration), s.Traffic.Requests)
		p.requests = openRequests(s, schedule, source)
	}
	p.requests = marked(s, seed, talks.in(withMedia(source, p.requests)))
	expect := newExpecter(s, source, talks)
	p.sum(s.Traffic.Requests, schedule, expect, talks)
	if talks != nil && talks.err != nil {
		return StreamPlan{}, usage(fmt.Errorf("stream %s: %w", s.Name, talks.err), "")
	}
	p.Cache, p.Sessions = expect.planned(), talks.planned()
	p.judge(s)
	p.remark(s.Workload)
	return p, nil
}

// openRequests is the stream's schedule with its lengths.
func openRequests(s *contract.Stream, schedule iter.Seq[arrival.Due], source *workload.Source) iter.Seq[PlannedRequest] {
	return func(yield func(PlannedRequest) bool) {
		for due := range schedule {
			in, out := source.Lengths(due.Seq)
			if !yield(PlannedRequest{
				Stream: s.Name, Seq: due.Seq, DueNS: &due.At,
				InputTokens: in, OutputTokens: out, Measured: due.Measured,
			}) {
				return
			}
		}
	}
}

// closedRequests is the order of a closed loop; measured tells that all of
// them are, because there is no warm-up.
func closedRequests(s *contract.Stream, source *workload.Source, measured bool) iter.Seq[PlannedRequest] {
	n := s.Traffic.Requests
	if n == 0 || !measured {
		n = sampleSize
	}
	return func(yield func(PlannedRequest) bool) {
		for seq := range uint64(n) {
			in, out := source.Lengths(seq)
			if !yield(PlannedRequest{Stream: s.Name, Seq: seq, InputTokens: in, OutputTokens: out, Measured: measured}) {
				return
			}
		}
	}
}

// sum goes through the requests. With a number of requests in open loop the
// window runs from the first to the last due plus one mean gap: then it goes
// through the schedule again, since only now the window can be cut into steps.
func (p *StreamPlan) sum(requests int, schedule iter.Seq[arrival.Due], expect *expecter, talks *conversing) {
	var input, output, media lengthCount
	carried := false
	if p.Concurrency == 0 && requests == 0 {
		p.Arrivals = arrivalsOver(p.Warmup, p.Window, p.Arrival.Expected(int64(p.Warmup), int64(p.Window)))
	}
	first, last := int64(-1), int64(0)
	for r := range p.requests {
		input.add(r.InputTokens)
		output.add(r.OutputTokens)
		media.add(int(r.Bytes))
		carried = carried || r.PlannedMedia != PlannedMedia{}
		expect.add(r, talks.add(r, p.Counted))
		later := r.Turn > 1
		switch {
		case !p.Counted, later:
		case r.Measured:
			p.WindowSum.add(r)
		default:
			p.WarmupSum.add(r)
		}
		if r.DueNS == nil {
			continue
		}
		p.Arrivals.add(*r.DueNS, r.Measured)
		if r.Measured {
			if last = *r.DueNS; first < 0 {
				first = last
			}
		}
	}
	p.Input, p.Output = input.lengths(), output.lengths()
	if carried {
		bytes := media.lengths()
		p.Media = &bytes
	}
	if requests == 0 {
		return
	}
	p.Window = 0
	if first < 0 {
		return
	}
	p.Window = time.Duration(last-first) + time.Duration(p.Arrival.MeanGap())
	p.Arrivals = arrivalsOver(p.Warmup, time.Duration(last)-p.Warmup+time.Duration(p.Arrival.MeanGap()), float64(p.WarmupSum.Requests+p.WindowSum.Requests))
	for due := range schedule {
		p.Arrivals.add(due.At, due.Measured)
	}
}

func (s *PlanSum) add(r PlannedRequest) {
	s.Requests++
	s.InputTokens += int64(r.InputTokens)
	s.OutputTokens += int64(r.OutputTokens)
	s.PlannedMedia.add(r.PlannedMedia)
}

// judge compares each objective's least number of requests with the planned.
// Later turns are taken to come, since most do, and counted apart. A closed
// loop by time sends as many as the server lets it; by number it measures that
// number, warm-up or not.
func (p *StreamPlan) judge(s *contract.Stream) {
	first, later := int(p.WindowSum.Requests), 0
	if p.Concurrency > 0 {
		first = s.Traffic.Requests
	}
	switch x := p.Sessions; {
	case x == nil || x.Sessions == 0:
	case p.Concurrency > 0: // the sessions that are listed may be some only
		later = int(x.Later.Requests * int64(first) / x.Sessions)
	default:
		later = int(x.Later.Requests)
	}
	for _, o := range s.SLO {
		first, later := turnsOf(o.Filter, first, later)
		if p.Concurrency > 0 && s.Traffic.Requests == 0 {
			first, later = record.NoCount, 0
		}
		least := s.LeastRequests(o)
		one := PlannedObjective{Objective: o, Least: least, Planned: first, Expected: later, Enough: true}
		if first != record.NoCount {
			one.Planned += later
			one.Enough = one.Planned >= least
		}
		p.Objectives = append(p.Objectives, one)
	}
}

// turnsOf are the turns that an objective speaks of.
func turnsOf(filter string, first, later int) (int, int) {
	f, err := measure.ParseFilter(filter)
	if err != nil {
		return first, later
	}
	for _, c := range f.Conditions {
		switch {
		case c.Field != "turn":
		case c.Text == "first":
			later = 0
		case c.Text == "later":
			first = 0
		}
	}
	return first, later
}

// remark notes what the contract's reader would not expect.
func (p *StreamPlan) remark(w workload.Spec) {
	if p.Counted && p.WindowSum.Requests == 0 {
		p.Notes = append(p.Notes, "no request is due in the window")
	}
	lengths := []struct {
		name string
		law  workload.Length
	}{{"input_tokens", w.InputTokens}, {"output_tokens", w.OutputTokens}}
	for _, l := range lengths {
		if l.name == "input_tokens" && (w.Prompts != "" || w.File != "") {
			continue // the file decides
		}
		if share := l.law.Raised(); share > notable {
			p.Notes = append(p.Notes, fmt.Sprintf("%s %s: %.0f%% of its draws are below one token and are raised to one",
				l.name, l.law, 100*share))
		}
	}
}
