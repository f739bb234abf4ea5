// Objectives against what the endpoint, the traffic and the lengths can have.

package contract

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/internal/dialect"
	"assay/internal/measure"
	"assay/internal/slo"
)

// defaults are what a contract without objectives gets.
var defaults = []string{"ttft p50 < 500ms", "itl p99 < 100ms"}

// DefaultObjectives tells whether the objectives are the defaults, because the
// contract has none. It survives the canonical form as default_slo: true.
func (c *Contract) DefaultObjectives() bool {
	for i := range c.Streams {
		if c.Streams[i].DefaultSLO {
			return true
		}
	}
	return c.DefaultSLO
}

// resolveObjectives gives defaults where no stream has an objective, and
// refuses those that the stream can't have.
func (c *Contract) resolveObjectives(streams []Stream, prefix func(int) string) error {
	asked := false
	for i := range streams {
		asked = asked || len(streams[i].SLO) > 0
	}
	for i := range streams {
		s := &streams[i]
		if !asked {
			s.fillObjectives()
			if len(s.SLO) == 0 {
				return c.fail(prefix(i)+"slo", "is missing: no default objective is one that this endpoint and these lengths can have",
					"write one, as in slo: [latency p99 < 2s]")
			}
		}
		for j, o := range s.SLO {
			if why := s.cannotHave(o); why != "" {
				return c.fail(fmt.Sprintf("%sslo[%d]", prefix(i), j), fmt.Sprintf("%q can't be had: %s", o.Text, why), s.couldHave(o))
			}
		}
		for j, o := range s.Good {
			if why := s.cannotHave(o); why != "" {
				return c.fail(fmt.Sprintf("%sgood[%d]", prefix(i), j), fmt.Sprintf("%q can't be had: %s", o.Text, why), s.couldHave(o))
			}
		}
	}
	return nil
}

// fillObjectives gives the stream the defaults that it can have.
func (s *Stream) fillObjectives() {
	for _, text := range defaults {
		o, err := slo.Parse(text)
		if err != nil {
			panic("internal error: default objective " + text + ": " + err.Error())
		}
		if s.cannotHave(o) == "" {
			s.SLO = append(s.SLO, o)
		}
	}
	s.DefaultSLO = true
}

// cannotHave says why no request of the stream will ever have the metric.
func (s *Stream) cannotHave(o slo.Objective) string {
	info, ok := slo.Known(o.Metric)
	if !ok {
		return "no such metric"
	}
	d, _ := dialect.Find(s.Target.Endpoint)
	switch {
	case info.Items != "" && info.Items != string(d.Measures):
		return "the endpoint " + d.Name + " is not measured in " + info.Items
	case info.NeedsTokens && d.Textless():
		return "the endpoint " + d.Name + " answers with " + string(d.Measures) + ", which have no tokens"
	case info.NeedsStream && !*s.Target.Stream:
		return "the answers are not streamed, so there is only a latency"
	case info.NeedsGaps && s.mostOutput() == 1:
		return "replies of one token have no gaps"
	case info.OpenLoopOnly && !s.OpenLoop():
		return "in closed loop a request is due when it is sent"
	case info.NeedsGood && len(s.Good) == 0:
		return "no bounds say which requests are good"
	}
	if metric := s.noDeadline(o); metric != "" {
		return "no objective on " + metric + " sets its deadlines"
	}
	return s.cannotPass(o.Filter)
}

// noDeadline names the metric without whose objective fluidity counts nothing.
func (s *Stream) noDeadline(o slo.Objective) string {
	if o.Metric != measure.Fluidity {
		return ""
	}
	for _, metric := range []string{"ttft", "itl"} {
		if !slices.ContainsFunc(s.SLO, func(o slo.Objective) bool { return o.Metric == metric }) {
			return metric
		}
	}
	return ""
}

// couldHave is what to write instead.
func (s *Stream) couldHave(o slo.Objective) string {
	info, _ := slo.Known(o.Metric)
	switch {
	case (info.Items != "" || info.NeedsTokens) && s.rateOf() != "":
		return "bound latency, request_rate or " + s.rateOf()
	case info.Items != "":
		return "bound request_rate, or output_token_rate"
	case info.NeedsStream && s.rateOf() != "":
		return "bound latency or " + s.rateOf()
	case info.NeedsStream && !*s.Target.Stream:
		return "bound latency, or drop stream: false"
	case info.NeedsGaps && s.mostOutput() == 1:
		return "bound ttft or latency, or ask for more output_tokens"
	case info.OpenLoopOnly && !s.OpenLoop():
		return "bound " + strings.TrimSuffix(o.Metric, "_due") + ", or use rate instead of concurrency"
	case info.NeedsGood && len(s.Good) == 0:
		return "add good: [ttft < 500ms, tpot < 50ms]"
	case s.noDeadline(o) != "":
		return "add ttft p50 < 500ms and itl p99 < 100ms, or others"
	}
	return "drop the filter, or change it"
}

// rateOf is the rate of what the endpoint is measured in; "" where that is tokens.
func (s *Stream) rateOf() string {
	d, _ := dialect.Find(s.Target.Endpoint)
	if !d.Textless() {
		return ""
	}
	for _, info := range slo.Catalogue() {
		if info.Items == string(d.Measures) {
			return info.Name
		}
	}
	return "request_rate"
}

// cannotPass says why nothing of the stream passes a filter.
func (s *Stream) cannotPass(filter string) string {
	f, err := measure.ParseFilter(filter)
	if err != nil {
		return err.Error()
	}
	for _, c := range f.Conditions {
		most := 0
		switch c.Field {
		case "pos", "output":
			most = s.mostOutput()
		case "stream":
			if c.Text != s.Name {
				return fmt.Sprintf("this is the stream %q", s.Name)
			}
		case "endpoint":
			if c.Text != s.Target.Endpoint {
				return "the endpoint is " + s.Target.Endpoint
			}
		}
		beyond := c.Op == ">" && most <= c.Number || (c.Op == ">=" || c.Op == "=") && most < c.Number
		if most > 0 && beyond {
			return fmt.Sprintf("no reply is longer than %d tokens", most)
		}
	}
	return ""
}

// mostOutput is the longest reply that can be asked for; 0 when there is no bound.
func (s *Stream) mostOutput() int {
	if s.Workload.Prompts != "" {
		return 0 // each prompt may bring its own
	}
	if len(s.Workload.Lengths) > 0 {
		return longestOutput(s.Workload.Lengths)
	}
	switch l := s.Workload.OutputTokens; l.Law {
	case "constant":
		return int(l.A)
	case "uniform", "zipf":
		return int(math.Round(l.B))
	}
	return 0
}
