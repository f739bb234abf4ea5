package run

// The plan as one JSON object: what `assay plan` tells people, for programs.

import "assay/internal/record"

// PlanSchema names the form of a PlanSummary.
const PlanSchema = "assay/plan/v1"

// A PlanSummary is a Plan without its requests. What is not known before a run
// is null.
type PlanSummary struct {
	Schema  string          `json:"schema"`
	Name    string          `json:"name"`
	Seed    uint64          `json:"seed"`
	Cost    *CostSummary    `json:"cost"`
	Streams []StreamSummary `json:"streams"`
}

// A CostSummary is the price, and the amount for warm-up and window.
type CostSummary struct {
	PerHour    float64  `json:"per_hour"`
	Currency   string   `json:"currency"`
	Amount     *float64 `json:"amount"`
	AmountMost *float64 `json:"amount_at_most"` // with the whole drain
}

// A StreamSummary is one stream. Warmup and Window are null unless the number
// of requests is known; the lengths are then those of the first thousand.
type StreamSummary struct {
	Stream      string             `json:"stream"`
	Share       *float64           `json:"share,omitempty"` // of the requests of the window of all streams
	Arrivals    *string            `json:"arrivals"`        // open loop: the shape in words
	Concurrency *int               `json:"concurrency"`     // closed loop
	WarmupS     float64            `json:"warmup_s"`
	WindowS     *float64           `json:"window_s"`
	DrainS      float64            `json:"drain_s"`
	Warmup      *PlanSum           `json:"warmup"`
	Window      *PlanSum           `json:"window"`
	Input       PlannedLengths     `json:"input_tokens"`
	Output      PlannedLengths     `json:"output_tokens"`
	Media       *PlannedLengths    `json:"media_bytes,omitempty"` // of a request, pictures and recordings without base64; left out where none has any
	Cache       *PlannedCache      `json:"cache"`                 // null where prompts share nothing
	Sessions    *PlannedSessions   `json:"sessions"`
	OverTime    []PhaseSummary     `json:"over_time"`
	Objectives  []ObjectiveSummary `json:"objectives"`
	Habits      []PlannedHabit     `json:"habits,omitempty"`
	Notes       []string           `json:"notes"`
}

// A PhaseSummary counts the requests due in each step of a phase; the first
// step begins at FromS, counted as due_ns is.
type PhaseSummary struct {
	Phase  string  `json:"phase"` // warmup or window
	FromS  float64 `json:"from_s"`
	StepS  float64 `json:"step_s"`
	Counts []int64 `json:"counts"`
}

// An ObjectiveSummary is the fewest requests that can settle an objective, and
// how many are planned.
type ObjectiveSummary struct {
	Objective string `json:"objective"`
	Least     int    `json:"least"`
	Planned   *int   `json:"planned"`
	Expected  int    `json:"expected,omitempty"` // of them, later turns of sessions
	Enough    bool   `json:"enough"`             // or not known
}

// Summary is the plan without its requests.
func (p *Plan) Summary() PlanSummary {
	all := PlanSummary{Schema: PlanSchema, Name: p.Name, Seed: p.Seed, Streams: []StreamSummary{}}
	if c := p.Cost; c != nil {
		all.Cost = &CostSummary{PerHour: c.PerHour, Currency: c.Currency}
		if c.Span > 0 {
			amount, most := c.Amount(c.Span), c.Amount(c.Most)
			all.Cost.Amount, all.Cost.AmountMost = &amount, &most
		}
	}
	for i := range p.Streams {
		all.Streams = append(all.Streams, p.Streams[i].summary())
	}
	return all
}

func (p *StreamPlan) summary() StreamSummary {
	s := StreamSummary{
		Stream: p.Name, Share: p.Share, WarmupS: p.Warmup.Seconds(), DrainS: p.Drain.Seconds(), Input: p.Input, Output: p.Output, Media: p.Media, Cache: p.Cache, Sessions: p.Sessions,
		OverTime: []PhaseSummary{}, Objectives: []ObjectiveSummary{}, Habits: p.Habits, Notes: append([]string{}, p.Notes...),
	}
	if p.Concurrency > 0 {
		s.Concurrency = &p.Concurrency
	} else {
		words := p.Arrival.Describe()
		s.Arrivals = &words
	}
	if p.Window > 0 {
		window := p.Window.Seconds()
		s.WindowS = &window
	}
	if p.Counted {
		s.Warmup, s.Window = &p.WarmupSum, &p.WindowSum
	}
	from := 0.0
	for _, phase := range []struct {
		name string
		PlannedPhase
	}{{"warmup", p.Arrivals.Warmup}, {"window", p.Arrivals.Window}} {
		if len(phase.Counts) > 0 {
			s.OverTime = append(s.OverTime, PhaseSummary{phase.name, from, phase.Step.Seconds(), phase.Counts})
			from += phase.Length.Seconds()
		}
	}
	for _, o := range p.Objectives {
		one := ObjectiveSummary{Objective: o.Objective.Text, Least: o.Least, Expected: o.Expected, Enough: o.Enough}
		if o.Planned != record.NoCount {
			one.Planned = &o.Planned
		}
		s.Objectives = append(s.Objectives, one)
	}
	return s
}
